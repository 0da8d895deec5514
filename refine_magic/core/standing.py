"""How candidates stand against the spec and each other: verdict, best, regressions, sameness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refine_magic.core.types import Candidate, CheckResult, ExecutionResult, Iteration, Outcome, Spec, Trajectory, Trust


def verdict(spec: Spec, results: Sequence[CheckResult]) -> Outcome:
    """Return `passed` only where every check that counts reported passed: silence is never a pass.

    Suspect and struck checks are shown but do not count. A spec without a check that counts cannot be passed.
    """
    outcomes = {result.check_id: result.outcome for result in results}
    counted = [outcomes.get(check.id, "not_run") for check in spec.checks if check.counts]
    if counted and all(outcome == "passed" for outcome in counted):
        return "passed"
    return "timeout" if "timeout" in counted else "failed"


def trusted(spec: Spec, trust: Mapping[str, Trust]) -> Spec:
    """Return the spec with the trust given for some of its checks."""
    checks = tuple(check.model_copy(update={"trust": trust.get(check.id, check.trust)}) for check in spec.checks)
    return spec.model_copy(update={"checks": checks})


def rejudged(spec: Spec, iteration: Iteration) -> Iteration:
    """Return the iteration with the verdict that its results have under another spec."""
    result = iteration.result
    if result.outcome not in ("passed", "failed", "timeout"):
        return iteration
    outcome = verdict(spec, result.checks)
    return iteration.model_copy(update={"result": result.model_copy(update={"outcome": outcome})})


def score(spec: Spec, result: ExecutionResult) -> tuple[bool, int]:
    """Return whether the result is a pass, and how many of the checks that count passed."""
    counted = {check.id for check in spec.checks if check.counts}
    passed = sum(check.outcome == "passed" and check.check_id in counted for check in result.checks)
    return result.outcome == "passed", passed


def best(spec: Spec, iterations: Sequence[Iteration], hinted: int = 0) -> int | None:
    """Return the index of the iteration with the most checks passed; the earliest wins a tie.

    Of those that pass, one later than the user's last hint goes before the one that the user was not content with.
    """
    if not iterations:
        return None

    def rank(it: Iteration) -> tuple[bool, int, bool, int]:
        passed, number = score(spec, it.result)
        return passed, number, passed and it.index > hinted, -it.index

    return max(iterations, key=rank).index


def last_hint(run: Trajectory) -> int:
    """Return how many candidates there were when the user last gave a hint."""
    return max((step.after for step in run.continuations if step.hint), default=0)


def base(run: Trajectory) -> Iteration | None:
    """Return the iteration to refine: the best so far, or of a branch, where the user began one."""
    if run.continuations and (start := run.continuations[-1].from_iteration) is not None:
        after = run.continuations[-1].after
        branch = [it for it in run.iterations if it.index == start or it.index > after]
        index = best(run.problem.spec, branch, last_hint(run))
        return None if index is None else run.iterations[index - 1]
    return run.best_iteration


def regressed(before: ExecutionResult | None, after: ExecutionResult) -> tuple[str, ...]:
    """Return the ids of the checks that passed before and do not pass now."""
    if before is None:
        return ()
    now = {check.check_id for check in after.checks if check.outcome == "passed"}
    return tuple(c.check_id for c in before.checks if c.outcome == "passed" and c.check_id not in now)


def signature(result: ExecutionResult) -> tuple[object, ...]:
    """Return what makes two failures the same: the outcome, the error, and what each check observed."""
    error = result.error and (result.error.ename, result.error.evalue)
    checks = tuple(
        (
            check.check_id,
            check.outcome,
            check.observed,
            check.error and (check.error.ename, check.error.evalue),
            check.message if check.judged == "user" else "",
        )
        for check in result.checks
    )
    return (result.outcome, error, checks)


def repeats(run: Trajectory) -> int:
    """Return how many of the last iterations failed in the same way as the one before them."""
    count = 0
    for earlier, later in zip(run.iterations[-2::-1], run.iterations[:0:-1], strict=False):
        if later.candidate.move.kind in ("draft", "sample") or signature(earlier.result) != signature(later.result):
            break
        count += 1
    return count


def same_code(run: Trajectory, candidate: Candidate) -> int | None:
    """Return the iteration that judged the same code, layout and comments aside, or None."""
    return next((it.index for it in run.iterations if it.candidate.digest == candidate.digest), None)
