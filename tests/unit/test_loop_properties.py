from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.samples import Run, answer, run

REPLIES = st.one_of(
    st.builds(lambda passing, note: answer(*sorted(passing), note=note), st.sets(st.integers(1, 4)), st.integers(0, 2)),
    st.sampled_from(["I cannot.", "", "```python\ndef f(n", "def f(n):\n    return 0"]),
)
SCRIPTS = st.lists(REPLIES, min_size=1, max_size=8)


def played(script: list[str]) -> Run:
    return run(*script, number=4, max_iterations=6)


@given(SCRIPTS)
def test_the_best_never_has_fewer_checks_passed_than_any_iteration(script: list[str]) -> None:
    best = played(script).last.best_iteration
    assert all(best is not None and it.result.passed <= best.result.passed for it in played(script).last.iterations)


@given(SCRIPTS)
def test_the_earliest_of_equals_is_the_best(script: list[str]) -> None:
    last = played(script).last
    best = last.best_iteration
    assert best is None or all(it.result.passed < best.result.passed for it in last.iterations[: best.index - 1])


@given(SCRIPTS)
def test_a_passing_candidate_is_always_the_last(script: list[str]) -> None:
    assert all(it.result.outcome != "passed" for it in played(script).last.iterations[:-1])


@given(SCRIPTS)
def test_every_run_ends_with_a_status_and_a_reason(script: list[str]) -> None:
    last = played(script).last
    assert last.status in ("passed", "not_passed") and last.stop_reason is not None and last.draft is None


@given(SCRIPTS)
def test_passed_means_that_every_check_of_the_best_passed(script: list[str]) -> None:
    last = played(script).last
    assert last.passed == any(it.result.passed == 4 for it in last.iterations)


@given(SCRIPTS)
def test_no_code_is_executed_twice(script: list[str]) -> None:
    executed = played(script).executor.executed
    assert len(executed) == len(set(executed))


@given(SCRIPTS)
def test_every_request_is_an_iteration_or_a_rejection(script: list[str]) -> None:
    made = played(script)
    assert len(made.model.requests) == len(made.last.iterations) + len(made.last.rejections)


@given(SCRIPTS)
def test_the_number_of_rejections_in_a_row_is_bounded(script: list[str]) -> None:
    last = played(script).last
    counts = [sum(r.before == index for r in last.rejections) for index in range(1, len(last.iterations) + 2)]
    assert max(counts) <= 2 * last.settings.max_reasks + 1
