"""What plugs into the loop: a model, an executor, a feedback strategy, a strategy."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, Literal, Protocol

from refine_magic.core.events import ChecksWritten, Event
from refine_magic.core.types import (
    Candidate,
    CheckResult,
    ExecutionResult,
    Message,
    Move,
    Record,
    Rejection,
    Spec,
    Trajectory,
    Usage,
)


class Options(Record):
    """What one request asks of the model; `context_tokens` stays the same for a whole run.

    `problem`, `purpose` and `request` (from 0, counted over the run) say which request this is, for tapes; a server
    never sees them.
    """

    temperature: float = 0.2
    seed: int = 0
    context_tokens: int = 8192
    reply_tokens: int = 1024
    json_schema: dict[str, Any] | None = None
    problem: str = ""
    purpose: Literal["code", "checks"] = "code"
    request: int = 0


class Stream(Protocol):
    """A reply as it is written: iterate for the pieces of text, close to stop the server's work."""

    @property
    def usage(self) -> Usage:
        """What the reply cost, as far as it is known."""

    def __iter__(self) -> Iterator[str]:
        """Yield the pieces of text. Raises ModelError."""

    def close(self) -> None:
        """Stop the server's work; harmless when the reply is complete."""


class Model(Protocol):
    """M: messages in, text out."""

    @property
    def name(self) -> str:
        """The model as the user would name it, such as ``ollama:llama3.2``."""

    def is_loaded(self) -> bool:
        """Tell whether the first piece of text comes without loading the model first. Raises ModelError."""

    def generate(self, messages: Sequence[Message], options: Options) -> Stream:
        """Start a reply. Raises ModelError."""

    def close(self) -> None:
        """Give back what the model holds."""


class Executor(Protocol):
    """R = execute(C) against S, in a fresh kernel for each candidate."""

    @property
    def isolation(self) -> str:
        """The isolation level in force."""

    def prepare(self) -> None:
        """Start the next kernel in the background, so that it is there when the model is done."""

    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        """Judge one candidate; yields each check's result as it comes. Raises ExecutorError."""

    def close(self) -> None:
        """Kill every kernel; harmless when done twice."""


class FeedbackStrategy(Protocol):
    """E = extract_errors(R): the words for what failed."""

    @property
    def name(self) -> str:
        """The name on the command line."""

    def explain(self, spec: Spec, result: ExecutionResult, regressed: Sequence[str] = ()) -> str:
        """Return what the model is told about the result; bounded, with the candidate's own output quoted as data.

        `regressed` are the ids of the checks that the best so far passed and this one does not.
        """


class CheckWriter(Protocol):
    """Has the model write checks, where the user wants some or gave none."""

    def write(self, run: Trajectory, model: Model, most: int) -> Generator[Event, None, ChecksWritten]:
        """Return the problem with what is left of the model's checks once they are cleaned. Raises ModelError.

        Raises SpecError where no check is left and the user gave none.
        """


class Strategy(Protocol):
    """How a proposal is made; judging, best-so-far and stopping are the loop's alone."""

    @property
    def name(self) -> str:
        """The name on the command line."""

    @property
    def max_iterations(self) -> int | None:
        """The most candidates the strategy proposes in a run, or None where only the settings limit it."""

    def propose(self, run: Trajectory, move: Move, model: Model) -> Generator[Event, None, Candidate | Rejection]:
        """Ask the model for the next candidate; a reply without usable code is a Rejection. Raises ModelError."""
