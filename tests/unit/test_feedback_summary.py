from __future__ import annotations

import pytest

from refine_magic.core.types import Check, CheckResult, ExecutionResult, RemoteError, Spec
from refine_magic.feedback.summary import Summary, sentence

CHECK = Check(id="c1", source="assert f(2) == 4")
ERROR = RemoteError(ename="ZeroDivisionError", evalue="division by zero")


def said(check: Check = CHECK, outcome: str = "failed", **fields: object) -> str:
    return sentence(check, CheckResult.model_validate({"check_id": check.id, "outcome": outcome, **fields}))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"expected": "4", "observed": "5"}, "f(2) gave 5 instead of 4 (off by +1)."),
        ({"expected": "'a'", "observed": "None"}, "f(2) gave None instead of 'a' (expected a str, got None)."),
        ({"expected": "[1]", "observed": "[\n1]"}, "f(2) gave [\\n1] instead of [1]."),
        ({"outcome": "error", "expected": "4", "error": ERROR}, "f(2) raised ZeroDivisionError: division by zero."),
        ({"outcome": "timeout"}, "assert f(2) == 4 did not finish in time."),
        ({"outcome": "not_run"}, "assert f(2) == 4 was not tried, because of the failure before it."),
        ({}, "assert f(2) == 4 did not hold."),
        ({"message": "an iterator"}, "assert f(2) == 4 did not hold (an iterator)."),
    ],
)
def test_a_failure_is_a_sentence(fields: dict[str, object], words: str) -> None:
    assert said(**fields) == words


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"observed": "returned 1"}, "f(-1) returned 1 instead of raising ValueError."),
        ({"observed": "ZeroDivisionError: division by zero", "error": ERROR},
         "f(-1) raised ZeroDivisionError: division by zero instead of ValueError."),
    ],
)  # fmt: skip
def test_what_must_raise_is_a_sentence(fields: dict[str, object], words: str) -> None:
    check = Check(id="c1", source="with pytest.raises(ValueError):\n    f(-1)", kind="raises")
    assert said(check, expected="ValueError", **fields) == words


def test_a_traceback_is_not_told() -> None:
    error = ERROR.model_copy(update={"traceback": ("File x, line 3", "secret source")})
    result = ExecutionResult(outcome="error", error=error)
    assert "secret source" not in Summary().explain(Spec(checks=(CHECK,)), result)


def test_an_error_of_the_whole_code_is_a_sentence() -> None:
    text = Summary().explain(Spec(checks=(CHECK,)), ExecutionResult(outcome="error", error=ERROR))
    assert "The code raised ZeroDivisionError: division by zero before any check could run." in text
