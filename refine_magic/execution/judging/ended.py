"""How a kernel that can be asked no more ends the judging of its candidate."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal

from refine_magic.core.types import Outcome
from refine_magic.execution.judging import wire
from refine_magic.execution.kernels.wires import DeadlinePassed, KernelEnded, TooMuchOutput
from refine_magic.execution.limits import Limits

Doubt = Literal["", "clock", "company"]
OUTCOMES: dict[str, Outcome] = {"time": "timeout", "memory": "memory", "output": "output_limit"}


class Ended(Exception):
    """The candidate's kernel, or that of its checks, can be asked no more."""

    def __init__(self, outcome: Outcome, message: str, *, doubt: Doubt = "") -> None:
        """Take the outcome and the words for it, and the `doubt` that another attempt could change it.

        ``clock``: the wall time was up, of which a busy machine takes its share. ``company``: the CPU time was up,
        which lasts less long only where others run at the same time.
        """
        super().__init__(message)
        self.outcome: Outcome = outcome
        self.doubt: Doubt = doubt


@contextmanager
def ending(limits: Limits, broken: str = "the candidate broke its kernel") -> Generator[None, None, None]:
    """Raise Ended for what a kernel does in place of answering, and for an answer that is none."""
    try:
        yield
    except DeadlinePassed:
        raise Ended("timeout", f"no result within {limits.wall_seconds:g} s", doubt="clock") from None
    except KernelEnded as ended:
        outcome = OUTCOMES.get(ended.excess, "crashed")
        raise Ended(outcome, str(ended), doubt="company" if outcome == "timeout" else "") from None
    except TooMuchOutput as error:
        raise Ended("output_limit", str(error)) from None
    except wire.Malformed as error:
        raise Ended("crashed", f"{broken}: {error}"[:400]) from None
