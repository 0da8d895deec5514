from __future__ import annotations

import pytest

from refine_magic.core.events import (
    CheckJudged,
    Judged,
    PhaseChanged,
    Rejected,
    RunEnded,
    RunStarted,
    Token,
    advance,
)
from refine_magic.core.types import Candidate, CheckResult, ExecutionResult, Iteration, Rejection, Trajectory, Usage
from tests.unit.samples import begin

WRITING = advance(advance(begin(), PhaseChanged(phase="writing", restart=True)), Token(text="ab"))
JUDGED = Judged(
    iteration=Iteration(
        index=1,
        candidate=Candidate(code="x", digest="x", usage=Usage(completion_tokens=3)),
        result=ExecutionResult(outcome="failed"),
    ),
    seconds=4.0,
)
REJECTED = Rejected(rejection=Rejection(before=1, reason="no_code", usage=Usage(completion_tokens=2)), seconds=3.0)


def draft(run: Trajectory):
    assert run.draft is not None
    return run.draft


def test_an_event_before_the_start_is_refused() -> None:
    with pytest.raises(ValueError, match="token came before run_started"):
        advance(None, Token(text="x"))


def test_the_start_gives_the_trajectory() -> None:
    assert advance(None, RunStarted(trajectory=begin())) == begin()


def test_pieces_of_text_add_up() -> None:
    assert draft(advance(WRITING, Token(text="c"))).text == "abc"


def test_a_new_phase_keeps_the_text() -> None:
    changed = draft(advance(WRITING, PhaseChanged(phase="judging")))
    assert (changed.phase, changed.text) == ("judging", "ab")


def test_a_restart_empties_the_draft() -> None:
    assert draft(advance(WRITING, PhaseChanged(phase="loading", restart=True))).text == ""


def test_checks_of_the_draft_add_up() -> None:
    found = CheckResult(check_id="c1", outcome="passed")
    assert draft(advance(WRITING, CheckJudged(result=found))).checks == (found,)


def test_the_draft_has_the_number_of_the_next_iteration() -> None:
    assert draft(advance(advance(WRITING, JUDGED), PhaseChanged(phase="writing", restart=True))).index == 2


@pytest.mark.parametrize("event", [JUDGED, REJECTED])
def test_a_verdict_or_a_rejection_ends_the_draft(event) -> None:
    assert advance(WRITING, event).draft is None


@pytest.mark.parametrize(("event", "tokens"), [(JUDGED, 3), (REJECTED, 2)])
def test_the_cost_of_every_reply_counts(event, tokens: int) -> None:
    assert advance(WRITING, event).usage.completion_tokens == tokens


def test_a_rejection_is_no_iteration() -> None:
    run = advance(WRITING, REJECTED)
    assert (len(run.rejections), run.iterations, run.best) == (1, (), None)


def test_a_judged_candidate_can_become_the_best() -> None:
    assert advance(WRITING, JUDGED).best == 1


def test_seconds_are_those_of_the_event() -> None:
    assert advance(WRITING, JUDGED).seconds == 4.0


@pytest.mark.parametrize("status", ["interrupted", "error"])
def test_an_unfinished_run_keeps_its_draft(status) -> None:
    assert draft(advance(WRITING, RunEnded(status=status, stop_reason=None, seconds=1))).text == "ab"


def test_a_finished_run_has_no_draft() -> None:
    assert advance(WRITING, RunEnded(status="passed", stop_reason="passed", seconds=1)).draft is None


def test_advance_leaves_the_trajectory_it_was_given_alone() -> None:
    before = WRITING.model_dump_json()
    advance(WRITING, JUDGED)
    assert before == WRITING.model_dump_json()


def test_usage_adds_up_and_stays_an_estimate() -> None:
    total = Usage(prompt_tokens=1, estimated=True) + Usage(prompt_tokens=2, finish_reason="stop")
    assert (total.prompt_tokens, total.estimated, total.finish_reason) == (3, True, "stop")
