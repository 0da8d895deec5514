from __future__ import annotations

import json
from dataclasses import replace

import pytest

from refine_magic.core.errors import ModelError, ModelUnavailable, SpecError
from refine_magic.core.events import ChecksVetted, PhaseChanged
from refine_magic.core.types import Trajectory
from refine_magic.specs import generated
from refine_magic.testing import FakeExecutor, ScriptedModel, fenced
from tests.unit import thirty
from tests.unit.samples import Run

A, B, C, WRONG = "assert f(3) == 9", "assert f(0) == 0", "assert f(-2) == 4", "assert f(5) == 10"
SQUARE, ALSO, TWICE = (fenced(f"f = lambda n: {body}") for body in ("n * n", "n ** 2", "n + n"))
REPLY = json.dumps({"checks": [A, B, C, WRONG]})


def play(*replies: str | BaseException, number: int = 0, entry_point: str | None = "f", **settings: object) -> Run:
    """A run without checks, or with so many of the user's, whose candidates are really judged."""
    made = Run(ScriptedModel(*replies), number, **settings)
    made.executor = FakeExecutor(thirty.holds)
    made.parts = replace(made.parts, executor=made.executor)
    problem = made.start.problem.model_copy(update={"entry_point": entry_point})
    made.start = made.start.model_copy(update={"problem": problem})
    made()
    return made


def trusts(run: Trajectory) -> list[str]:
    return [check.trust for check in run.problem.spec.checks]


def told(made: Run, words: str) -> list[bool]:
    """Whether the words stand in each request for code."""
    asked = [messages for messages, options in made.model.requests if options.purpose == "code"]
    return [any(words in message.content for message in messages) for messages in asked]


def test_the_checks_are_asked_for_first_and_with_a_schema() -> None:
    _, options = play(REPLY, SQUARE).model.requests[0]
    assert (options.purpose, options.json_schema) == ("checks", generated.SCHEMA)


def test_the_code_is_asked_for_without_a_schema() -> None:
    assert {options.json_schema is None for _, options in play(REPLY, SQUARE).model.requests[1:]} == {True}


def test_the_phase_says_that_checks_are_written() -> None:
    events = play(REPLY, SQUARE).events
    assert next(event.phase for event in events if isinstance(event, PhaseChanged)) == "checks"


def test_three_candidates_are_drawn_before_the_checks_are_believed() -> None:
    kinds = [event.kind for event in play(REPLY, SQUARE, TWICE, ALSO).events]
    steps = [kind for kind in kinds if kind in ("checks_written", "judged", "checks_vetted")]
    assert steps == ["checks_written", "judged", "judged", "judged", "checks_vetted"]


def test_the_candidates_are_independent_samples() -> None:
    made = play(REPLY, SQUARE, TWICE, ALSO)
    assert [it.candidate.move.kind for it in made.last.iterations] == ["sample"] * 3


def test_a_wrong_check_is_suspect_where_two_candidates_are_right() -> None:
    assert trusts(play(REPLY, SQUARE, TWICE, ALSO).last) == ["corroborated"] * 3 + ["suspect"]


def test_a_suspect_check_does_not_gate_the_verdict() -> None:
    assert play(REPLY, SQUARE, TWICE, ALSO).last.iterations[0].result.outcome == "passed"


def test_a_pass_on_generated_checks_alone_is_unverified() -> None:
    made = play(REPLY, SQUARE, TWICE, ALSO).last
    assert (made.status, made.stop_reason) == ("passed_unverified", "passed")


def test_the_best_is_the_one_that_the_believed_checks_pass() -> None:
    assert play(REPLY, TWICE, SQUARE, ALSO).last.best == 2


def test_a_duplicate_sample_is_a_vote() -> None:
    made = play(REPLY, SQUARE, SQUARE, TWICE)
    assert (made.last.status, len(made.executor.executed)) == ("passed_unverified", 2)


def test_no_generated_check_is_told_before_it_is_believed() -> None:
    assert [*told(play(REPLY, SQUARE, TWICE, ALSO), A)] == [False] * 3


def unsolved() -> Run:
    """Three candidates that agree and fail one check which most others pass, and then a refinement."""
    lists = [fenced(f"f = lambda n: {{3: 9, 0: {zero}, -2: 4}}.get(n)") for zero in (1, 2, 0)]
    return play(
        json.dumps({"checks": [A, B, C, WRONG]}),
        *lists[:2],
        TWICE,
        lists[2],
        number=1,
        generate_checks=4,
        max_iterations=5,
    )


def test_a_believed_check_is_told_after_the_vetting() -> None:
    assert set(told(unsolved(), A)[3:]) == {True}


def test_a_suspect_check_is_never_told() -> None:
    assert any(told(unsolved(), "f(5)")) is False


def test_a_refinement_follows_where_no_sample_passes() -> None:
    assert unsolved().last.iterations[3].candidate.move.kind == "refine"


def test_a_pass_on_the_users_checks_too_is_passed() -> None:
    assert play(REPLY, SQUARE, TWICE, ALSO, number=2, generate_checks=4).last.status == "passed"


def test_where_the_user_gave_checks_none_are_written_unasked() -> None:
    assert {options.purpose for _, options in play(SQUARE, number=2).model.requests} == {"code"}


def test_checks_are_written_besides_the_users_where_they_are_asked_for() -> None:
    made = play(REPLY, SQUARE, TWICE, ALSO, number=2, generate_checks=4).last
    assert [check.origin for check in made.problem.spec.checks] == ["user"] * 2 + ["generated"] * 4


def test_the_users_checks_choose_whose_vote_counts() -> None:
    made = play(json.dumps({"checks": [A, WRONG]}), TWICE, SQUARE, ALSO, number=3, generate_checks=4).last
    assert trusts(made)[3:] == ["suspect"]  # f(3) is the user's already


def test_none_corroborated_ends_in_no_progress() -> None:
    made = play(json.dumps({"checks": ["assert f(5) == 11"]}), SQUARE, TWICE, ALSO).last
    assert (made.status, made.stop_reason) == ("not_passed", "no_progress")


def test_where_none_is_corroborated_the_users_checks_still_decide() -> None:
    made = play(json.dumps({"checks": ["assert f(5) == 11"]}), SQUARE, TWICE, ALSO, number=2, generate_checks=3)
    assert made.last.status == "passed"


@pytest.mark.parametrize("most", [1, 2])
def test_a_limit_reached_before_the_vetting_leaves_a_pass_of_the_users_checks(most: int) -> None:
    made = play(REPLY, SQUARE, TWICE, ALSO, number=2, generate_checks=4, max_iterations=most)
    assert made.last.status == "passed"


def test_a_limit_reached_before_the_vetting_is_no_pass_on_generated_checks() -> None:
    assert play(REPLY, SQUARE, max_iterations=1).last.status == "not_passed"


def test_a_model_that_writes_no_checks_is_asked_twice() -> None:
    made = Run(ScriptedModel("I cannot."), 0)
    with pytest.raises(SpecError):
        made()
    assert len(made.model.requests) == 2


def test_a_model_that_writes_no_checks_leaves_a_word_on_what_to_do() -> None:
    with pytest.raises(SpecError, match="no checks, and the model wrote none that can be used: write some"):
        play("I cannot.")


def test_the_second_request_for_checks_is_another_one() -> None:
    (_, first), (_, second) = play("I cannot.", REPLY, SQUARE).model.requests[:2]
    assert first.seed != second.seed and first.temperature < second.temperature


def test_a_model_that_writes_no_checks_beside_the_users_is_no_error() -> None:
    assert play("no", "no", SQUARE, number=2, generate_checks=3).last.status == "passed"


def test_what_the_request_for_checks_cost_counts() -> None:
    wordy = play(REPLY + " " * 70, SQUARE).last.usage.completion_tokens
    assert wordy - play(REPLY, SQUARE).last.usage.completion_tokens == 10


def test_a_model_error_while_checks_are_written_says_that_there_are_none() -> None:
    with pytest.raises(ModelUnavailable, match="there are no checks, and the model was to write them: gone"):
        play(ModelUnavailable("gone"))


def test_a_model_error_while_checks_beside_the_users_are_written_speaks_for_itself() -> None:
    with pytest.raises(ModelError, match=r"^gone$"):
        play(ModelUnavailable("gone"), number=1, generate_checks=3)


def test_the_entry_point_is_found_from_the_generated_checks() -> None:
    assert play(REPLY, SQUARE, entry_point=None).last.problem.entry_point == "f"


def test_the_user_is_told_when_checks_are_suspect() -> None:
    vetted = next(e for e in play(REPLY, SQUARE, TWICE, ALSO).events if isinstance(e, ChecksVetted))
    assert vetted.trust["c4"] == "suspect"
