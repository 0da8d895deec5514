from __future__ import annotations

import pytest

from refine_magic import words
from refine_magic.core.types import Check, CheckResult, Continuation, Problem, Settings, Spec, Trajectory
from tests.unit.samples import answer, run

PLAYED = run(answer(1), answer(1, 2, 3)).last


def ended(status: str, reason: str | None = None, **update: object) -> Trajectory:
    return PLAYED.model_copy(update={"status": status, "stop_reason": reason, **update})


@pytest.mark.parametrize(
    ("status", "reason", "says"),
    [
        ("passed", "passed", "✓ Passed in 2 of 5 iterations, 3 of 3 checks"),
        (
            "passed_unverified",
            "passed",
            "? Passed, unverified, in 2 of 5 iterations: the model wrote the checks itself",
        ),
        ("interrupted", "interrupted", "■ Interrupted in iteration 3; the best so far: 3 of 3 checks"),
        ("not_passed", "max_iterations", "✗ Not passed after 2 iterations (the limit of iterations is reached)"),
        ("not_passed", "no_progress", "the model keeps giving the same code"),
        ("not_passed", "format", "no usable code"),
        ("not_passed", "budget", "the limit of seconds or tokens"),
    ],
)
def test_the_headline_says(status: str, reason: str, says: str) -> None:
    assert says in words.headline(ended(status, reason))


def test_the_headline_of_an_error_holds_its_message() -> None:
    assert "no Ollama answers" in words.headline(ended("error", "model_error", message="no Ollama answers"))


def test_the_headline_says_where_no_generated_check_is_believed() -> None:
    spec = Spec(checks=(Check(id="c1", source="assert f() == 1", origin="generated", trust="suspect"),))
    problem = Problem(id="p", prompt="x", spec=spec)
    assert "no two candidates agree" in words.headline(ended("not_passed", "no_progress", problem=problem, vetted=True))


def tallied(*checks: Check) -> str:
    results = tuple(CheckResult(check_id=check.id, outcome="passed") for check in checks)
    first = PLAYED.iterations[0]
    played = first.model_copy(update={"result": first.result.model_copy(update={"checks": results})})
    problem = Problem(id="p", prompt="x", spec=Spec(checks=checks))
    return words.tally(PLAYED.model_copy(update={"problem": problem}), played)


def test_held_out_checks_are_counted_apart() -> None:
    hidden = Check(id="c2", source="", visible=False)
    assert tallied(Check(id="c1", source=""), hidden) == "1 of 1 check, 1 of 1 held out"


def test_suspect_checks_are_counted_apart() -> None:
    suspect = Check(id="c2", source="", origin="generated", trust="suspect")
    assert tallied(Check(id="c1", source=""), suspect) == "1 of 1 check, 1 suspect"


def test_struck_checks_are_not_counted() -> None:
    assert tallied(Check(id="c1", source=""), Check(id="c2", source="", trust="struck")) == "1 of 1 check"


@pytest.mark.parametrize(
    ("source", "expected", "title"),
    [
        ("assert f(1) == 2", "2", "f(1)"),
        ("assert 2 == f(1)", "2", "f(1)"),
        ("assert f(1) == g(1)", "both sides equal", "f(1) == g(1)"),
        ("assert all(x > 0 for x in f(3))", "a true value", "all(x > 0 for x in f(3))"),
        ("assert f(1) == 2", None, "assert f(1) == 2"),
        (">>> f(1)\n2", "2", "f(1)"),
        ("def test_a():\n    assert f(1)", None, "def test_a(): ..."),
    ],
)
def test_the_title_of_a_check(source: str, expected: str | None, title: str) -> None:
    found = CheckResult(check_id="c1", outcome="passed", expected=expected)
    assert words.title(Check(id="c1", source=source), found) == title


def test_the_diff_keeps_what_is_the_same() -> None:
    assert words.diff("a\nb", "a\nc") == [(" ", "a"), ("-", "b"), ("+", "c")]


def test_the_figures_name_the_model() -> None:
    assert "scripted" in words.figures(PLAYED.model_copy(update={"model": "scripted", "settings": Settings()}))


def test_a_continuation_says_all_that_was_asked_for() -> None:
    step = Continuation(after=2, hint="mind zero", from_iteration=1, struck=("c3",))
    said = "Taken up again after iteration 2, from iteration 1, without c3, with the hint: mind zero"
    assert words.continuation(step) == said


def test_the_line_of_a_sample_says_so() -> None:
    sampled = run(answer(1), answer(2), answer(1, 2), samples=3, max_iterations=3).last
    assert "independent sample · temperature 0.8" in words.iteration_line(sampled, sampled.iterations[0])


def test_a_decorated_test_is_named_by_its_first_line_of_its_own():
    check = Check(id="c1", source="@pytest.mark.parametrize('x', [1])\ndef test_a(x):\n    assert f(x)", kind="program")
    assert words.title(check, CheckResult(check_id="c1", outcome="passed")) == "def test_a(x): ..."


def test_a_program_is_named_by_its_input():
    check = Check(id="c1", source='{"stdin": "2 3\\n", "stdout": "5\\n"}', kind="io")
    assert words.title(check, CheckResult(check_id="c1", outcome="passed")) == "with standard input '2 3\\n'"
