from __future__ import annotations

import pytest

from refine_magic.core import vetting
from refine_magic.specs import generated
from tests.unit import thirty
from tests.unit.thirty import Example, examples, study, vote

EXAMPLES = [pytest.param(one, id=one.name) for one in examples()]


def test_there_are_thirty_problems() -> None:
    assert len({one.name for one in examples()}) == 30


@pytest.mark.parametrize("one", EXAMPLES)
def test_the_right_solution_passes_the_right_checks_and_no_wrong_one(one: Example) -> None:
    right = {check.id for check in one.spec.checks} - one.wrong_ids
    assert vetting.passed(vote(one.solution, one.spec)) == right


@pytest.mark.parametrize("one", EXAMPLES)
def test_each_of_three_wrong_solutions_fails_a_right_check(one: Example) -> None:
    right = {check.id for check in one.spec.checks} - one.wrong_ids
    failing = {code for code in one.mistakes if right - vetting.passed(vote(code, one.spec))}
    assert len(failing) == 3


@pytest.mark.parametrize("one", EXAMPLES)
def test_a_wrong_solution_agrees_with_a_wrong_check(one: Example) -> None:
    assert any(one.wrong_ids & vetting.passed(vote(code, one.spec)) for code in one.mistakes)


@pytest.mark.parametrize("one", EXAMPLES)
def test_the_checks_are_of_the_form_that_a_model_is_asked_for(one: Example) -> None:
    sources = [check.source for check in one.spec.checks]
    assert all(generated.single_assert(source) for source in sources)


@pytest.mark.parametrize("right", [2, 3])
def test_with_two_or_three_right_candidates_most_wrong_checks_are_suspect(right: int) -> None:
    assert study(vetting.trust, right).recall >= 0.8


@pytest.mark.parametrize("right", [2, 3])
def test_with_two_or_three_right_candidates_no_right_check_is_suspect(right: int) -> None:
    assert study(vetting.trust, right).blamed == 0


def test_with_one_right_candidate_most_wrong_checks_are_suspect() -> None:
    assert study(vetting.trust, 1).recall >= 0.9


@pytest.mark.parametrize("right", [0, 1])
def test_more_wrong_checks_are_caught_than_by_the_plain_rule(right: int) -> None:
    plain = study(thirty.RULES["all three fail it"], right)
    assert study(vetting.trust, right).recall > 2 * plain.recall


def test_the_table_has_a_line_for_each_rule_and_mix(capsys: pytest.CaptureFixture[str]) -> None:
    thirty.main()
    assert len(capsys.readouterr().out.splitlines()) == 1 + 4 * len(thirty.RULES)
