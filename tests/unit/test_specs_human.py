from __future__ import annotations

from collections.abc import Callable

import pytest

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Candidate, Check, CheckResult, ExecutionResult, Spec
from refine_magic.specs.human import QUESTION, AskingExecutor, hint, nobody
from refine_magic.specs.problem import make_problem
from refine_magic.testing import FakeExecutor

CODE = Candidate(code="def f(): ...", digest="d")
CHECK = Check(id="c1", source="assert f(1) == 1")
GENERATED = Check(id="c3", source="assert f(2) == 1", origin="generated", trust="suspect")
ASKING = Spec(checks=(CHECK, QUESTION))


class User:
    """Answers, and remembers what was asked."""

    def __init__(self, answer: str | None = None) -> None:
        self.answer, self.asked = answer, []

    def __call__(self, code: str, result: ExecutionResult) -> str | None:
        self.asked.append((code, result.outcome))
        return self.answer


def judged(
    user: Callable[..., str | None], spec: Spec = ASKING, holds: Callable[[str, Check], bool] = lambda code, check: True
) -> tuple[ExecutionResult, list[CheckResult]]:
    judging = AskingExecutor(FakeExecutor(holds), user).execute(CODE, spec)
    yielded = []
    try:
        while True:
            yielded.append(next(judging))
    except StopIteration as stop:
        return stop.value, yielded


def test_code_that_the_user_accepts_passes() -> None:
    assert judged(User())[0].outcome == "passed"


def test_code_that_the_user_does_not_accept_fails() -> None:
    assert judged(User("too slow"))[0].outcome == "failed"


def test_a_hint_is_the_message_of_the_users_own_check() -> None:
    found = judged(User("too slow"))[0].checks[-1]
    assert (found.check_id, found.outcome, found.message, found.judged) == ("human", "failed", "too slow", "user")


def test_the_user_is_asked_about_the_code_that_passed_the_rest() -> None:
    judged(user := User())
    assert user.asked == [(CODE.code, "passed")]


def test_the_user_is_not_asked_about_code_that_failed_a_check() -> None:
    judged(user := User(), holds=lambda code, check: False)
    assert user.asked == []


def test_a_question_that_was_not_asked_is_not_run() -> None:
    assert judged(User(), holds=lambda code, check: False)[0].checks[-1].outcome == "not_run"


def test_without_other_checks_the_user_alone_decides() -> None:
    assert judged(User(), Spec(checks=(QUESTION,)))[0].outcome == "passed"


def test_a_suspect_check_does_not_keep_the_user_from_being_asked() -> None:
    spec, holds = Spec(checks=(QUESTION, GENERATED)), lambda code, check: check.id != "c3"
    assert judged(User(), spec, holds)[0].outcome == "passed"


def test_the_results_are_in_the_order_of_the_spec() -> None:
    result, _ = judged(User(), Spec(checks=(QUESTION, CHECK)))
    assert [found.check_id for found in result.checks] == ["human", "c1"]


def test_the_users_verdict_comes_last() -> None:
    assert [found.check_id for found in judged(User(), Spec(checks=(QUESTION, CHECK)))[1]] == ["c1", "human"]


def test_a_spec_without_a_question_asks_nothing() -> None:
    judged(user := User(), Spec(checks=(CHECK,)))
    assert user.asked == []


def test_code_that_does_not_load_is_not_shown_to_the_user() -> None:
    class Broken(FakeExecutor):
        def execute(self, candidate, spec):
            yield from ()
            return ExecutionResult(outcome="invalid")

    judging = AskingExecutor(Broken(lambda code, check: True), user := User()).execute(CODE, Spec(checks=(QUESTION,)))
    with pytest.raises(StopIteration):
        next(judging)
    assert user.asked == []


def test_where_nobody_can_be_asked_the_run_is_refused() -> None:
    with pytest.raises(SpecError, match="nobody here to ask"):
        judged(nobody)


@pytest.mark.parametrize("answer", ["", "  ", "y", "Y", "yes", "ok"])
def test_a_yes_or_nothing_accepts(answer: str) -> None:
    assert hint(answer) is None


def test_any_other_answer_is_a_hint() -> None:
    assert hint(" no, it must sort \n") == "no, it must sort"


def test_a_problem_can_ask_the_user_last() -> None:
    checks = make_problem("Write f.", "assert f(1) == 1", ask=True).spec.checks
    assert [(check.id, check.kind) for check in checks] == [("c1", "call"), ("c2", "human")]


def test_a_problem_can_ask_the_user_alone() -> None:
    problem = make_problem("Write f.", ask=True, entry_point="f")
    assert ([check.kind for check in problem.spec.checks], problem.entry_point) == (["human"], "f")
