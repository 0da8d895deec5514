"""What happens during a run, as a union of small records; `advance` folds them into the trajectory."""

from __future__ import annotations

from typing import Literal

from refine_magic.core import standing
from refine_magic.core.types import (
    CheckResult,
    Draft,
    Feedback,
    Iteration,
    Phase,
    Problem,
    Record,
    Rejection,
    Status,
    StopReason,
    Trajectory,
    Trust,
    Usage,
)


class RunStarted(Record):
    """The run began; the trajectory is still empty."""

    kind: Literal["run_started"] = "run_started"
    trajectory: Trajectory


class PhaseChanged(Record):
    """The model is being loaded, is writing, or its candidate is being judged."""

    kind: Literal["phase_changed"] = "phase_changed"
    phase: Phase
    restart: bool = False


class Token(Record):
    """A piece of the model's reply."""

    kind: Literal["token"] = "token"
    text: str


class CheckJudged(Record):
    """One check of the current candidate has its result."""

    kind: Literal["check_judged"] = "check_judged"
    result: CheckResult


class ChecksWritten(Record):
    """The model wrote checks; they are suspect until independent candidates corroborate them."""

    kind: Literal["checks_written"] = "checks_written"
    problem: Problem
    usage: Usage = Usage()


class ChecksVetted(Record):
    """Independent candidates told which generated checks to believe; what is said of each iteration follows."""

    kind: Literal["checks_vetted"] = "checks_vetted"
    trust: dict[str, Trust]
    feedback: tuple[Feedback | None, ...] = ()


class Rejected(Record):
    """The reply was not executed."""

    kind: Literal["rejected"] = "rejected"
    rejection: Rejection
    seconds: float


class Judged(Record):
    """The candidate has its verdict."""

    kind: Literal["judged"] = "judged"
    iteration: Iteration
    seconds: float


class RunEnded(Record):
    """The run is over; a message says what went wrong on our side, if anything did."""

    kind: Literal["run_ended"] = "run_ended"
    status: Status
    stop_reason: StopReason | None
    message: str = ""
    seconds: float


Event = RunStarted | PhaseChanged | Token | ChecksWritten | CheckJudged | ChecksVetted | Rejected | Judged | RunEnded


def advance(run: Trajectory | None, event: Event) -> Trajectory:
    """Return the trajectory after the event. Raises ValueError for an event before RunStarted."""
    if isinstance(event, RunStarted):
        return event.trajectory
    if run is None:
        raise ValueError(f"{event.kind} came before run_started")
    draft = run.draft or Draft(index=len(run.iterations) + 1, phase="writing")
    match event:
        case PhaseChanged():
            fresh = Draft(index=draft.index, phase=event.phase)
            changed = fresh if event.restart else draft.model_copy(update={"phase": event.phase})
            return run.model_copy(update={"draft": changed})
        case Token():
            return run.model_copy(update={"draft": draft.model_copy(update={"text": draft.text + event.text})})
        case CheckJudged():
            return run.model_copy(update={"draft": draft.model_copy(update={"checks": (*draft.checks, event.result)})})
        case ChecksWritten():
            return run.model_copy(
                update={"problem": event.problem, "usage": run.usage + event.usage, "vetted": False, "draft": None}
            )
        case ChecksVetted():
            return vetted(run, event)
        case Rejected(rejection=rejection):
            return run.model_copy(
                update={
                    "rejections": (*run.rejections, rejection),
                    "usage": run.usage + rejection.usage,
                    "seconds": event.seconds,
                    "draft": None,
                }
            )
        case Judged(iteration=iteration):
            iterations = (*run.iterations, iteration)
            return run.model_copy(
                update={
                    "iterations": iterations,
                    "best": standing.best(run.problem.spec, iterations, standing.last_hint(run)),
                    "usage": run.usage + iteration.candidate.usage,
                    "seconds": event.seconds,
                    "draft": None,
                }
            )
        case RunEnded():
            unfinished = run.draft if event.status in ("interrupted", "error") else None
            return run.model_copy(
                update={
                    "status": event.status,
                    "stop_reason": event.stop_reason,
                    "message": event.message,
                    "seconds": event.seconds,
                    "draft": unfinished,
                }
            )


def vetted(run: Trajectory, event: ChecksVetted) -> Trajectory:
    """Return the run with the trust of its generated checks, and with every verdict that follows from it."""
    spec = standing.trusted(run.problem.spec, event.trust)
    iterations = tuple(
        standing.rejudged(spec, iteration).model_copy(update={"feedback": told})
        for iteration, told in zip(run.iterations, event.feedback, strict=True)
    )
    return run.model_copy(
        update={
            "problem": run.problem.model_copy(update={"spec": spec}),
            "iterations": iterations,
            "best": standing.best(spec, iterations, standing.last_hint(run)),
            "vetted": True,
        }
    )
