"""The engine that the magic, the terminal and Python share: parts by name, one run, everything given back."""

from __future__ import annotations

import platform
import time
import uuid
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from refine_magic import plugins, words
from refine_magic.core import loop, policy
from refine_magic.core.errors import PluginError, RefinementFailed, SpecError
from refine_magic.core.events import Event
from refine_magic.core.limits import by_name
from refine_magic.core.protocols import Model
from refine_magic.core.resume import resumed
from refine_magic.core.types import Candidate, ExecutionResult, Problem, Settings, Spec, Trajectory
from refine_magic.prompting import completion
from refine_magic.specs import human
from refine_magic.specs.gather import gather
from refine_magic.specs.holdout import hold_out
from refine_magic.specs.problem import make_problem
from refine_magic.strategies.generated import GeneratedChecks
from refine_magic.version import __version__


def make_settings(**given: Any) -> Settings:
    """Return the settings; a value of None means the default. Raises PluginError for a value that cannot be used."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        wrong = error.errors()[0]
        option, *of = (str(part) for part in wrong["loc"])
        name = f"--limit {of[0] if of else ''}".strip() if option == "limits" else "--" + option.replace("_", "-")
        said = wrong["msg"].removeprefix("Value error, ")
        raise PluginError(f"{name}: {said} (got {wrong['input']!r})") from error


def limits_named(words: Any) -> dict[str, Any]:
    """Return limits such as ``memory=2GiB`` as values by name. Raises PluginError."""
    try:
        return dict(by_name(words))
    except ValueError as error:
        raise PluginError(f"--limit: {error}") from error


@contextmanager
def opened(
    settings: Settings, model: Model | None = None, ask: human.Ask = human.nobody
) -> Generator[loop.Parts, None, None]:
    """Open the parts that the settings name, and close them; `ask` is how the user is asked, where a check does so.

    Raises PluginError, ModelError and ExecutorError.
    """
    with ExitStack() as stack:
        strategy = plugins.open_strategy(settings.strategy)
        feedback = plugins.open_feedback(settings.feedback)
        if model is None:
            model = plugins.open_model(settings.model)
            stack.callback(model.close)
        executor = human.AskingExecutor(plugins.open_executor(settings), ask)
        stack.callback(executor.close)
        yield loop.Parts(model=model, executor=executor, strategy=strategy, feedback=feedback, checks=GeneratedChecks())


def begin(problem: Problem, settings: Settings) -> Trajectory:
    """Return the empty trajectory of a new run, with a share of the checks held out where the settings say so."""
    held = problem.model_copy(update={"spec": hold_out(problem.spec, settings.holdout)})
    return Trajectory(
        id=uuid.uuid4().hex,
        problem=held,
        settings=settings,
        versions={"refine_magic": __version__, "python": platform.python_version()},
    )


def go_on(run: Trajectory, model: Model | None = None, ask: human.Ask = human.nobody) -> loop.Events:
    """Yield what happens from here on in a run, and give everything back at its end, however it ends.

    Raises PluginError, ModelError and ExecutorError.
    """
    with opened(run.settings, model, ask) as parts:
        most = parts.strategy.max_iterations or run.settings.max_iterations
        limited = run.settings.model_copy(update={"max_iterations": min(run.settings.max_iterations, most)})
        settings = run.settings if run.continuations else limited
        require_vetting(run, settings.max_iterations)
        yield from loop.refine(
            run.model_copy(update={"model": parts.model.name, "settings": settings}), parts, time.monotonic
        )


def require_vetting(run: Trajectory, most: int) -> None:
    """Raise SpecError where the model is to write checks, and too few candidates to try them on."""
    if policy.checks_wanted(run) and most < policy.VETTERS:
        raise SpecError(
            f"checks that the model writes are tried on {policy.VETTERS} candidates, and at most {most} may be judged: "
            "write checks, or give --max-iterations"
        )


def events(
    problem: Problem, settings: Settings, model: Model | None = None, ask: human.Ask = human.nobody
) -> loop.Events:
    """Yield what happens in a new run. Raises PluginError, ModelError and ExecutorError."""
    return go_on(begin(problem, settings), model, ask)


def refine_events(
    prompt: str = "",
    *,
    checks: str | Path = "",
    model: str | Model | None = None,
    max_iterations: int | None = None,
    entry_point: str | None = None,
    name: str | None = None,
    resume: Trajectory | None = None,
    hint: str = "",
    from_iteration: int | None = None,
    strike: Sequence[str] = (),
    more: int | None = None,
    ask: human.Ask = human.nobody,
    **settings: Any,
) -> Generator[Event, None, None]:
    """Yield the events of a run; `refine_magic.core.events.advance` folds them into the trajectory.

    Raises SpecError and PluginError at once, ModelError and ExecutorError from the iteration.
    """
    named, given = (model, None) if isinstance(model, str) or model is None else (model.name, model)
    if resume is not None:
        again = resumed(resume, hint=hint, from_iteration=from_iteration, strike=strike, more=more)
        kept = again.settings.model_dump()
        changed = {name: value for name, value in {"model": named, **settings}.items() if value is not None}
        if "limits" in changed:
            changed["limits"] = kept["limits"] | limits_named(changed["limits"])
        return go_on(again.model_copy(update={"settings": make_settings(**(kept | changed))}), given, ask)
    below, by_reference = ("", gather(str(checks), {})) if isinstance(checks, Path) else (checks, [])
    problem = make_problem(prompt, below, more=by_reference, entry_point=entry_point, name=name)
    chosen = make_settings(model=named, max_iterations=max_iterations, **settings)
    return events(problem, chosen, given, ask)


def refine(
    prompt: str = "",
    *,
    observer: loop.Observer = lambda run, event: None,
    strict: bool = False,
    **arguments: Any,
) -> Trajectory:
    """Refine until the checks pass, and return the whole record.

    The arguments are those of `refine_events`. `checks` is test code or doctest text, or the Path of a file of
    checks; doctest examples in the prompt count too. `model` is a spec string such as ``llama3.2`` or
    ``replay:tape.jsonl``, or a Model. `resume` takes a run up again, with a `hint`, from an iteration
    (`from_iteration`), with checks struck (`strike`), for so many `more` candidates. The other settings are the fields
    of `refine_magic.core.types.Settings`. With `strict`, RefinementFailed is raised where the run does not pass.
    Raises SpecError, PluginError, ModelError and ExecutorError; the last two carry the trajectory so far.
    """
    run = loop.drive(refine_events(prompt, **arguments), observer)
    if strict:
        require_pass(run)
    return run


def require_pass(run: Trajectory) -> None:
    """Raise RefinementFailed, with the trajectory, where the run did not pass."""
    if not run.passed:
        best = run.best_iteration
        passed = f"the best passed {words.tally(run, best)}" if best else "no code ran"
        failed = RefinementFailed(f"not passed after {len(run.iterations)} iterations; {passed}")
        failed.trajectory = run
        raise failed


def judge(code: str, spec: Spec, settings: Settings | None = None) -> ExecutionResult:
    """Judge one piece of code against a spec, with no model. Raises ExecutorError."""
    executor = plugins.open_executor(settings or Settings())
    judging = executor.execute(Candidate(code=code, digest=completion.digest(code)), spec)
    try:
        while True:
            next(judging)
    except StopIteration as stop:
        return cast(ExecutionResult, stop.value)
    finally:
        judging.close()
        executor.close()
