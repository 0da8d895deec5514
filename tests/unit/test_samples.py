from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.samples import Run, answer, code, run

REPLIES = st.one_of(
    st.builds(lambda passing, note: answer(*sorted(passing), note=note), st.sets(st.integers(1, 3)), st.integers(0, 2)),
    st.sampled_from(["I cannot.", "", "```python\ndef f(n"]),
)
SCRIPTS = st.lists(REPLIES, min_size=1, max_size=12)
REASKS = st.integers(0, 3)


def kinds(made: Run) -> list[str]:
    return [it.candidate.move.kind for it in made.last.iterations]


def temperatures(made: Run) -> list[float]:
    return [options.temperature for _, options in made.model.requests]


@pytest.mark.parametrize("samples", [2, 3, 5])
def test_so_many_samples_are_drawn_first(samples: int) -> None:
    made = run(*(answer(1, note=n) for n in range(samples)), answer(1, 2, 3), samples=samples, max_iterations=9)
    assert kinds(made)[: samples + 1] == ["sample"] * samples + ["refine"]


def test_one_sample_is_a_draft() -> None:
    assert kinds(run(answer(1, 2, 3), samples=1)) == ["draft"]


def test_samples_are_drawn_at_their_own_temperature() -> None:
    made = run(*(answer(n) for n in (1, 2, 3)), answer(1, 2, 3), samples=3, temperature=0.1, sample_temperature=0.9)
    assert temperatures(made) == [0.9, 0.9, 0.9, 0.1]


def test_one_sample_is_drawn_at_the_base_temperature() -> None:
    assert temperatures(run(answer(1, 2, 3), samples=1, temperature=0.1, sample_temperature=0.9)) == [0.1]


def test_the_samples_do_not_know_of_each_other() -> None:
    made = run(answer(1), answer(2), answer(3), samples=3, max_iterations=3)
    assert len({messages for messages, _ in made.model.requests}) == 1


def test_each_sample_has_a_seed_of_its_own() -> None:
    made = run(answer(1), answer(2), answer(3), samples=3, max_iterations=3)
    assert len({options.seed for _, options in made.model.requests}) == 3


@pytest.mark.parametrize("best", [1, 2, 3])
def test_the_best_sample_is_refined(best: int) -> None:
    drawn = [answer(1, 2) if n == best else answer(3, note=n) for n in (1, 2, 3)]
    assert run(*drawn, answer(1, 2, 3), samples=3).last.iterations[3].candidate.parent == best


def test_the_code_of_the_best_sample_is_sent_back() -> None:
    made = run(answer(1), answer(1, 2), answer(3), answer(1, 2, 3), samples=3)
    assert code(1, 2) in made.model.requests[3][0][2].content


def test_a_sample_that_passes_stops_the_run_at_once() -> None:
    made = run(answer(1), answer(1, 2, 3), answer(2), samples=5)
    assert (made.last.status, len(made.model.requests)) == ("passed", 2)


def test_a_duplicate_sample_is_not_executed_again() -> None:
    assert len(run(answer(1), answer(1), answer(2), answer(1, 2, 3), samples=3).executor.executed) == 3


def test_a_duplicate_sample_counts_as_one_of_them() -> None:
    made = run(answer(1), answer(1), answer(2), answer(1, 2, 3), samples=3)
    assert kinds(made) == ["sample", "sample", "refine"]


def test_a_duplicate_sample_does_not_raise_the_temperature() -> None:
    made = run(answer(1), answer(1), answer(1), answer(1, 2, 3), samples=3, temperature=0.1, sample_temperature=0.9)
    assert temperatures(made) == [0.9, 0.9, 0.9, 0.1]


def test_samples_that_fail_alike_ask_for_no_fresh_draft() -> None:
    made = run(*(answer(1, note=n) for n in range(3)), answer(1, 2, 3), samples=3)
    assert kinds(made)[3] == "refine"


def test_a_sample_without_code_is_asked_again_with_a_complaint() -> None:
    made = run("no", answer(1), answer(1, 2, 3), samples=2)
    assert "held no code" in made.model.requests[1][0][-1].content


def test_samples_without_code_end_the_run_within_the_reasks() -> None:
    made = run("no", samples=5, max_reasks=2)
    assert (made.last.stop_reason, len(made.model.requests)) == ("format", 3)


def test_samples_use_iterations() -> None:
    made = run(*(answer(1, note=n) for n in range(9)), samples=5, max_iterations=3)
    assert (len(made.last.iterations), made.last.stop_reason) == (3, "max_iterations")


@given(SCRIPTS, st.integers(1, 6), st.integers(1, 6), REASKS)
def test_the_number_of_requests_is_bounded(script: list[str], samples: int, most: int, reasks: int) -> None:
    made = run(*script, samples=samples, max_iterations=most, max_reasks=reasks)
    assert len(made.model.requests) <= most + samples + (most + 1) * (2 * reasks + 1)


@given(SCRIPTS, st.integers(1, 6))
def test_no_sample_is_executed_twice(script: list[str], samples: int) -> None:
    executed = run(*script, samples=samples).executor.executed
    assert len(executed) == len(set(executed))


@given(SCRIPTS, st.integers(1, 6))
def test_no_more_samples_are_drawn_than_were_asked_for(script: list[str], samples: int) -> None:
    last = run(*script, samples=samples, max_iterations=9).last
    duplicates = [r for r in last.rejections if r.reason == "duplicate" and r.kind == "sample"]
    assert kinds_of(last.iterations).count("sample") + len(duplicates) <= samples


def kinds_of(iterations) -> list[str]:  # type: ignore[no-untyped-def]
    return [it.candidate.move.kind for it in iterations]
