"""What a hostile case is: code, the check it faces, and what must come of it at each isolation level."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

LEVELS = ("limits", "landlock", "namespaces")
NOT_PROMISED = "passed|failed"  # whether the attack works at this level depends on who runs it


@dataclass(frozen=True)
class Case:
    """One candidate; `expected` are the outcomes that are right, with ``|`` between them, `at` those of one level.

    ``<<name>>`` in the code stands for a place of the `World` that the candidate attacks. At the levels in `spoils`
    the world may be touched. A `hasty` case runs with a short wall time, because it hangs. `needs` are modules, or
    ``root`` or ``user`` where the case makes sense for one of them only; `only` are the levels that it runs at, and
    `unsaid` is text that may not be in the result.
    """

    name: str
    code: str
    expected: str
    check: str = "assert f(1) == 2"
    at: Mapping[str, str] = field(default_factory=dict)
    spoils: tuple[str, ...] = ()
    hasty: bool = False
    needs: tuple[str, ...] = ()
    only: tuple[str, ...] = LEVELS
    unsaid: str = ""

    def outcomes(self, level: str) -> list[str]:
        """Return the outcomes that are right at a level."""
        return self.at.get(level, self.expected).split("|")


def wrong(name: str, code: str, *, check: str = "assert f(1) == 2", never: str = "passed") -> Case:
    """Return a case that gives a wrong answer and cheats: anything but a pass is right."""
    every = "passed failed error timeout memory output_limit crashed invalid".split()
    return Case(name, code, "|".join(outcome for outcome in every if outcome != never), check)


def good(name: str, code: str, *, at: Mapping[str, str] | None = None, needs: tuple[str, ...] = ()) -> Case:
    """Return a case that is right, and passes."""
    return Case(name, code, "passed", at=at or {}, needs=needs)


def attack(
    name: str,
    body: str,
    *,
    top: str = "",
    expected: str = "passed",
    at: Mapping[str, str] | None = None,
    spoils: tuple[str, ...] = ("limits",),
    needs: tuple[str, ...] = (),
    only: tuple[str, ...] = LEVELS,
) -> Case:
    """Return a case whose `f` says ``refused`` where an OSError stops it, and passes where that is so.

    At the level limits nothing of the kind is promised, unless `at` says otherwise.
    """
    code = (
        "import contextlib, ctypes, os, signal, socket, subprocess, sys, time\n"
        f"{PREAMBLE}{textwrap.dedent(top)}\ndef f(x):\n    try:\n{textwrap.indent(textwrap.dedent(body), '        ')}\n"
        "    except OSError as error:\n        return 'refused'\n    return 'done'\n"
    )
    levels = {"limits": NOT_PROMISED, **(at or {})}
    return Case(name, code, expected, "assert f(0) == 'refused'", levels, spoils, needs=needs, only=only)


PREAMBLE = """\
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    found = libc.syscall(ctypes.c_long(number), *arguments)
    if found == -1:
        if ctypes.get_errno() in (1, 13, 38):  # EPERM, EACCES, ENOSYS: refused before anything else was looked at
            raise OSError('refused')
        raise ValueError(f'errno {ctypes.get_errno()}')
    return found
"""
