"""Names to parts, through entry points: ours are registered in the same way as anybody's."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from refine_magic.core.errors import PluginError
from refine_magic.core.protocols import Executor, FeedbackStrategy, Model, Strategy
from refine_magic.core.types import Settings

KINDS = {"models": "model", "strategies": "strategy", "feedback": "feedback", "executors": "executor"}


def available(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of ``refine_magic.GROUP`` by name."""
    return {point.name: point for point in entry_points(group=f"refine_magic.{group}")}


def load(group: str, name: str) -> Any:
    """Return the object of that name. Raises PluginError that lists what there is, or says what is missing for it."""
    there = available(group)
    if name not in there:
        raise PluginError(
            f"there is no {KINDS[group]} {name!r}; there are: {', '.join(sorted(there)) or 'none installed'}"
        )
    try:
        return there[name].load()
    except ImportError as error:
        raise PluginError(
            f"the {KINDS[group]} {name!r} needs {error.name or error}; install refine-magic[{name}]"
        ) from error


def open_model(spec: str) -> Model:
    """Return the model for ``name[:argument]``; a bare name that is no adapter's is one of Ollama's.

    Raises PluginError for an adapter that there is not, and ModelError.
    """
    name, colon, argument = spec.strip().partition(":")
    if not name:
        raise PluginError(f"there is no model in {spec!r}; there are: {', '.join(sorted(available('models')))}")
    if name in available("models"):
        return cast(Model, load("models", name)(argument))
    if colon and not is_path(name) and not is_tag(argument):
        load("models", name)
    return cast(Model, load("models", "ollama")(spec.strip()))


def is_path(name: str) -> bool:
    """Tell whether a name can only be a model's, as in ``hf.co/user/model:Q4_K_M`` or ``llama3.2@http://host``."""
    return not set("/.@").isdisjoint(name)


def is_tag(argument: str) -> bool:
    """Tell whether what follows a colon can be an Ollama tag, as in ``llama3.2:1b``, not an adapter's argument."""
    return argument == "latest" or (argument[:1].isdigit() and "/" not in argument) or "-q" in argument


def open_strategy(name: str) -> Strategy:
    """Return the strategy of that name. Raises PluginError."""
    return cast(Strategy, load("strategies", name)())


def open_feedback(name: str) -> FeedbackStrategy:
    """Return the feedback strategy of that name. Raises PluginError."""
    return cast(FeedbackStrategy, load("feedback", name)())


def open_executor(settings: Settings) -> Executor:
    """Return the executor for the settings' ``name[:argument]``, which reads its argument from them.

    Raises PluginError and ExecutorError.
    """
    name, colon, _ = settings.executor.strip().partition(":")
    if name == "kernel" and colon:
        raise PluginError("the executor 'kernel' takes no argument; a kernelspec is named with --kernel")
    return cast(Executor, load("executors", name)(settings))
