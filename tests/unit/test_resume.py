from __future__ import annotations

from collections.abc import Sequence

import pytest

from refine_magic import schema
from refine_magic.core.errors import ModelUnavailable, SpecError
from refine_magic.core.resume import resumed
from refine_magic.core.types import Trajectory
from refine_magic.testing import ScriptedModel
from tests.unit.samples import Run, answer, code, run

FAILED = run(answer(1, 2), answer(3), max_iterations=2).last
PASSED = run(answer(1, 2, 3)).last


def again(
    before: Trajectory,
    *replies: str,
    hint: str = "",
    from_iteration: int | None = None,
    strike: Sequence[str] = (),
    more: int | None = None,
) -> Run:
    """The run taken up from its record, as a file would hold it, and driven to its end."""
    made = Run(ScriptedModel(*replies))
    kept = schema.load(schema.dump(before))
    made.start = resumed(kept, hint=hint, from_iteration=from_iteration, strike=strike, more=more)
    made()
    return made


def asked(made: Run, request: int = 0) -> str:
    return "\n".join(message.content for message in made.model.requests[request][0])


def interrupted() -> Trajectory:
    made = Run(ScriptedModel(answer(1), KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        made()
    return made.last


def without_a_model() -> Trajectory:
    made = Run(ScriptedModel(answer(1), ModelUnavailable("gone")))
    with pytest.raises(ModelUnavailable):
        made()
    return made.last


def test_the_iterations_are_kept() -> None:
    assert again(FAILED, answer(1, 2, 3)).last.iterations[:2] == FAILED.iterations


def test_the_id_is_kept() -> None:
    assert again(FAILED, answer(1, 2, 3)).last.id == FAILED.id


def test_the_usage_goes_on() -> None:
    assert again(FAILED, answer(1, 2, 3)).last.usage.completion_tokens > FAILED.usage.completion_tokens


def test_the_best_so_far_is_refined() -> None:
    assert again(FAILED, answer(1, 2, 3)).last.iterations[2].candidate.parent == 1


def test_the_run_can_pass_then() -> None:
    assert again(FAILED, answer(1, 2, 3)).last.status == "passed"


def test_the_run_is_running_before_it_goes_on() -> None:
    made = resumed(FAILED)
    assert (made.status, made.stop_reason, made.message, made.draft) == ("running", None, "", None)


def test_code_that_was_judged_before_is_not_executed_again() -> None:
    assert again(FAILED, answer(3)).executor.executed == []


def test_three_more_candidates_are_tried_where_nothing_is_said() -> None:
    assert len(again(FAILED, *(answer(1, note=n) for n in range(9))).last.iterations) == 5


@pytest.mark.parametrize("more", [1, 2, 4])
def test_more_bounds_the_candidates(more: int) -> None:
    made = again(FAILED, *(answer(1, note=n) for n in range(9)), more=more)
    assert (len(made.last.iterations), made.last.stop_reason) == (2 + more, "max_iterations")


def test_more_must_be_at_least_one() -> None:
    with pytest.raises(SpecError, match="at least one"):
        resumed(FAILED, more=0)


def test_the_hint_is_told() -> None:
    assert "mind the edges" in asked(again(FAILED, answer(1, 2, 3), hint="  mind the edges\n"))


def test_the_hint_stays_in_every_later_request() -> None:
    made = again(FAILED, answer(1, note=5), answer(2, note=5), answer(1, 2, 3), hint="mind the edges")
    assert all("mind the edges" in asked(made, n) for n in range(3))


def test_the_hint_of_an_earlier_continuation_is_still_told() -> None:
    once = again(FAILED, answer(1, note=5), hint="first", more=1).last
    assert "first" in asked(again(once, answer(1, 2, 3), hint="second"))


def test_the_hint_reaches_a_draft_from_scratch() -> None:
    ended = run("I cannot.").last
    assert "mind the edges" in asked(again(ended, answer(1, 2, 3), hint="mind the edges"))


def test_the_hint_leaves_the_problem_at_the_beginning() -> None:
    first = again(FAILED, answer(1, 2, 3), hint="mind the edges").model.requests[0][0]
    assert first[:2] == FAILED.iterations[1].candidate.messages[:2]


def test_without_a_hint_nothing_is_said_of_the_user() -> None:
    assert "The user adds" not in asked(again(FAILED, answer(1, 2, 3)))


def test_a_branch_refines_the_iteration_that_is_named() -> None:
    made = again(FAILED, answer(1, 2, 3), from_iteration=2)
    assert (made.last.iterations[2].candidate.parent, code(3) in asked(made)) == (2, True)


def test_a_branch_goes_on_from_its_own_best() -> None:
    made = again(FAILED, answer(2, 3), answer(3, note=7), answer(1, 2, 3), from_iteration=2)
    assert [it.candidate.parent for it in made.last.iterations[2:]] == [2, 3, 3]


def test_the_best_of_the_run_is_not_lost_on_a_branch() -> None:
    assert again(FAILED, answer(3, note=7), from_iteration=2, more=1).last.best == 1


def test_a_branch_is_not_begun_with_the_samples_that_are_missing() -> None:
    stopped = run(answer(1), "no", samples=3).last
    assert again(stopped, answer(1, 2, 3), from_iteration=1).last.iterations[1].candidate.parent == 1


@pytest.mark.parametrize("iteration", [-1, 0, 3])
def test_an_iteration_that_there_is_not_is_refused(iteration: int) -> None:
    with pytest.raises(SpecError, match=f"there is no iteration {iteration}; there are 2"):
        resumed(FAILED, from_iteration=iteration)


@pytest.mark.parametrize("name", ["c3", "3"])
def test_a_check_is_struck_by_its_id_or_number(name: str) -> None:
    assert [check.trust for check in resumed(FAILED, strike=[name]).problem.spec.checks] == ["given"] * 2 + ["struck"]


@pytest.mark.parametrize("name", ["c4", "0", "", "f(3)"])
def test_a_check_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="there are: c1, c2, c3"):
        resumed(FAILED, strike=[name])


def test_a_struck_check_can_turn_the_run_into_a_pass() -> None:
    made = again(FAILED, answer(1), strike=["3"])
    assert (made.last.status, made.last.best, made.model.requests) == ("passed", 1, [])


def test_a_struck_check_does_not_gate_a_later_candidate() -> None:
    assert again(FAILED, answer(2, 3), strike=["1"]).last.status == "passed"


def test_a_struck_check_can_make_another_iteration_the_best() -> None:
    before = run(answer(1, 2), answer(3, note=1), answer(3), number=3, max_iterations=2).last
    assert resumed(before, strike=["1", "2"]).best == 2


def test_a_struck_check_is_not_in_the_problem_that_is_told() -> None:
    made = again(FAILED, answer(2), strike=["1"])
    assert "assert f(1)" not in made.model.requests[0][0][1].content


def test_a_struck_check_is_not_in_what_failed() -> None:
    made = again(FAILED, answer(1, note=3), from_iteration=2, strike=["1"])
    assert "assert f(1)" not in asked(made)


def test_a_check_stays_struck() -> None:
    once = again(FAILED, answer(1, note=5), strike=["1"], more=1).last
    assert [check.trust for check in resumed(once).problem.spec.checks] == ["struck", "given", "given"]


def test_all_checks_cannot_be_struck() -> None:
    with pytest.raises(SpecError, match="no check would be left"):
        resumed(FAILED, strike=["1", "2", "3"])


def test_all_but_one_struck_and_then_the_last_is_refused_too() -> None:
    with pytest.raises(SpecError, match="no check would be left"):
        resumed(resumed(FAILED, strike=["1", "2"]), strike=["3"])


@pytest.mark.parametrize(
    "ended",
    [
        pytest.param(run("I cannot.").last, id="format"),
        pytest.param(run(answer(1)).last, id="no_progress"),
        pytest.param(run(answer(1), answer(2), max_tokens=1).last, id="tokens"),
        pytest.param(run(answer(1), answer(2), max_seconds=2).last, id="seconds"),
        pytest.param(interrupted(), id="interrupted"),
        pytest.param(without_a_model(), id="model_error"),
    ],
)
def test_a_run_that_ended_without_a_pass_can_be_continued(ended: Trajectory) -> None:
    assert again(ended, answer(1, 2, 3)).last.status == "passed"


def test_a_limit_that_is_not_used_up_stays_as_it_is() -> None:
    ended = run(answer(1), answer(2), max_tokens=10_000, max_seconds=1000, max_iterations=2).last
    settings = resumed(ended).settings
    assert (settings.max_tokens, settings.max_seconds) == (10_000, 1000)


def test_the_reasks_begin_anew() -> None:
    assert len(again(run("I cannot.").last, "no").model.requests) == 3


def test_a_passed_run_without_a_hint_is_over_at_once() -> None:
    made = again(PASSED, answer(1))
    assert (made.last.status, made.model.requests) == ("passed", [])


def test_a_passed_run_with_a_hint_goes_on() -> None:
    assert len(again(PASSED, answer(1, 2, 3, note=1), hint="no recursion").last.iterations) == 2


def test_the_model_is_not_told_that_code_which_passes_is_wrong() -> None:
    told = asked(again(PASSED, answer(1, 2, 3, note=1), hint="no recursion"))
    assert "passes its checks" in told and "not right yet" not in told


def test_after_a_hint_only_a_later_pass_counts() -> None:
    made = again(PASSED, answer(1, note=1), answer(2, note=1), hint="no recursion", more=2).last
    assert (made.status, made.stop_reason) == ("not_passed", "max_iterations")


def test_after_a_hint_the_earlier_pass_stays_the_best_where_none_follows() -> None:
    assert again(PASSED, answer(1, note=1), hint="no recursion", more=1).last.best == 1


def test_after_a_hint_a_later_pass_is_the_best() -> None:
    assert again(PASSED, answer(1, 2, 3, note=1), hint="no recursion").last.code == code(1, 2, 3, note=1)


def test_a_passing_candidate_ends_the_continued_run() -> None:
    assert len(again(PASSED, answer(1, 2, 3, note=1), answer(1), hint="no recursion").model.requests) == 1


def test_a_continuation_is_written_down() -> None:
    (step,) = again(FAILED, answer(2, 3), hint="h", from_iteration=2, strike=["1"], more=2).last.continuations
    assert (step.after, step.hint, step.from_iteration, step.struck, step.more) == (2, "h", 2, ("c1",), 2)


def test_the_continued_record_can_be_saved_and_read() -> None:
    last = again(FAILED, answer(1, 2, 3), hint="mind the edges", strike=["3"]).last
    assert schema.load(schema.dump(last)) == last
