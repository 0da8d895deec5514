"""A study of `vetting`: thirty problems, right and wrong checks mixed, three candidates of which some are right.

``python -m tests.unit.thirty`` prints precision and recall of `suspect` for each mix, for our rule and others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from refine_magic.core import vetting
from refine_magic.core.types import Candidate, Check, CheckResult, ExecutionResult, Iteration, Spec, Trust
from refine_magic.prompting.completion import digest
from tests.unit.thirty_problems import TEXT

Rule = Callable[[Spec, Sequence[Iteration]], dict[str, Trust]]


@dataclass(frozen=True)
class Example:
    """A problem with a right solution, wrong ones, right checks and wrong ones; all define or call ``f``."""

    name: str
    solution: str
    mistakes: tuple[str, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def spec(self) -> Spec:
        """The checks as a model would have written them all."""
        sources = enumerate((*self.right, *self.wrong), 1)
        return Spec(checks=tuple(Check(id=f"c{n}", source=s, origin="generated", trust="suspect") for n, s in sources))

    @property
    def wrong_ids(self) -> set[str]:
        """The ids of the wrong checks."""
        return {check.id for check in self.spec.checks if check.source in self.wrong}


def examples() -> list[Example]:
    """Return the thirty problems."""
    return [example(part.strip().split("\n")) for part in TEXT.split("\n# ") if part.strip()]


def example(lines: list[str]) -> Example:
    """Return one problem."""
    name, *rest = lines
    told = {mark: [line[2:] for line in rest if line[0] == mark] for mark in "=!+-"}
    right, wrong = (tuple(f"assert {text}" for text in told[mark][0].split("; ")) for mark in "+-")
    return Example(name, told["="][0], tuple(told["!"]), right, wrong)


def vote(code: str, spec: Spec, index: int = 1) -> Iteration:
    """Return the candidate as it is judged, here in this process: the code is our own."""
    results = tuple(CheckResult(check_id=c.id, outcome="passed" if holds(code, c) else "failed") for c in spec.checks)
    return Iteration(
        index=index,
        candidate=Candidate(code=code, digest=digest(code)),
        result=ExecutionResult(outcome="failed", checks=results),
    )


def holds(code: str, check: Check) -> bool:
    """Tell whether the code passes the check."""
    space: dict[str, Any] = {}
    exec(code, space)
    try:
        exec(check.source, space)
    except Exception:
        return False
    return True


def mixes(one: Example, right: int) -> Iterator[list[Iteration]]:
    """Yield three candidates of which so many are right, the wrong ones taken in turn."""
    for wrong in combinations(one.mistakes, 3 - right):
        codes = [*[one.solution] * right, *wrong]
        yield [vote(code, one.spec, index) for index, code in enumerate(codes, 1)]


class Figures(NamedTuple):
    """How many checks were suspect and wrong, suspect and right, believed and wrong, believed and right."""

    caught: int = 0
    blamed: int = 0
    missed: int = 0
    kept: int = 0

    @property
    def precision(self) -> float:
        """How many of the suspect checks are wrong."""
        return self.caught / ((self.caught + self.blamed) or 1)

    @property
    def recall(self) -> float:
        """How many of the wrong checks are suspect."""
        return self.caught / ((self.caught + self.missed) or 1)


def study(rule: Rule, right: int) -> Figures:
    """Return the figures of a rule over all problems, with so many of three candidates right."""
    found = [0, 0, 0, 0]
    for one in examples():
        for votes in mixes(one, right):
            for check, trust in rule(one.spec, votes).items():
                found[(trust != "suspect") * 2 + (check not in one.wrong_ids)] += 1
    return Figures(*found)


def at_least(count: int) -> Rule:
    """Return the plain rule that a check is suspect unless so many candidates pass it."""

    def rule(spec: Spec, votes: Sequence[Iteration]) -> dict[str, Trust]:
        passed = [vetting.passed(vote) for vote in votes]
        return {
            check.id: "corroborated" if sum(check.id in ids for ids in passed) >= count else "suspect"
            for check in spec.checks
        }

    return rule


RULES: dict[str, Rule] = {
    "ours": vetting.trust,
    "all three fail it": at_least(1),
    "two fail it": at_least(2),
    "one fails it": at_least(3),
}


def main() -> None:
    """Print the table."""
    print(f"{'rule':20}{'right':>6}{'precision':>11}{'recall':>8}{'suspect: wrong, right':>23}{'believed: w, r':>16}")
    for name, rule in RULES.items():
        for right in range(4):
            f = study(rule, right)
            counts = f"{f.caught:>14}, {f.blamed:>7}{f.missed:>8}, {f.kept:>6}"
            print(f"{name:20}{right:>6}{f.precision:>11.0%}{f.recall:>8.0%}{counts}")


if __name__ == "__main__":
    main()
