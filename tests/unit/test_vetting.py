from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine_magic.core import vetting
from refine_magic.core.types import Candidate, Check, CheckResult, ExecutionResult, Iteration, Spec

IDS = [f"c{n}" for n in range(1, 6)]
SPEC = Spec(checks=tuple(Check(id=n, source=f"assert f('{n}')", origin="generated", trust="suspect") for n in IDS))
USERS = Check(id="u", source="assert f(0)")
OPINIONS = st.lists(st.sets(st.sampled_from(IDS)), max_size=6)


def vote(*passing: object) -> Iteration:
    ids = {f"c{name}" if isinstance(name, int) else str(name) for name in passing}
    results = [
        CheckResult.model_validate({"check_id": n, "outcome": "passed" if n in ids else "failed"}) for n in [*IDS, "u"]
    ]
    return Iteration(
        index=1,
        candidate=Candidate(code="", digest=""),
        result=ExecutionResult(outcome="failed", checks=tuple(results)),
    )


def believed(spec: Spec, *votes: Iteration) -> list[int]:
    return [int(name[1:]) for name, trust in vetting.trust(spec, votes).items() if trust == "corroborated"]


@pytest.mark.parametrize(
    ("votes", "checks"),
    [
        ([], []),
        ([[1, 2]], []),
        ([[1, 2], [1, 2]], [1, 2]),
        ([[1, 2], [2, 3]], [2]),
        ([[1, 2], [1, 2], [1, 2, 3]], [1, 2]),
        ([[1, 2], [1, 2], [3, 4, 5]], [1, 2]),
        ([[1, 2], [1, 3], [2, 3]], [1, 2, 3]),
        ([[1], [2], [3]], []),
        ([[1, 2, 3, 4, 5], [1], [2]], [1, 2]),
        ([[], [1, 2], [1, 2]], [1, 2]),
        ([[], [1, 2], [2, 3]], [2]),
        ([[], [], [1, 2]], []),
        ([[], [], []], []),
        ([[1, 2], [1, 2], [2, 3], [2, 3]], [2]),
        ([[1, 2, 3], [1, 2, 3], [4], [4], [4]], [1, 2, 3]),
        ([[1, 2, 3], [1, 2, 3], [1, 4], [2, 4], [3, 4]], [1, 2, 3]),
    ],
    ids=str,
)
def test_checks_are_believed_together(votes: list[list[int]], checks: list[int]) -> None:
    assert believed(SPEC, *(vote(*passing) for passing in votes)) == checks


def test_only_candidates_that_pass_the_users_checks_vote() -> None:
    spec = Spec(checks=(USERS, *SPEC.checks))
    assert believed(spec, vote("u", 1), vote("u", 1), vote(2, 3, 4), vote(2, 3, 4)) == [1]


def test_one_candidate_that_passes_the_users_checks_corroborates_nothing() -> None:
    assert believed(Spec(checks=(USERS, *SPEC.checks)), vote("u", 1), vote(1, 2), vote(1, 2)) == []


def test_all_vote_where_none_passes_the_users_checks() -> None:
    assert believed(Spec(checks=(USERS, *SPEC.checks)), vote(1), vote(1), vote(2)) == [1]


def test_a_struck_check_of_the_users_does_not_choose_who_votes() -> None:
    struck = USERS.model_copy(update={"trust": "struck"})
    assert believed(Spec(checks=(struck, *SPEC.checks)), vote("u", 3), vote(1), vote(1)) == [1]


def test_a_check_of_the_users_keeps_its_trust() -> None:
    assert "u" not in vetting.trust(Spec(checks=(USERS, *SPEC.checks)), [vote("u", 1)] * 3)


def test_a_struck_generated_check_stays_struck() -> None:
    checks = (SPEC.checks[0].model_copy(update={"trust": "struck"}), *SPEC.checks[1:])
    assert "c1" not in vetting.trust(Spec(checks=checks), [vote(1, 2)] * 3)


@given(OPINIONS)
def test_every_generated_check_is_told_apart(opinions: list[set[str]]) -> None:
    assert set(vetting.trust(SPEC, [vote(*each) for each in opinions])) == set(IDS)


@given(OPINIONS)
def test_a_check_that_fewer_than_two_candidates_pass_is_suspect(opinions: list[set[str]]) -> None:
    trust = vetting.trust(SPEC, [vote(*each) for each in opinions])
    rare = [name for name in IDS if sum(name in each for each in opinions) < 2]
    assert all(trust[name] == "suspect" for name in rare)


@given(st.sets(st.sampled_from(IDS), min_size=1), st.sets(st.sampled_from(IDS)))
def test_of_three_candidates_the_two_that_agree_are_believed(both: set[str], other: set[str]) -> None:
    trust = vetting.trust(SPEC, [vote(*both), vote(*other), vote(*both)])
    assert {name for name in IDS if trust[name] == "corroborated"} == both


@given(OPINIONS, st.randoms())
def test_the_order_of_the_candidates_does_not_matter(opinions: list[set[str]], random) -> None:  # type: ignore[no-untyped-def]
    votes = [vote(*each) for each in opinions]
    shuffled = random.sample(votes, len(votes))
    assert vetting.trust(SPEC, votes) == vetting.trust(SPEC, shuffled)
