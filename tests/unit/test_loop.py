from __future__ import annotations

import pytest

from refine_magic.core import loop
from refine_magic.core.events import Judged, PhaseChanged, RunEnded, RunStarted, Token
from refine_magic.testing import ScriptedModel
from tests.unit.samples import Clock, Run, answer, code, run


def test_a_first_candidate_that_passes_ends_the_run() -> None:
    assert run(answer(1, 2, 3)).last.status == "passed"


def test_a_passing_candidate_is_never_followed_by_another() -> None:
    assert len(run(answer(1), answer(1, 2, 3), answer(1, 2)).model.requests) == 2


def test_the_last_iterations_code_is_returned_where_it_passes() -> None:
    assert run(answer(1), answer(1, 2, 3)).last.code == code(1, 2, 3)


def test_the_best_is_returned_where_the_last_is_worse() -> None:
    assert run(answer(1, 2), answer(1), max_iterations=2).last.code == code(1, 2)


def test_the_limit_of_iterations_ends_the_run() -> None:
    assert run(answer(), answer(1), answer(2), max_iterations=2).last.stop_reason == "max_iterations"


def test_a_refinement_is_made_from_the_best_and_not_from_the_last() -> None:
    made = run(answer(1, 2), answer(3), answer(1, 3), max_iterations=3)
    assert made.last.iterations[2].candidate.parent == 1


def test_the_code_that_is_sent_back_is_that_of_the_best() -> None:
    made = run(answer(1, 2), answer(3), answer(1, 3), max_iterations=3)
    assert code(1, 2) in made.model.requests[2][0][2].content


def test_a_check_that_passed_before_and_fails_now_is_marked_regressed() -> None:
    assert run(answer(1, 2), answer(3), max_iterations=2).last.iterations[1].regressed == ("c1", "c2")


def test_a_passing_candidate_gets_no_feedback() -> None:
    assert run(answer(1, 2, 3)).last.iterations[0].feedback is None


def test_a_failing_candidate_gets_feedback() -> None:
    feedback = run(answer(1), max_iterations=1).last.iterations[0].feedback
    assert feedback is not None and "2 == 4" not in feedback.text and "assert f(2) == 4" in feedback.text


def test_a_reply_without_code_is_asked_again_and_uses_no_iteration() -> None:
    made = run("I cannot.", answer(1, 2, 3), max_iterations=1)
    assert (made.last.status, len(made.last.iterations)) == ("passed", 1)


def test_the_model_is_told_that_its_reply_held_no_code() -> None:
    assert "held no code" in run("I cannot.", answer(1, 2, 3)).model.requests[1][0][-1].content


@pytest.mark.parametrize("reasks", [0, 1, 2])
def test_format_failures_end_the_run_after_the_reasks(reasks: int) -> None:
    made = run("I cannot.", max_reasks=reasks)
    assert (made.last.stop_reason, len(made.model.requests)) == ("format", reasks + 1)


def test_format_failures_use_no_iteration() -> None:
    assert run("I cannot.").last.iterations == ()


def test_a_candidate_gives_the_reasks_back() -> None:
    made = run("no", "no", answer(1), "no", "no", answer(1, 2, 3), max_reasks=2)
    assert made.last.status == "passed"


def test_a_cut_off_reply_is_never_executed() -> None:
    made = run("```python\ndef f(n):\n    return 1", finish_reason="length")
    assert (made.executor.executed, made.last.stop_reason) == ([], "format")


def test_a_cut_off_reply_is_rejected_as_cut_off() -> None:
    assert {r.reason for r in run("def f(n): return 1", finish_reason="length").last.rejections} == {"cut_off"}


def test_a_reply_cut_off_after_its_code_is_executed() -> None:
    assert run(answer(1, 2, 3) + "And so on", finish_reason="length").last.status == "passed"


def test_the_stream_is_closed_at_the_closing_fence() -> None:
    made = run(answer(1, 2, 3) + "Let me explain. " * 50)
    assert (made.model.closed, "explain" in made.last.iterations[0].candidate.completion) == (1, False)


def test_the_usage_of_a_reply_closed_early_is_an_estimate() -> None:
    assert run(answer(1, 2, 3) + "Let me explain. " * 50).last.usage.estimated


def test_a_model_that_repeats_itself_is_executed_once() -> None:
    assert len(run(answer(1)).executor.executed) == 1


def test_a_model_that_repeats_itself_ends_in_no_progress() -> None:
    assert run(answer(1)).last.stop_reason == "no_progress"


def test_the_same_code_in_another_layout_is_a_duplicate() -> None:
    made = run("```python\ndef f(n): return n\n```", "```python\n# a comment\ndef f(n):\n\n    return n\n```")
    assert made.last.rejections[0].reason == "duplicate"


def test_a_duplicate_is_asked_again_warmer() -> None:
    made = run(answer(1), answer(1), answer(1, 2, 3))
    temperatures = [options.temperature for _, options in made.model.requests]
    assert temperatures[0] == temperatures[1] < temperatures[2]


def test_each_request_of_a_run_has_a_seed_of_its_own() -> None:
    made = run("no", answer(1), answer(1), answer(2), answer(1, 2, 3))
    assert [options.seed for _, options in made.model.requests] == [0, 1, 2, 3, 4]


def test_the_context_size_is_the_same_for_a_whole_run() -> None:
    made = run("no", answer(1), answer(1), answer(2), answer(1, 2, 3), context_tokens=4096)
    assert {options.context_tokens for _, options in made.model.requests} == {4096}


def test_the_token_budget_ends_the_run() -> None:
    assert run(answer(1), answer(2), max_tokens=1).last.stop_reason == "budget"


def test_the_time_budget_ends_the_run() -> None:
    assert run(answer(1), answer(2), max_seconds=2).last.stop_reason == "budget"


def test_tokens_of_rejected_replies_count() -> None:
    assert run("I cannot.", max_reasks=0).last.usage.completion_tokens == 2


def test_the_first_event_starts_the_run_and_the_last_ends_it() -> None:
    events = run(answer(1), answer(1, 2, 3)).events
    assert (type(events[0]), type(events[-1])) == (RunStarted, RunEnded)


def test_the_pieces_of_text_come_before_the_verdict() -> None:
    kinds = [type(event) for event in run(answer(1, 2, 3)).events]
    assert kinds.index(Token) < kinds.index(Judged)


def test_closing_the_events_closes_the_models_stream() -> None:
    made = Run(ScriptedModel(answer(1)))
    events = loop.refine(made.start, made.parts, Clock())
    while not isinstance(next(events), Token):
        pass
    events.close()
    assert made.model.closed == 1


class SlowToLoad(ScriptedModel):
    def is_loaded(self) -> bool:
        return False


def test_a_model_that_must_be_loaded_is_shown_as_loading() -> None:
    made = Run(SlowToLoad(answer(1, 2, 3)))
    made()
    phases = [event.phase for event in made.events if isinstance(event, PhaseChanged)]
    assert phases == ["loading", "writing", "judging"]
