"""The engine that the magic, the terminal and Python share: parts by name, one run, everything given back."""

from __future__ import annotations

import platform
import time
import uuid
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any, cast

from pydantic import ValidationError

from refine_magic import plugins
from refine_magic.core import loop
from refine_magic.core.errors import PluginError, RefinementFailed
from refine_magic.core.events import Event
from refine_magic.core.protocols import Model
from refine_magic.core.types import Candidate, ExecutionResult, Problem, Settings, Spec, Trajectory
from refine_magic.prompting import completion
from refine_magic.specs.problem import make_problem
from refine_magic.version import __version__


def make_settings(**given: Any) -> Settings:
    """Return the settings; a value of None means the default. Raises PluginError for a value that cannot be used."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        wrong = error.errors()[0]
        name = "--" + str(wrong["loc"][0]).replace("_", "-")
        raise PluginError(f"{name}: {wrong['msg']} (got {wrong['input']!r})") from error


@contextmanager
def opened(settings: Settings, model: Model | None = None) -> Generator[loop.Parts, None, None]:
    """Open the four parts that the settings name, and close them. Raises PluginError, ModelError and ExecutorError."""
    with ExitStack() as stack:
        strategy = plugins.open_strategy(settings.strategy)
        feedback = plugins.open_feedback(settings.feedback)
        if model is None:
            model = plugins.open_model(settings.model)
            stack.callback(model.close)
        executor = plugins.open_executor(settings)
        stack.callback(executor.close)
        yield loop.Parts(model=model, executor=executor, strategy=strategy, feedback=feedback)


def begin(problem: Problem, settings: Settings, parts: loop.Parts) -> Trajectory:
    """Return the empty trajectory of a new run."""
    most = min(settings.max_iterations, parts.strategy.max_iterations or settings.max_iterations)
    return Trajectory(
        id=uuid.uuid4().hex,
        problem=problem,
        settings=settings.model_copy(update={"max_iterations": most, "model": parts.model.name}),
        versions={"refine_magic": __version__, "python": platform.python_version()},
    )


def events(problem: Problem, settings: Settings, model: Model | None = None) -> loop.Events:
    """Yield what happens in a run, and give everything back at its end, however it ends.

    Raises PluginError, ModelError and ExecutorError.
    """
    with opened(settings, model) as parts:
        yield from loop.refine(begin(problem, settings, parts), parts, time.monotonic)


def refine_events(
    prompt: str,
    *,
    checks: str = "",
    model: str | Model | None = None,
    max_iterations: int | None = None,
    entry_point: str | None = None,
    name: str | None = None,
    **settings: Any,
) -> Generator[Event, None, None]:
    """Yield the events of a run; `refine_magic.core.events.advance` folds them into the trajectory.

    Raises SpecError and PluginError at once, ModelError and ExecutorError from the iteration.
    """
    problem = make_problem(prompt, checks, entry_point=entry_point, name=name)
    named, given = (model, None) if isinstance(model, str) or model is None else (model.name, model)
    chosen = make_settings(model=named, max_iterations=max_iterations, **settings)
    return events(problem, chosen, given)


def refine(
    prompt: str,
    *,
    checks: str = "",
    model: str | Model | None = None,
    max_iterations: int | None = None,
    entry_point: str | None = None,
    name: str | None = None,
    strict: bool = False,
    observer: loop.Observer = lambda run, event: None,
    **settings: Any,
) -> Trajectory:
    """Refine until the checks pass, and return the whole record.

    `checks` is test code or doctest text; doctest examples in the prompt count too. `model` is a spec string such as
    ``llama3.2`` or ``replay:tape.jsonl``, or a Model. The other settings are the fields of
    `refine_magic.core.types.Settings`. With `strict`, RefinementFailed is raised where the run does not pass. Raises
    SpecError, PluginError, ModelError and ExecutorError; the last two carry the trajectory so far.
    """
    stream = refine_events(
        prompt,
        checks=checks,
        model=model,
        max_iterations=max_iterations,
        entry_point=entry_point,
        name=name,
        **settings,
    )
    run = loop.drive(stream, observer)
    if strict:
        require_pass(run)
    return run


def require_pass(run: Trajectory) -> None:
    """Raise RefinementFailed, with the trajectory, where the run did not pass."""
    if not run.passed:
        best = run.best_iteration
        passed = f"the best passed {best.result.passed} of {len(best.result.checks)} checks" if best else "no code ran"
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
