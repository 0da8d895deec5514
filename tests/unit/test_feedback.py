from __future__ import annotations

import pytest

from refine_magic.core.types import Check, CheckResult, ExecutionResult, Outcome, RemoteError, Spec
from refine_magic.feedback.annotated import OUTCOMES, Annotated
from refine_magic.feedback.quote import quote, shorten
from refine_magic.feedback.raw import Raw
from tests.unit.samples import checks

BOTH = pytest.mark.parametrize("strategy", [Annotated(), Raw()], ids=["annotated", "raw"])
SPEC = Spec(checks=checks(5))


def found(number: int, outcome: str = "failed", **fields: object) -> CheckResult:
    return CheckResult.model_validate({"check_id": f"c{number}", "outcome": outcome, **fields})


def explained(*results: CheckResult, spec: Spec = SPEC, outcome: Outcome = "failed", strategy=None) -> str:
    return (strategy or Annotated()).explain(spec, ExecutionResult(outcome=outcome, checks=results))


def test_what_was_expected_and_observed_is_told() -> None:
    text = explained(found(2, expected="4", observed="5"))
    assert "assert f(2) == 4\nexpected: 4\nobserved: 5\ndifference: off by +1" in text


def test_how_many_passed_is_told() -> None:
    assert explained(found(1, "passed"), found(2)).startswith("1 of 2 checks passed.")


@BOTH
def test_a_check_that_passed_is_not_told(strategy) -> None:
    assert "f(1)" not in explained(found(1, "passed"), found(2), strategy=strategy)


@BOTH
def test_only_the_first_failures_are_told(strategy) -> None:
    text = explained(*(found(n) for n in range(1, 6)), strategy=strategy)
    assert [f"f({n})" in text for n in range(1, 6)] == [True, True, True, False, False]


def test_the_number_of_the_other_failures_is_told() -> None:
    assert "2 more failed." in explained(*(found(n) for n in range(1, 6)))


@BOTH
def test_checks_that_were_not_run_come_last(strategy) -> None:
    text = explained(found(1, "not_run"), found(2), found(3, "not_run"), found(4), found(5), strategy=strategy)
    assert [f"f({n})" in text for n in range(1, 6)] == [False, True, False, True, True]


@BOTH
@pytest.mark.parametrize("hidden", [{"visible": False}, {"trust": "suspect", "origin": "generated"}])
def test_a_hidden_or_suspect_check_is_not_told(hidden: dict[str, object], strategy) -> None:
    secret = Check.model_validate({"id": "c1", "source": "assert f(77) == 1", **hidden})
    text = explained(found(1, expected="77", observed="3"), spec=Spec(checks=(secret,)), strategy=strategy)
    assert "77" not in text


@BOTH
def test_an_error_of_the_whole_code_is_told_by_its_traceback(strategy) -> None:
    error = RemoteError(ename="NameError", evalue="x", traceback=("Traceback:", "NameError: x"))
    text = strategy.explain(SPEC, ExecutionResult(outcome="error", error=error))
    assert "Traceback:\nNameError: x" in text


@BOTH
def test_an_error_without_a_traceback_is_told_by_its_name(strategy) -> None:
    text = explained(found(1, "error", error={"ename": "ZeroDivisionError", "evalue": "by zero"}), strategy=strategy)
    assert "ZeroDivisionError: by zero" in text


@pytest.mark.parametrize("outcome", sorted(OUTCOMES))
def test_an_outcome_of_the_whole_run_is_told_in_words(outcome: Outcome) -> None:
    assert explained(found(1, "not_run"), outcome=outcome).startswith(OUTCOMES[outcome])


def test_what_was_printed_is_told() -> None:
    assert "printed: hello" in explained(found(1, stdout="hello\n"))


def test_a_note_is_told() -> None:
    assert "note: an iterator" in explained(found(1, message="an iterator"))


@BOTH
@pytest.mark.parametrize("size", [10**3, 10**5, 10**6])
def test_feedback_is_bounded(strategy, size: int) -> None:
    long, error = "é`\n" * size, RemoteError(ename="E", evalue="v" * size, traceback=("t" * size,))
    big = [found(n, "error", expected=long, observed=long, message=long, stdout=long, error=error) for n in range(1, 6)]
    assert len(explained(*big, strategy=strategy)) < 6 * 1024


@BOTH
def test_an_error_that_is_too_long_is_bounded(strategy) -> None:
    error = RemoteError(ename="E", evalue="", traceback=("t" * 10**6,))
    assert len(strategy.explain(SPEC, ExecutionResult(outcome="error", error=error))) < 3 * 1024


@BOTH
def test_a_result_without_checks_is_still_told(strategy) -> None:
    assert explained(outcome="crashed", strategy=strategy).strip()


def test_a_huge_number_is_no_error() -> None:
    assert "difference: off by more than a float can hold" in explained(found(1, expected="0", observed="9" * 400))


def test_a_short_text_is_not_cut() -> None:
    assert shorten("abc", 3) == "abc"


def test_a_long_text_keeps_its_head_and_tail() -> None:
    assert shorten("a" * 10 + "b" * 10, 8) == "aaaa\n... 12 characters left out ...\nbbbb"


@pytest.mark.parametrize("text", ["plain", "```", "a ````` b", "```python\nx\n```", "`", ""])
def test_a_quoted_text_cannot_close_its_fence(text: str) -> None:
    fence = quote(text).split("\n")[-1]
    assert len(fence) >= 3 and fence not in text
