"""Checks kept under a name with ``%%checks``, and those that a ``%%refine`` names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refine_magic.core.errors import SpecError

if TYPE_CHECKING:
    from refine_magic.specs.gather import Text

USAGE = "give the checks a name of one word, as in '%%checks fib'; '%checks' lists those that are kept"
NONE_KEPT = "no checks are kept yet; keep some with a cell that begins with '%%checks NAME'"


class KeptChecks:
    """The named checks of a session; a name that is given again stands for the new ones."""

    def __init__(self, shell: Any) -> None:
        """Begin with none."""
        self._shell = shell
        self._kept: dict[str, Text] = {}
        self._counts: dict[str, int] = {}

    def keep(self, line: str, cell: str, above: int) -> str:
        """Keep a cell's checks, and return a line that says so; `above` are the lines above them. Raises SpecError."""
        from refine_magic.specs.gather import Text
        from refine_magic.specs.problem import taking_checks
        from refine_magic.words import plural

        name = line.strip()
        if len(name.split()) != 1 or name.startswith("-"):
            raise SpecError(USAGE)
        text = Text(cell, lines_before=above)
        self._counts[name] = taking_checks(text)
        self._kept[name] = Text(cell, lines_before=above, where=f"the checks {name!r}")
        return f"{plural(self._counts[name], 'check')} kept as {name!r}: use with %%refine --checks {name}"

    def shown(self, line: str) -> str:
        """Return the names that are kept with their numbers of checks, or one name's checks. Raises SpecError."""
        from refine_magic.words import plural

        name = line.strip()
        if not name:
            return "\n".join(f"{each}: {plural(self._counts[each], 'check')}" for each in self._kept) or NONE_KEPT
        if name not in self._kept:
            raise SpecError(f"no checks are kept as {name!r}; there are: {', '.join(sorted(self._kept)) or 'none'}")
        return self._kept[name].text.strip("\n")

    def find(self, references: Sequence[str]) -> list[Text]:
        """Return the texts of everything that is named. Raises SpecError where there is nothing of a name."""
        if not references:
            return []
        from refine_magic.specs.gather import gather

        notebook = notebook_file(self._shell)
        return [text for each in references for text in gather(unquoted(each), self._kept, notebook)]


def unquoted(reference: str) -> str:
    """Return a reference without the quotes that IPython leaves around it."""
    quoted = len(reference) > 1 and reference[0] == reference[-1] and reference[0] in "'\""
    return reference[1:-1] if quoted else reference


def notebook_file(shell: Any) -> Path | None:
    """Return the file of the notebook that is being run, where its server or front end tells it."""
    told = os.environ.get("JPY_SESSION_NAME") or shell.user_ns.get("__vsc_ipynb_file__")
    if not isinstance(told, str) or not told.endswith(".ipynb"):
        return None
    return next((path for path in (Path(told), Path(Path(told).name)) if path.is_file()), None)
