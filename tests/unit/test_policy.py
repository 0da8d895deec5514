from __future__ import annotations

import pytest

from refine_magic.core import policy, standing
from refine_magic.core.types import (
    Candidate,
    Check,
    CheckOutcome,
    CheckResult,
    ExecutionResult,
    Iteration,
    Move,
    Rejection,
    RemoteError,
    Spec,
    Trajectory,
    Unusable,
    Usage,
)
from tests.unit.samples import begin, checks, problem

SPEC = Spec(checks=checks(2))


def results(*outcomes: CheckOutcome) -> tuple[CheckResult, ...]:
    return tuple(CheckResult(check_id=f"c{n}", outcome=outcome) for n, outcome in enumerate(outcomes, 1))


def iteration(index: int, *outcomes: CheckOutcome, observed: str | None = None) -> Iteration:
    found = tuple(check.model_copy(update={"observed": observed}) for check in results(*outcomes))
    passed = bool(outcomes) and all(outcome == "passed" for outcome in outcomes)
    result = ExecutionResult(outcome="passed" if passed else "failed", checks=found)
    move = Move(kind="draft" if index == 1 else "refine")
    return Iteration(index=index, candidate=Candidate(code="", digest=str(index), move=move), result=result)


def after(*iterations: Iteration, rejected: tuple[Unusable, ...] = (), **settings: object) -> Trajectory:
    waiting = tuple(Rejection(before=len(iterations) + 1, reason=reason, kind="refine") for reason in rejected)
    update = {"iterations": iterations, "rejections": waiting, "best": standing.best(SPEC, iterations)}
    return begin(**settings).model_copy(update=update)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        (("passed", "passed"), "passed"),
        (("passed", "failed"), "failed"),
        (("passed",), "failed"),
        ((), "failed"),
        (("passed", "not_run"), "failed"),
        (("passed", "error"), "failed"),
        (("passed", "timeout"), "timeout"),
    ],
)
def test_only_a_pass_from_every_check_is_a_pass(outcomes, verdict) -> None:
    assert standing.verdict(SPEC, results(*outcomes)) == verdict


def test_a_spec_without_checks_cannot_be_passed() -> None:
    assert standing.verdict(Spec(), ()) == "failed"


def test_a_suspect_check_does_not_gate_the_verdict() -> None:
    doubtful = Check(id="c3", source="assert f(3) == 8", origin="generated", trust="suspect")
    assert standing.verdict(Spec(checks=(*SPEC.checks, doubtful)), results("passed", "passed", "failed")) == "passed"


def test_a_spec_of_suspect_checks_alone_cannot_be_passed() -> None:
    doubtful = Check(id="c1", source="assert f(3) == 8", origin="generated", trust="suspect")
    assert standing.verdict(Spec(checks=(doubtful,)), results("passed")) == "failed"


def test_a_result_for_an_unknown_check_counts_for_nothing() -> None:
    assert standing.verdict(SPEC, (CheckResult(check_id="other", outcome="passed"),)) == "failed"


def test_nothing_is_the_best_of_nothing() -> None:
    assert standing.best(SPEC, ()) is None


def test_the_best_has_the_most_checks_passed() -> None:
    assert standing.best(SPEC, [iteration(1, "failed", "failed"), iteration(2, "passed", "failed")]) == 2


def test_the_earliest_wins_a_tie() -> None:
    assert standing.best(SPEC, [iteration(1, "passed", "failed"), iteration(2, "failed", "passed")]) == 1


def test_nothing_regresses_in_the_first_iteration() -> None:
    assert standing.regressed(None, iteration(1, "failed").result) == ()


def test_a_check_that_is_not_run_any_more_regressed() -> None:
    assert standing.regressed(iteration(1, "passed").result, iteration(2, "not_run").result) == ("c1",)


def test_the_same_observation_is_the_same_failure() -> None:
    first, second = iteration(1, "failed", observed="1"), iteration(2, "failed", observed="1")
    assert standing.repeats(after(first, second)) == 1


def test_another_observation_is_another_failure() -> None:
    first, second = iteration(1, "failed", observed="1"), iteration(2, "failed", observed="2")
    assert standing.repeats(after(first, second)) == 0


def test_another_error_is_another_failure() -> None:
    def raised(name: str) -> tuple[object, ...]:
        return standing.signature(ExecutionResult(outcome="error", error=RemoteError(ename=name, evalue="")))

    assert raised("NameError") != raised("TypeError")


def test_the_first_move_is_a_draft_at_the_base_temperature() -> None:
    move = policy.next_move(begin(temperature=0.4))
    assert (move.kind, move.temperature, move.complaint) == ("draft", 0.4, None)


def test_after_a_failure_the_best_is_refined_at_the_base_temperature() -> None:
    move = policy.next_move(after(iteration(1, "failed")))
    assert (move.kind, move.temperature) == ("refine", 0.2)


def test_the_same_failure_twice_asks_for_a_fresh_draft() -> None:
    assert policy.next_move(after(iteration(1, "failed"), iteration(2, "failed"))).kind == "redraft"


def test_a_duplicate_refines_warmer() -> None:
    move = policy.next_move(after(iteration(1, "failed"), rejected=("duplicate",)))
    assert (move.kind, move.temperature) == ("refine", 0.5)


def test_a_second_duplicate_asks_for_a_fresh_draft() -> None:
    assert policy.next_move(after(iteration(1, "failed"), rejected=("duplicate", "duplicate"))).kind == "redraft"


def test_the_temperature_stays_below_the_ceiling() -> None:
    run = after(iteration(1, "failed"), rejected=("duplicate",) * 9, temperature_ceiling=0.9)
    assert policy.next_move(run).temperature == 0.9


def test_a_base_temperature_above_the_ceiling_is_kept() -> None:
    assert policy.next_move(begin(temperature=1.5)).temperature == 1.5


@pytest.mark.parametrize("reason", ["no_code", "cut_off"])
def test_the_next_request_complains_of_a_format_failure(reason: Unusable) -> None:
    assert policy.next_move(after(rejected=(reason,))).complaint == reason


def test_the_next_request_does_not_complain_of_a_duplicate() -> None:
    assert policy.next_move(after(iteration(1, "failed"), rejected=("no_code", "duplicate"))).complaint is None


def test_format_failures_do_not_raise_the_temperature() -> None:
    assert policy.next_move(after(rejected=("no_code", "cut_off"))).temperature == 0.2


def test_rejections_before_the_last_candidate_are_forgotten() -> None:
    run = after(iteration(1, "failed")).model_copy(update={"rejections": (Rejection(before=1, reason="no_code"),) * 9})
    assert policy.stop_reason(run, 0) is None


@pytest.mark.parametrize(
    ("run", "seconds", "reason"),
    [
        (after(), 1e9, None),
        (after(iteration(1, "passed"), max_iterations=1), 0, "passed"),
        (after(iteration(1, "failed"), max_iterations=1), 0, "max_iterations"),
        (after(max_seconds=5), 5, "budget"),
        (after(max_seconds=5), 4.9, None),
        (after(rejected=("no_code",) * 2), 0, None),
        (after(rejected=("no_code",) * 3), 0, "format"),
        (after(rejected=("no_code", "cut_off", "no_code")), 0, "format"),
        (after(iteration(1, "failed"), rejected=("duplicate",) * 2), 0, None),
        (after(iteration(1, "failed"), rejected=("duplicate",) * 3), 0, "no_progress"),
        (after(rejected=("no_code",), max_reasks=0), 0, "format"),
    ],
)
def test_the_run_stops_for_its_reason(run: Trajectory, seconds: float, reason: str | None) -> None:
    assert policy.stop_reason(run, seconds) == reason


def test_prompt_tokens_count_for_the_budget() -> None:
    run = after(max_tokens=10).model_copy(update={"usage": Usage(prompt_tokens=8, completion_tokens=2)})
    assert policy.stop_reason(run, 0) == "budget"


def test_a_pass_on_generated_checks_alone_is_unverified() -> None:
    generated = tuple(check.model_copy(update={"origin": "generated"}) for check in checks(2))
    run = begin().model_copy(update={"problem": problem().model_copy(update={"spec": Spec(checks=generated)})})
    assert policy.status(run, "passed") == "passed_unverified"


def test_any_other_reason_is_not_passed() -> None:
    assert policy.status(begin(), "no_progress") == "not_passed"
