"""When to stop, what to ask for next, and which candidate is the best: pure functions of the trajectory."""

from __future__ import annotations

from collections.abc import Sequence

from refine_magic.core.types import (
    Candidate,
    CheckResult,
    ExecutionResult,
    Iteration,
    Move,
    Outcome,
    Rejection,
    Spec,
    Status,
    StopReason,
    Trajectory,
)


def verdict(spec: Spec, results: Sequence[CheckResult]) -> Outcome:
    """Return `passed` only where every check that counts reported passed: silence is never a pass.

    Suspect checks are shown but do not count. A spec without a check that counts cannot be passed.
    """
    outcomes = {result.check_id: result.outcome for result in results}
    counted = [outcomes.get(check.id, "not_run") for check in spec.checks if check.trust != "suspect"]
    if counted and all(outcome == "passed" for outcome in counted):
        return "passed"
    return "timeout" if "timeout" in counted else "failed"


def best(iterations: Sequence[Iteration]) -> int | None:
    """Return the index of the iteration with the most checks passed; the earliest wins a tie."""
    if not iterations:
        return None
    return max(iterations, key=lambda it: (it.result.outcome == "passed", it.result.passed, -it.index)).index


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
        (check.check_id, check.outcome, check.observed, check.error and check.error.ename) for check in result.checks
    )
    return (result.outcome, error, checks)


def is_duplicate(run: Trajectory, candidate: Candidate) -> bool:
    """Tell whether the same code, layout and comments aside, was judged before in this run."""
    return any(it.candidate.digest == candidate.digest for it in run.iterations)


def pending(run: Trajectory) -> tuple[Rejection, ...]:
    """Return the replies rejected since the last judged candidate."""
    return tuple(rejection for rejection in run.rejections if rejection.before == len(run.iterations) + 1)


def repeats(run: Trajectory) -> int:
    """Return how many of the last iterations failed in the same way as the one before them."""
    count = 0
    for earlier, later in zip(run.iterations[-2::-1], run.iterations[:0:-1], strict=False):
        if signature(earlier.result) != signature(later.result):
            break
        count += 1
    return count


def stop_reason(run: Trajectory, seconds: float) -> StopReason | None:
    """Return why the run must stop now, `seconds` after it began, or None to go on."""
    settings, waiting = run.settings, pending(run)
    tokens = run.usage.prompt_tokens + run.usage.completion_tokens
    if run.iterations and run.iterations[-1].result.outcome == "passed":
        return "passed"
    if len(run.iterations) >= settings.max_iterations:
        return "max_iterations"
    if (settings.max_seconds and seconds >= settings.max_seconds) or (
        settings.max_tokens and tokens >= settings.max_tokens
    ):
        return "budget"
    duplicates = sum(rejection.reason == "duplicate" for rejection in waiting)
    if len(waiting) - duplicates > settings.max_reasks:
        return "format"
    return "no_progress" if duplicates > settings.max_reasks else None


def next_move(run: Trajectory) -> Move:
    """Return what to ask for: a refinement of the best so far, warmer and then from scratch while nothing changes.

    A duplicate raises the temperature; a second one, or the same failure twice, asks for a fresh draft. Source: the
    Debugging Decay Index (arXiv 2506.18403) finds most repair power gone after two or three attempts, and a fresh
    start to rescue it.
    """
    waiting, settings = pending(run), run.settings
    duplicates = sum(rejection.reason == "duplicate" for rejection in waiting)
    stuck = repeats(run) + duplicates
    warmer = min(settings.temperature + stuck * settings.temperature_step, settings.temperature_ceiling)
    temperature = max(settings.temperature, warmer)
    last = waiting[-1].reason if waiting else None
    complaint = None if last == "duplicate" else last
    if not run.iterations:
        return Move(kind="draft", temperature=temperature, complaint=complaint)
    fresh = repeats(run) > 0 or duplicates > 1
    return Move(kind="redraft" if fresh else "refine", temperature=temperature, complaint=complaint)


def status(run: Trajectory, reason: StopReason) -> Status:
    """Return the run's status: a pass on generated checks alone is `passed_unverified`."""
    if reason != "passed":
        return "not_passed"
    given = any(check.origin != "generated" for check in run.problem.spec.checks)
    return "passed" if given else "passed_unverified"
