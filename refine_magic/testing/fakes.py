"""A model that says what it is told to, and an executor without kernels."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from refine_magic.core import standing
from refine_magic.core.protocols import Options, Stream
from refine_magic.core.types import Candidate, Check, CheckResult, ExecutionResult, Message, Spec, Usage
from refine_magic.models.stream import Pieces, TextStream


def fenced(code: str) -> str:
    """Return code as a model would reply with it."""
    return f"```python\n{code.strip()}\n```\n"


class ScriptedModel:
    """Replies with the given texts in order, the last one for ever; an exception among them is raised in its place.

    `requests` keeps what was asked, `closed` how many replies were closed before their end.
    """

    def __init__(self, *replies: str | BaseException, finish_reason: str = "stop", name: str = "scripted") -> None:
        """Take the replies."""
        self.replies, self.finish_reason, self._name = replies, finish_reason, name
        self.requests: list[tuple[tuple[Message, ...], Options]] = []
        self.closed = 0

    @property
    def name(self) -> str:
        """The name that the trajectory shows."""
        return self._name

    def is_loaded(self) -> bool:
        """Tell that there is nothing to load."""
        return True

    def generate(self, messages: Sequence[Message], options: Options) -> Stream:
        """Reply with the next text, a few characters at a time."""
        reply = self.replies[min(len(self.requests), len(self.replies) - 1)]
        self.requests.append((tuple(messages), options))
        return TextStream(lambda stream: self.write(stream, reply), sum(len(m.content) for m in messages))

    def write(self, stream: TextStream, reply: str | BaseException) -> Pieces:
        """Yield the text in pieces of seven characters."""
        if isinstance(reply, BaseException):
            yield "```python\n"
            raise reply
        try:
            for start in range(0, len(reply), 7):
                yield reply[start : start + 7]
        except GeneratorExit:
            self.closed += 1
            raise
        stream.finish(Usage(completion_tokens=-(-len(reply) // 7), finish_reason=self.finish_reason))

    def close(self) -> None:
        """There is nothing to give back."""


class FakeExecutor:
    """Decides each check by a function of the code and the check, without a kernel."""

    isolation = "none"

    def __init__(self, holds: Callable[[str, Check], bool]) -> None:
        """Take the function."""
        self.holds, self.executed, self.closed = holds, [], False  # type: ignore[var-annotated]

    def prepare(self) -> None:
        """There is nothing to start."""

    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        """Judge by the function. Raises what it raises."""
        self.executed.append(candidate.code)
        results = []
        for check in spec.checks:
            outcome = "passed" if self.holds(candidate.code, check) else "failed"
            results.append(CheckResult.model_validate({"check_id": check.id, "outcome": outcome}))
            yield results[-1]
        return ExecutionResult(outcome=standing.verdict(spec, results), checks=tuple(results), isolation="none")

    def close(self) -> None:
        """Take down that it was closed."""
        self.closed = True
