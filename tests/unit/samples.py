"""Problems, runs and a driver that the unit tests share."""

from __future__ import annotations

import re
from itertools import count

from refine_magic.core import loop
from refine_magic.core.types import Check, Problem, Settings, Spec, Trajectory
from refine_magic.feedback.annotated import Annotated
from refine_magic.strategies.generated import GeneratedChecks
from refine_magic.strategies.tests import CheckGated
from refine_magic.testing import FakeExecutor, ScriptedModel, fenced


def checks(number: int) -> tuple[Check, ...]:
    return tuple(Check(id=f"c{n}", source=f"assert f({n}) == {n * n}") for n in range(1, number + 1))


def problem(number: int = 3) -> Problem:
    return Problem(
        id="square", prompt="Write f(n), the square of n.", spec=Spec(checks=checks(number)), entry_point="f"
    )


def code(*passing: int, note: int = 0) -> str:
    """Code that passes the checks of these numbers; the note makes it another code with the same result."""
    return f"def f(n):\n    return {{{', '.join(f'{n}: {n * n}' for n in passing)}}}.get(n, {-1 - note})"


def holds(text: str, check: Check) -> bool:
    number = re.search(r"f\((\d+)\)", check.source)
    return number is not None and f"{number[1]}: " in text


def answer(*passing: int, note: int = 0) -> str:
    return fenced(code(*passing, note=note))


class Clock:
    """A clock that ticks one second each time it is read."""

    def __init__(self) -> None:
        self.ticks = count()

    def __call__(self) -> float:
        return float(next(self.ticks))


def begin(number: int = 3, **settings: object) -> Trajectory:
    return Trajectory(id="run", problem=problem(number), settings=Settings.model_validate(settings))


class Run:
    """A run that is driven to its end: the trajectory, the events, and what was asked and executed."""

    def __init__(self, model: ScriptedModel, number: int = 3, **settings: object) -> None:
        self.model, self.executor, self.events, self.seen = model, FakeExecutor(holds), [], []
        self.parts = loop.Parts(
            model=model, executor=self.executor, strategy=CheckGated(), feedback=Annotated(), checks=GeneratedChecks()
        )
        self.start = begin(number, **settings)
        self.last = self.start

    def observe(self, run: Trajectory, event: object) -> None:
        self.last = run
        self.events.append(event)

    def __call__(self, observer: loop.Observer | None = None) -> Trajectory:
        def both(run: Trajectory, event: object) -> None:
            self.observe(run, event)
            if observer:
                observer(run, event)

        return loop.drive(loop.refine(self.start, self.parts, Clock()), both)


def run(*replies: str | BaseException, number: int = 3, finish_reason: str = "stop", **settings: object) -> Run:
    made = Run(ScriptedModel(*replies, finish_reason=finish_reason), number, **settings)
    made()
    return made
