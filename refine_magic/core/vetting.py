"""Generated checks are distrusted: independent candidates tell which of them to believe.

Candidates that pass the same checks agree with each other, and the largest agreement, by candidates times checks,
is believed (CodeT, Chen et al. 2022, "dual execution agreement"). A check that this group fails is suspect, and so is
one that every candidate fails. Where two agreements are as large, a check is believed only if both hold it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from refine_magic.core.types import Iteration, Spec, Trust


def trust(spec: Spec, votes: Sequence[Iteration]) -> dict[str, Trust]:
    """Return the trust of each generated check, given independent candidates judged against all of them.

    A check of the user's always outranks a generated one: where any candidate passes all of the user's checks, only
    those candidates vote.
    """
    generated = [check.id for check in spec.checks if check.origin == "generated"]
    believed = agreement(generated, electorate(spec, votes))
    return {check: "corroborated" if check in believed else "suspect" for check in generated}


def electorate(spec: Spec, votes: Sequence[Iteration]) -> list[Iteration]:
    """Return the candidates that pass every check of the user's, or all of them where none does."""
    given = {check.id for check in spec.checks if check.origin != "generated" and check.trust != "struck"}
    fit = [vote for vote in votes if given <= passed(vote)]
    return fit if fit else list(votes)


def agreement(generated: Sequence[str], votes: Sequence[Iteration]) -> frozenset[str]:
    """Return the checks that the largest group of agreeing candidates passes; one alone corroborates nothing."""
    groups = Counter(frozenset(passed(vote) & set(generated)) for vote in votes)
    if not groups or len(votes) < 2:
        return frozenset()
    most = max(count * len(checks) for checks, count in groups.items())
    largest = [checks for checks, count in groups.items() if count * len(checks) == most]
    return frozenset.intersection(*largest)


def passed(vote: Iteration) -> set[str]:
    """Return the ids of the checks that a candidate passed."""
    return {result.check_id for result in vote.result.checks if result.outcome == "passed"}
