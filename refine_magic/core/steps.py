"""The loop's small steps: pure functions that write down what happened."""

from __future__ import annotations

from collections.abc import Sequence

from refine_magic.core import policy, standing, vetting
from refine_magic.core.events import ChecksVetted
from refine_magic.core.protocols import FeedbackStrategy
from refine_magic.core.types import Candidate, ExecutionResult, Feedback, Iteration, Rejection, Spec, Trajectory


def not_again(run: Trajectory, proposal: Candidate | Rejection) -> Candidate | Rejection:
    """Turn a candidate whose code was judged before into a rejection: the same code is never executed twice."""
    if isinstance(proposal, Rejection) or (same := standing.same_code(run, proposal)) is None:
        return proposal
    return Rejection(
        before=len(run.iterations) + 1,
        reason="duplicate",
        kind=proposal.move.kind,
        duplicate_of=same,
        completion=proposal.completion,
        usage=proposal.usage,
    )


def vet(run: Trajectory, feedback: FeedbackStrategy) -> ChecksVetted:
    """Tell which generated checks to believe, and what follows for what the model is told."""
    trust = vetting.trust(run.problem.spec, policy.votes(run))
    spec = standing.trusted(run.problem.spec, trust)
    return ChecksVetted(trust=trust, feedback=tuple(it.feedback for it in explained(run, spec, feedback)))


def explained(run: Trajectory, spec: Spec, feedback: FeedbackStrategy) -> tuple[Iteration, ...]:
    """Return the iterations with what is said of each under a spec, which may have changed since it was judged."""
    return tuple(
        it.model_copy(update={"feedback": told(spec, standing.rejudged(spec, it).result, feedback, it.regressed)})
        for it in run.iterations
    )


def told(
    spec: Spec, result: ExecutionResult, feedback: FeedbackStrategy, regressed: Sequence[str] = ()
) -> Feedback | None:
    """E = extract_errors(R), where the candidate did not pass."""
    if result.outcome == "passed":
        return None
    return Feedback(strategy=feedback.name, text=feedback.explain(spec, result, regressed))


def judged(
    run: Trajectory, candidate: Candidate, result: ExecutionResult, feedback: FeedbackStrategy, seconds: float
) -> Iteration:
    """Return the iteration, with what the model would be told about it."""
    best = run.best_iteration.result if run.best_iteration else None
    worse = standing.regressed(best, result)
    return Iteration(
        index=len(run.iterations) + 1,
        candidate=candidate,
        result=result,
        feedback=told(run.problem.spec, result, feedback, worse),
        regressed=worse,
        seconds=seconds,
    )
