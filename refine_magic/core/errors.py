"""What can go wrong on our side. A candidate's failure is data and never one of these.

    RefineError
    ├── ModelError            the model could not be asked, or stopped answering
    │   ├── ModelUnavailable      no server, or it went away
    │   ├── ModelNotFound         the server runs, the model is not there
    │   ├── ContextOverflow       the prompt does not fit the model's context
    │   ├── ModelTimeout          no answer in time
    │   └── ReplayError           the tape does not hold what was asked for
    ├── ExecutorError         no kernel could judge the candidate
    │   ├── KernelStartError      the kernel did not start
    │   └── IsolationUnavailable  the isolation level that was asked for cannot be had here
    ├── SpecError             the prompt or the checks cannot be used
    ├── PluginError           an unknown model, strategy, feedback or executor
    └── RefinementFailed      the run ended without a pass, and the caller asked to be told (``--strict``)

The message is one line that says what happened and, where there is one, the command that mends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refine_magic.core.types import Trajectory


class RefineError(Exception):
    """The root of every error that refine-magic raises; `trajectory` is the record up to it, where a run had begun."""

    trajectory: Trajectory | None = None


class ModelError(RefineError):
    """The model could not be asked, or stopped answering."""


class ModelUnavailable(ModelError):
    """There is no model server, or it went away in the middle."""


class ModelNotFound(ModelError):
    """The model server runs, but does not have this model."""


class ContextOverflow(ModelError):
    """The prompt does not fit the model's context window."""


class ModelTimeout(ModelError):
    """The model did not answer in time."""


class ReplayError(ModelError):
    """The tape does not hold what was asked for."""


class ExecutorError(RefineError):
    """No kernel could judge the candidate."""


class KernelStartError(ExecutorError):
    """The kernel did not start."""


class IsolationUnavailable(ExecutorError):
    """The isolation level that was asked for cannot be had on this machine."""


class SpecError(RefineError):
    """The prompt or the checks cannot be used."""


class PluginError(RefineError):
    """There is no model, strategy, feedback or executor of this name."""


class RefinementFailed(RefineError):
    """The run ended without a pass, and the caller asked to be told."""
