from __future__ import annotations

import pytest

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check, CheckResult, ExecutionResult, Spec, Trajectory
from refine_magic.feedback.annotated import Annotated
from refine_magic.feedback.raw import Raw
from refine_magic.feedback.summary import Summary
from refine_magic.prompting.messages import problem
from refine_magic.specs.gather import Text
from refine_magic.specs.problem import make_problem
from refine_magic.specs.recorded import parse


def one(line: str, entry_point: str | None = "f") -> str:
    ((check,), _) = parse(line, entry_point)
    return check.source


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ('{"input": 2, "output": 4}', "assert f(2) == 4"),
        ('{"input": [1, 2], "output": null}', "assert f([1, 2]) is None"),
        ('{"input": "it\'s", "output": true}', 'assert f("it\'s") == True'),
        ('{"args": [1, 2], "output": 3}', "assert f(1, 2) == 3"),
        ('{"args": [1], "kwargs": {"key": "a"}, "output": {"a": [1.5]}}', "assert f(1, key='a') == {'a': [1.5]}"),
        ('{"args": [], "output": 0}', "assert f() == 0"),
        ('{"input": Infinity, "output": -Infinity}', "assert f(float('inf')) == float('-inf')"),
        ('{"input": [NaN], "output": 0}', "assert f([float('nan')]) == 0"),
        ('{"function": "g", "input": 2, "output": 4}', "assert g(2) == 4"),
        ('{"call": "g( 1,2 )", "result": 3}', "assert g(1, 2) == 3"),
        ('{"call": "g(1)", "returns": 3}', "assert g(1) == 3"),
        ('{"call": "Stack().pop(1)", "expected": 3}', "assert Stack().pop(1) == 3"),
        ('{"call": "g(1)", "repr": "(1, {2})"}', "assert g(1) == (1, {2})"),
        ('{"call": "g(-1)", "raises": "ValueError"}', "with pytest.raises(ValueError):\n    g(-1)"),
        ('{"call": "g(-1)", "raises": "ValueError: negative"}', "with pytest.raises(ValueError):\n    g(-1)"),
    ],
)
def test_a_record_is_a_check(line: str, source: str) -> None:
    assert one(line) == source


def test_blank_lines_are_none() -> None:
    assert len(parse('\n{"input": 2, "output": 4}\n\n{"input": 3, "output": 9}\n', "f")[0]) == 2


def test_a_line_separator_in_a_text_does_not_end_its_line() -> None:
    assert len(parse('{"input": "a\u2028b", "output": 4}', "f")[0]) == 1


def test_what_must_raise_needs_pytest() -> None:
    assert parse('{"call": "g(-1)", "raises": "ValueError"}')[1] == "import pytest"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "not JSON"),
        ("[1]", "no object"),
        ('{"input": 2}', "neither an output nor what it raises"),
        ('{"in": 2, "output": 4}', "in: not known here"),
        ('{"input": 2, "args": [2], "output": 4}', "input is the one argument"),
        ('{"args": 2, "output": 4}', "args must be a list"),
        ('{"call": "f(", "output": 4}', "is no call"),
        ('{"call": "f(1) + 1", "output": 4}', "is no call"),
        ('{"call": "f-g", "output": 4}', "no function's name"),
        ('{"call": "f(1)", "raises": "no name"}', "no exception's name"),
        ('{"call": "f(1)", "repr": "<object>"}', "is no literal"),
        ('{"call": "f(1)", "output": [NaN]}', "NaN equals nothing"),
        ('{"stdin": "2", "stdout": 4}', "as texts"),
    ],
)
def test_a_wrong_record_is_refused_with_its_line(line: str, says: str) -> None:
    with pytest.raises(SpecError, match=f"line 2: .*{says}"):
        parse(f'{{"input": 2, "output": 4}}\n{line}', "f")


def test_a_pair_that_nobody_names_is_refused() -> None:
    with pytest.raises(SpecError, match="name it with --entry-point"):
        parse('{"input": 2, "output": 4}')


def test_a_pair_calls_what_the_other_checks_call() -> None:
    pairs = Text('{"input": 3, "output": 9}', "recorded")
    checks = make_problem("Write it.", "assert square(2) == 4", more=[pairs]).spec.checks
    assert checks[1].source == "assert square(3) == 9"


def test_a_pair_calls_the_entry_point_that_is_given() -> None:
    pairs = Text('{"input": 3, "output": 9}', "recorded")
    assert make_problem("Write it.", more=[pairs], entry_point="sq").spec.checks[0].source == "assert sq(3) == 9"


def test_pairs_below_the_dashes_are_known_by_their_look() -> None:
    assert len(make_problem("Write f. f(1) -> 1", '{"input": 3, "output": 9}').spec.checks) == 2


def test_a_program_is_recorded_as_its_input_and_output() -> None:
    ((check,), _) = parse('{"stdin": "2\\n", "stdout": "4\\n"}')
    assert (check.kind, check.source) == ("io", '{"stdin": "2\\n", "stdout": "4\\n"}')


def test_programs_need_no_entry_point() -> None:
    made = make_problem("Double the number.", '{"stdin": "2", "stdout": "4"}')
    assert (made.entry_point, [check.kind for check in made.spec.checks]) == (None, ["io"])


PROGRAM = Check(id="c1", source='{"stdin": "2\\n", "stdout": "4\\n"}', kind="io")


def test_the_model_is_asked_for_a_whole_program() -> None:
    told = problem(Trajectory(id="r", problem=make_problem("Double it.", PROGRAM.source)))
    assert told.endswith("exactly so:\n\nInput:\n```text\n2\n```\nOutput:\n```text\n4\n```")


def test_a_spec_without_programs_says_nothing_of_them() -> None:
    assert "standard input" not in problem(Trajectory(id="r", problem=make_problem("w", "assert f(1) == 2")))


@pytest.mark.parametrize("strategy", [Annotated(), Raw(), Summary()])
def test_the_feedback_tells_what_a_program_was_given_and_wrote(strategy: Annotated | Raw | Summary) -> None:
    found = CheckResult(check_id="c1", outcome="failed", expected=r"'4\n'", observed=r"'5\n'")
    told = strategy.explain(Spec(checks=(PROGRAM,)), ExecutionResult(outcome="failed", checks=(found,)))
    assert all(each in told for each in (r"standard input '2\n'", r"'4\n'", r"'5\n'")) and "stdin" not in told
