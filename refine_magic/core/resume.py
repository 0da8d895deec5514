"""Take a run up again: with a hint, from an iteration, without a check, with more iterations."""

from __future__ import annotations

from collections.abc import Sequence

from refine_magic.core import standing
from refine_magic.core.errors import SpecError
from refine_magic.core.types import Continuation, Trajectory

MORE = 3


def resumed(
    run: Trajectory,
    *,
    hint: str = "",
    from_iteration: int | None = None,
    strike: Sequence[str] = (),
    more: int | None = None,
) -> Trajectory:
    """Return the run as it goes on: `more` candidates at most, three where nothing is said, and what it has is kept.

    `strike` names checks by id (``c2``) or number (``2``); they stay visible and count no more. `from_iteration`
    begins a branch: that iteration is refined, whatever the best one is. A limit of seconds or tokens that is used up
    is granted once more. Raises SpecError for an iteration or a check that there is not, and where no check is left.
    """
    done = len(run.iterations)
    if from_iteration is not None and not 1 <= from_iteration <= done:
        raise SpecError(f"there is no iteration {from_iteration}; there are {done}")
    if more is not None and more < 1:
        raise SpecError("--more: at least one")
    struck = tuple(check_id(run, name) for name in strike)
    spec = standing.trusted(run.problem.spec, dict.fromkeys(struck, "struck"))
    if struck and all(check.trust == "struck" for check in spec.checks):
        raise SpecError("no check would be left to tell whether the code is right")
    iterations = tuple(standing.rejudged(spec, iteration) for iteration in run.iterations)
    step = Continuation(
        after=done,
        rejected=len(run.rejections),
        hint=hint.strip(),
        from_iteration=from_iteration,
        struck=struck,
        more=more or MORE,
    )
    return run.model_copy(
        update={
            "problem": run.problem.model_copy(update={"spec": spec}),
            "iterations": iterations,
            "best": standing.best(spec, iterations, done if step.hint else standing.last_hint(run)),
            "continuations": (*run.continuations, step),
            "settings": run.settings.model_copy(update={"max_iterations": done + step.more} | granted(run)),
            "status": "running",
            "stop_reason": None,
            "message": "",
            "draft": None,
        }
    )


def granted(run: Trajectory) -> dict[str, float | None]:
    """Return the limits of seconds and tokens, those that are used up as far beyond what was used as they were."""
    seconds, tokens = run.settings.max_seconds, run.settings.max_tokens
    used = run.usage.prompt_tokens + run.usage.completion_tokens
    return {
        "max_seconds": seconds + run.seconds if seconds and run.seconds >= seconds else seconds,
        "max_tokens": tokens + used if tokens and used >= tokens else tokens,
    }


def check_id(run: Trajectory, name: str) -> str:
    """Return the id of the check that a name or number means. Raises SpecError that lists them."""
    ids = [check.id for check in run.problem.spec.checks]
    wanted = name if name in ids else f"c{name}"
    if wanted not in ids:
        raise SpecError(f"there is no check {name!r}; there are: {', '.join(ids)}")
    return wanted
