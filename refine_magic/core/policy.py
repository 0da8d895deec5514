"""When to stop and what to ask for next: pure functions of the trajectory."""

from __future__ import annotations

from refine_magic.core import standing
from refine_magic.core.types import Iteration, Move, Rejection, Status, StopReason, Trajectory

VETTERS = 3  # independent candidates on which generated checks are tried
CHECKS_WRITTEN = 6  # how many the model is asked for where the user gave none


def pending(run: Trajectory) -> tuple[Rejection, ...]:
    """Return the replies rejected since the last judged candidate, or since the run was taken up again."""
    earlier = run.continuations[-1].rejected if run.continuations else 0
    return tuple(rejection for rejection in run.rejections[earlier:] if rejection.before == len(run.iterations) + 1)


def checks_wanted(run: Trajectory) -> int:
    """Return how many checks the model must write before the run begins: some where the user gave none."""
    checks = run.problem.spec.checks
    if run.iterations or any(check.origin == "generated" for check in checks):
        return 0
    return run.settings.generate_checks or (0 if checks else CHECKS_WRITTEN)


def unvetted(run: Trajectory) -> bool:
    """Tell whether there are generated checks that were not tried on independent candidates yet."""
    return not run.vetted and any(check.origin == "generated" for check in run.problem.spec.checks)


def samples_wanted(run: Trajectory) -> int:
    """Return how many independent candidates are asked for first."""
    return max(run.settings.samples, VETTERS if unvetted(run) else 1)


def votes(run: Trajectory) -> list[Iteration]:
    """Return the independent candidates so far; one whose code came twice is there twice."""
    first = [it for it in run.iterations if it.candidate.move.kind in ("draft", "sample")]
    again = [r.duplicate_of for r in run.rejections if r.reason == "duplicate" and r.kind in ("draft", "sample")]
    return first + [run.iterations[index - 1] for index in again if index is not None]


def is_sampling(run: Trajectory) -> bool:
    """Tell whether the next proposal is one of the independent first ones; a branch has its beginning already."""
    branched = bool(run.continuations) and run.continuations[-1].from_iteration is not None
    return len(votes(run)) < samples_wanted(run) and (unvetted(run) or not branched)


def ready_to_vet(run: Trajectory) -> bool:
    """Tell whether the generated checks can be told apart now."""
    return unvetted(run) and len(votes(run)) >= samples_wanted(run)


def passing(run: Trajectory) -> bool:
    """Tell whether the run has what it is for: a candidate that passes, later than any hint of the user."""
    hinted = standing.last_hint(run)
    return any(it.result.outcome == "passed" and it.index > hinted for it in run.iterations)


def stop_reason(run: Trajectory, seconds: float) -> StopReason | None:
    """Return why the run must stop now, `seconds` after it began, or None to go on."""
    limit = limit_reached(run, seconds)
    return "passed" if passing(run) and (limit or not unvetted(run)) else limit


def limit_reached(run: Trajectory, seconds: float) -> StopReason | None:
    """Return which limit ends the run, `seconds` after it began, or None; a pass that is there stays one."""
    settings, waiting = run.settings, pending(run)
    tokens = run.usage.prompt_tokens + run.usage.completion_tokens
    if len(run.iterations) >= settings.max_iterations:
        return "max_iterations"
    if (settings.max_seconds and seconds >= settings.max_seconds) or (
        settings.max_tokens and tokens >= settings.max_tokens
    ):
        return "budget"
    if sum(rejection.reason != "duplicate" for rejection in waiting) > settings.max_reasks:
        return "format"
    if run.vetted and not any(check.counts for check in run.problem.spec.checks):
        return "no_progress"
    return "no_progress" if stale(run) > settings.max_reasks else None


def stale(run: Trajectory) -> int:
    """Return how many duplicates came in a row; while sampling, a duplicate is a vote and no standstill."""
    duplicates = [rejection for rejection in pending(run) if rejection.reason == "duplicate"]
    return sum(r.duplicate_of is None or r.kind not in ("draft", "sample") for r in duplicates)


def next_move(run: Trajectory) -> Move:
    """Return what to ask for: a refinement of the best so far, warmer and then from scratch while nothing changes.

    A duplicate raises the temperature; a second one, or the same failure twice, asks for a fresh draft. Source: the
    Debugging Decay Index (arXiv 2506.18403) finds most repair power gone after two or three attempts, and a fresh
    start to rescue it.
    """
    waiting, settings = pending(run), run.settings
    last = waiting[-1].reason if waiting else None
    complaint = None if last == "duplicate" else last
    if is_sampling(run):
        several = samples_wanted(run) > 1
        kind, warmth = ("sample", settings.sample_temperature) if several else ("draft", settings.temperature)
        return Move(kind=kind, temperature=warmth, complaint=complaint)
    stuck = standing.repeats(run) + stale(run)
    warmer = min(settings.temperature + stuck * settings.temperature_step, settings.temperature_ceiling)
    temperature = max(settings.temperature, warmer)
    fresh = standing.repeats(run) > 0 or stale(run) > 1
    return Move(kind="redraft" if fresh else "refine", temperature=temperature, complaint=complaint)


def status(run: Trajectory, reason: StopReason) -> Status:
    """Return the run's status: a pass on generated checks alone is `passed_unverified`."""
    if reason != "passed":
        return "not_passed"
    given = any(check.counts and check.origin != "generated" for check in run.problem.spec.checks)
    return "passed" if given else "passed_unverified"
