"""A human verdict as a check: once all others passed, the user is asked, who accepts the code or says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Generator

from refine_magic.core.errors import SpecError
from refine_magic.core.protocols import Executor
from refine_magic.core.standing import verdict
from refine_magic.core.types import Candidate, Check, CheckResult, ExecutionResult, Spec

QUESTION = Check(id="human", source="you accept it", kind="human")
ASKED = "All other checks passed. Enter to accept this code, or say what is wrong with it: "
YES = ("", "y", "yes", "ok")

Ask = Callable[[str, ExecutionResult], str | None]


class AskingExecutor:
    """Has another executor judge the checks that can be run, then asks the user; nothing is asked where one failed."""

    def __init__(self, inner: Executor, ask: Ask) -> None:
        """Take the executor, and the function that asks: the code and its result in, None or a hint out."""
        self._inner, self._ask = inner, ask

    @property
    def isolation(self) -> str:
        """The isolation level in force."""
        return self._inner.isolation

    def prepare(self) -> None:
        """Start the next kernel in the background."""
        self._inner.prepare()

    def close(self) -> None:
        """Kill every kernel."""
        self._inner.close()

    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        """Judge one candidate; the user's verdict comes last. Raises ExecutorError, and what asking raises."""
        questions = [check for check in spec.checks if check.kind == "human"]
        others = spec.model_copy(update={"checks": tuple(c for c in spec.checks if c.kind != "human")})
        result = yield from self._inner.execute(candidate, others)
        asked = bool(questions) and holds(others, result)
        found = [self.answer(check, candidate, result) if asked else unasked(check) for check in questions]
        yield from found if asked else ()
        by_id = {each.check_id: each for each in (*result.checks, *found)}
        checks = tuple(by_id[check.id] for check in spec.checks if check.id in by_id)
        outcome = verdict(spec, checks) if asked else result.outcome
        return result.model_copy(update={"checks": checks, "outcome": outcome})

    def answer(self, check: Check, candidate: Candidate, result: ExecutionResult) -> CheckResult:
        """Return what the user says."""
        hint = self._ask(candidate.code, result)
        if hint is None:
            return CheckResult(check_id=check.id, outcome="passed", judged="user")
        return CheckResult(check_id=check.id, outcome="failed", message=hint, judged="user")


def holds(spec: Spec, result: ExecutionResult) -> bool:
    """Tell whether all that can be run is well; without a check that counts, that is code that ran to its end."""
    if any(check.counts for check in spec.checks):
        return result.outcome == "passed"
    return result.outcome in ("passed", "failed") and result.error is None


def unasked(check: Check) -> CheckResult:
    """Return the result of a question that was not asked."""
    return CheckResult(check_id=check.id, outcome="not_run", judged="user")


def hint(answer: str) -> str | None:
    """Return what an answer to the question means: None accepts, anything but a yes is a hint."""
    said = answer.strip()
    return None if said.lower() in YES else said


def nobody(code: str, result: ExecutionResult) -> str | None:
    """Stand in for a user where there is none. Raises SpecError."""
    raise SpecError("the checks ask the user to accept the code, and there is nobody here to ask")
