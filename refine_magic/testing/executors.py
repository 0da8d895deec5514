"""What any executor must do, ours and other people's."""

from __future__ import annotations

import time
from collections.abc import Collection

from refine_magic.testing.manners import MANNERS, Case
from refine_magic.testing.trial import Make, Trial, Unexpected
from refine_magic.testing.verdicts import HOSTILE, ORDINARY

CASES: dict[str, Case] = {**ORDINARY, **HOSTILE, **MANNERS}


def check_executor(make: Make, *, only: Collection[str] = ()) -> list[str]:
    """Have an executor judge small candidates, honest, broken and hostile ones, and return the names of the cases.

    `make` returns a new executor at each call; one judges most of the cases in turn, and is closed at the end. Give it
    a time limit of a few seconds: three cases hang until it, twice where a timeout is tried again. `only` names the
    cases to run, where not all are wanted. Whatever the case, each check must be yielded once at most and be in the
    result once, in the spec's order; the outcome must be `passed` just where every check that counts passed; and the
    result must say at which isolation level it ran and be writable as JSON.

        def test_my_executor():
            names = check_executor(lambda: MyExecutor(timeout=3.0))
            assert len(names) > 40

    Raises AssertionError that lists every case which failed, with what was seen; ValueError for an unknown name.
    """
    unknown = sorted(set(only) - set(CASES))
    if unknown:
        raise ValueError(f"there are no such cases: {unknown}")
    names = [name for name in CASES if not only or name in only]
    failed = []
    trial = Trial(make)
    try:
        for name in names:
            seen = run(CASES[name], trial)
            if seen:
                failed.append(f"- {name}: {seen}")
    finally:
        trial.close()
    if failed:
        raise AssertionError("\n".join([f"{len(failed)} of {len(names)} cases failed:", *failed]))
    return names


def run(case: Case, trial: Trial) -> str:
    """Run one case and return what was seen in place of what should be; the next case gets a new executor then."""
    began = time.monotonic()
    try:
        case(trial)
    except Unexpected as error:
        seen = str(error)
    except Exception as error:
        seen = f"after {time.monotonic() - began:.1f} s it raised {type(error).__name__}: {error}"
    else:
        return ""
    try:
        trial.close()
    except Exception as error:
        seen += f"; and close() raised {type(error).__name__}: {error}"
    return seen
