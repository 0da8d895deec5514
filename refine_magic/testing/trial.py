"""One executor on trial: candidates are judged, and what holds for every judging is looked at each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from refine_magic.core import standing
from refine_magic.core.protocols import Executor
from refine_magic.core.types import Candidate, CheckResult, ExecutionResult, Spec
from refine_magic.specs.problem import make_problem

Make = Callable[[], Executor]
LONGEST = 4000


class Unexpected(AssertionError):
    """The executor did something else."""


def expect(holds: object, otherwise: str) -> None:
    """Raise Unexpected, with what was seen, where something does not hold."""
    if not holds:
        raise Unexpected(otherwise)


@dataclass(frozen=True)
class Judged:
    """What came of one candidate: the results in the order in which they were yielded, and the whole."""

    yielded: tuple[CheckResult, ...]
    result: ExecutionResult

    @property
    def outcomes(self) -> list[str]:
        """The outcome of each check, in the spec's order."""
        return [check.outcome for check in self.result.checks]

    def __str__(self) -> str:
        """Show what was seen, in one line."""
        result = self.result
        parts = [result.outcome, f"checks {self.outcomes}"]
        parts += [result.message] if result.message else []
        errors = [result.error, *(check.error for check in result.checks)]
        parts += [f"{error.ename}: {error.evalue}"[:200] for error in errors if error is not None]
        return "; ".join(parts)


class Trial:
    """Judges candidates with one executor, which is made when it is first needed."""

    def __init__(self, make: Make) -> None:
        """Take what makes an executor."""
        self.make = make
        self._executor: Executor | None = None

    @property
    def executor(self) -> Executor:
        """The executor."""
        if self._executor is None:
            self._executor = self.make()
        return self._executor

    def judge(self, code: str, checks: str | Spec) -> Judged:
        """Judge code against checks as a user writes them, or against a spec.

        Raises Unexpected, and what the executor raises.
        """
        spec = spec_of(checks)
        judging = self.executor.execute(candidate(code), spec)
        yielded: list[CheckResult] = []
        while True:
            try:
                yielded.append(next(judging))
            except StopIteration as end:
                judged = Judged(tuple(yielded), end.value)
                look(judged, spec)
                return judged

    def close(self) -> None:
        """Close the executor, where one was made."""
        if self._executor is not None:
            self._executor.close()
            self._executor = None


def spec_of(checks: str | Spec) -> Spec:
    """Return the spec for checks as a user writes them. Raises SpecError."""
    return checks if isinstance(checks, Spec) else make_problem("Write f.", checks).spec


def candidate(code: str) -> Candidate:
    """Return the candidate of the code."""
    return Candidate(code=code, digest=f"{hash(code):x}")


def look(judged: Judged, spec: Spec) -> None:
    """Look at what holds whatever the candidate does. Raises Unexpected."""
    result, ids = judged.result, [check.id for check in spec.checks]
    expect(isinstance(result, ExecutionResult), f"it returned {result!r}, not an ExecutionResult")
    shown = [check.check_id for check in judged.yielded]
    expect(len(set(shown)) == len(shown), f"it yielded a check twice: {shown}")
    expect(set(shown) <= set(ids), f"it yielded checks that are not the spec's: {sorted(set(shown) - set(ids))}")
    listed = [check.check_id for check in result.checks]
    expect(listed == ids, f"its result has the checks {listed}, the spec {ids}")
    whole = {check.check_id: check.outcome for check in result.checks}
    for check in judged.yielded:
        same = whole[check.check_id] == check.outcome
        expect(same, f"it yielded {check.check_id} as {check.outcome}, and returned it as {whole[check.check_id]}")
    deserved = standing.verdict(spec, result.checks) == "passed"
    expect((result.outcome == "passed") == deserved, f"{judged}: the outcome is not that of the checks which count")
    expect(result.isolation.strip(), "its result does not say at which isolation level it ran")
    for check in result.checks:
        for name in ("expected", "observed", "message"):
            size = len(getattr(check, name) or "")
            expect(size <= LONGEST, f"{name} of {check.check_id} has {size} characters, uncut")
    try:
        result.model_dump_json()
    except ValueError as error:
        raise Unexpected(f"its result cannot be written as JSON: {error}") from error
