from __future__ import annotations

from refine_magic.core.types import Check, CheckResult, ExecutionResult, RemoteError, Spec
from refine_magic.feedback.annotated import Annotated
from refine_magic.feedback.trace import Trace

SPEC = Spec(checks=(Check(id="c1", source="assert f(2) == 4"),))
ERROR = RemoteError(ename="E", evalue="v", traceback=("line 3",), locals={"n": "3", "total": "[0,\n1]"})


def explained(strategy: Annotated, error: RemoteError | None) -> str:
    found = CheckResult(check_id="c1", outcome="error" if error else "failed", expected="4", observed="5", error=error)
    return strategy.explain(SPEC, ExecutionResult(outcome="failed", checks=(found,)))


def test_the_locals_at_the_failing_line_are_told_one_in_a_line() -> None:
    assert "locals at the failing line:\n  n = 3\n  total = [0,\\n1]" in explained(Trace(), ERROR)


def test_the_traceback_is_told_too() -> None:
    assert "line 3" in explained(Trace(), ERROR)


def test_at_most_twelve_locals_are_told() -> None:
    many = ERROR.model_copy(update={"locals": {f"x{n}": "1" for n in range(20)}})
    assert explained(Trace(), many).count(" = 1") == 12


def test_the_locals_of_an_error_of_the_whole_code_are_told() -> None:
    assert "n = 3" in Trace().explain(SPEC, ExecutionResult(outcome="error", error=ERROR))


def test_a_wrong_value_is_told_as_annotated_tells_it() -> None:
    assert explained(Trace(), None) == explained(Annotated(), None)


def test_annotated_does_not_tell_the_locals() -> None:
    assert "n = 3" not in explained(Annotated(), ERROR)
