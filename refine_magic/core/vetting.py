"""Generated checks are distrusted: independent candidates tell which of them to believe.

Candidates that pass the same checks agree with each other, and the largest agreement of at least two, by candidates
times checks, is believed (CodeT, Chen et al. 2022, "dual execution agreement"). Where no two agree, a check is believed
that more than half of them pass: the largest of several lone opinions is the most lenient one, not the best
(`python -m tests.unit.thirty` has the figures). Every other check is suspect, so one that all candidates fail is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from refine_magic.core.types import Iteration, Spec, Trust


def trust(spec: Spec, votes: Sequence[Iteration]) -> dict[str, Trust]:
    """Return the trust of each generated check, given independent candidates judged against all of them.

    A check of the user's always outranks a generated one: where any candidate passes all of the user's checks, only
    those candidates vote. A check that the user struck stays struck.
    """
    generated = [check.id for check in spec.checks if check.origin == "generated" and check.trust != "struck"]
    believed = agreement(generated, electorate(spec, votes))
    return {check: "corroborated" if check in believed else "suspect" for check in generated}


def electorate(spec: Spec, votes: Sequence[Iteration]) -> list[Iteration]:
    """Return the candidates that pass every check of the user's, or all of them where none does."""
    given = {check.id for check in spec.checks if check.origin != "generated" and check.trust != "struck"}
    fit = [vote for vote in votes if given <= passed(vote)]
    return fit if fit else list(votes)


def agreement(generated: Sequence[str], votes: Sequence[Iteration]) -> frozenset[str]:
    """Return the checks that the candidates believe together; one alone corroborates nothing.

    A candidate that passes no check has no vote: it tells nothing about which of them are right. Where two agreements
    are as large, both must hold a check.
    """
    opinions = [opinion for vote in votes if (opinion := frozenset(passed(vote) & set(generated)))]
    groups = {opinion: count for opinion, count in Counter(opinions).items() if count > 1}
    if not groups:
        return majority(opinions)
    most = max(count * len(opinion) for opinion, count in groups.items())
    return frozenset.intersection(*(o for o, count in groups.items() if count * len(o) == most))


def majority(opinions: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the checks that more than half of at least two opinions hold."""
    counted = Counter(check for opinion in opinions for check in opinion)
    return frozenset(check for check, count in counted.items() if count > max(1, len(opinions) / 2))


def passed(vote: Iteration) -> set[str]:
    """Return the ids of the checks that a candidate passed."""
    return {result.check_id for result in vote.result.checks if result.outcome == "passed"}
