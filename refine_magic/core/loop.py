"""The algorithm: propose, judge, feed back, propose again from the best so far.

C = M(P); repeat: R = execute(C) against S; if R satisfies S: return C; E = extract_errors(R_best); C = M(P, C_best, E).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from refine_magic.core import policy, steps
from refine_magic.core.errors import ExecutorError, ModelError, RefineError
from refine_magic.core.events import (
    CheckJudged,
    Event,
    Judged,
    PhaseChanged,
    Rejected,
    RunEnded,
    RunStarted,
    advance,
)
from refine_magic.core.protocols import CheckWriter, Executor, FeedbackStrategy, Model, Strategy
from refine_magic.core.types import (
    Candidate,
    ExecutionResult,
    Rejection,
    StopReason,
    Trajectory,
)

Events = Generator[Event, None, None]
Observer = Callable[[Trajectory, Event], None]


@dataclass(frozen=True)
class Parts:
    """The parts of a run; whoever made them closes them."""

    model: Model
    executor: Executor
    strategy: Strategy
    feedback: FeedbackStrategy
    checks: CheckWriter


def refine(run: Trajectory, parts: Parts, clock: Callable[[], float]) -> Events:
    """Yield events until every check passes or a limit is reached, from the trajectory's last iteration on.

    Raises ModelError and ExecutorError, and re-raises KeyboardInterrupt, each after a RunEnded that says so; the error
    carries the trajectory.
    """
    begun = clock() - run.seconds
    run = run.model_copy(update={"iterations": steps.explained(run, run.problem.spec, parts.feedback)})
    try:
        yield RunStarted(trajectory=run)
        if wanted := policy.checks_wanted(run):
            parts.executor.prepare()
            written: Event = yield from parts.checks.write(run, parts.model, wanted)
            run = advance(run, written)
            yield written
        while (reason := policy.stop_reason(run, clock() - begun)) is None:
            asked = clock()
            parts.executor.prepare()
            proposal = yield from parts.strategy.propose(run, policy.next_move(run), parts.model)
            proposal = steps.not_again(run, proposal)
            if isinstance(proposal, Rejection):
                event: Event = Rejected(rejection=proposal, seconds=clock() - begun)
            else:
                result = yield from execute(run, proposal, parts.executor)
                iteration = steps.judged(run, proposal, result, parts.feedback, clock() - asked)
                event = Judged(iteration=iteration, seconds=clock() - begun)
            run = advance(run, event)
            yield event
            if policy.ready_to_vet(run):
                event = steps.vet(run, parts.feedback)
                run = advance(run, event)
                yield event
        yield RunEnded(status=policy.status(run, reason), stop_reason=reason, seconds=clock() - begun)
    except KeyboardInterrupt:
        yield RunEnded(status="interrupted", stop_reason="interrupted", seconds=clock() - begun)
        raise
    except Exception as error:
        yield RunEnded(status="error", stop_reason=blame(error), message=words(error), seconds=clock() - begun)
        raise


def execute(run: Trajectory, candidate: Candidate, executor: Executor) -> Generator[Event, None, ExecutionResult]:
    """Have the executor judge the candidate, and tell of each check as it has its result."""
    yield PhaseChanged(phase="judging")
    judging = executor.execute(candidate, run.problem.spec)
    try:
        while True:
            yield CheckJudged(result=next(judging))
    except StopIteration as stop:
        result: ExecutionResult = stop.value
        return result
    finally:
        judging.close()


def drive(events: Events, observer: Observer = lambda run, event: None) -> Trajectory:
    """Run the events to their end and return the trajectory, telling the observer of each.

    An interrupt that falls between two events, in the observer say, is handed to the loop, so that it is recorded too.
    """
    run: Trajectory | None = None
    try:
        for event in events:
            run = advance(run, event)
            observer(run, event)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and run is not None and run.status == "running":
            event = events.throw(error)
            run = advance(run, event)
            observer(run, event)
        if isinstance(error, RefineError):
            error.trajectory = run
        raise
    finally:
        events.close()
    assert run is not None
    return run


def blame(error: Exception) -> StopReason | None:
    """Return whose failure it was; None is a fault of our own."""
    if isinstance(error, ModelError):
        return "model_error"
    return "executor_error" if isinstance(error, ExecutorError) else None


def words(error: Exception) -> str:
    """Return the error in one line; our own errors speak for themselves."""
    return str(error) if isinstance(error, RefineError) else f"{type(error).__name__}: {error}"
