"""Ask the model once and read its reply, as far as it is needed."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Literal, NamedTuple

from refine_magic.core import standing
from refine_magic.core.events import Event, PhaseChanged, Token
from refine_magic.core.protocols import Model, Options
from refine_magic.core.types import Candidate, Message, Move, Phase, Rejection, Trajectory, Usage
from refine_magic.prompting import completion


class Reply(NamedTuple):
    """What the model wrote, and what it cost."""

    text: str
    usage: Usage


def options(
    run: Trajectory,
    temperature: float,
    *,
    purpose: Literal["code", "checks"] = "code",
    json_schema: dict[str, Any] | None = None,
) -> Options:
    """Return the request's options; each request of a run has a seed of its own, and the same context size."""
    settings = run.settings
    request = len(run.iterations) + len(run.rejections)
    return Options(
        temperature=temperature,
        seed=settings.seed + request,
        context_tokens=settings.context_tokens,
        reply_tokens=settings.reply_tokens,
        json_schema=json_schema,
        problem=run.problem.id,
        purpose=purpose,
        request=request,
    )


def read(
    model: Model,
    messages: tuple[Message, ...],
    chosen: Options,
    phase: Phase,
    is_complete: Callable[[str], bool],
) -> Generator[Event, None, Reply]:
    """Stream a reply until it is complete, and close the stream whatever happens. Raises ModelError."""
    yield PhaseChanged(phase=phase if model.is_loaded() else "loading", restart=True)
    text, waiting = "", True
    stream = model.generate(messages, chosen)
    try:
        for piece in stream:
            if waiting:
                yield PhaseChanged(phase=phase)
                waiting = False
            text += piece
            yield Token(text=piece)
            if not piece.isalnum() and is_complete(text):
                break
    finally:
        stream.close()
    return Reply(text, stream.usage)


def ask(
    run: Trajectory, move: Move, messages: tuple[Message, ...], model: Model
) -> Generator[Event, None, Candidate | Rejection]:
    """Stream a reply up to the closing fence of its code, and return the candidate, or why there is none.

    A reply that its length limit cut off is never a candidate. Raises ModelError.
    """
    entry_point = run.problem.entry_point

    def is_complete(text: str) -> bool:
        return completion.is_complete(text, entry_point)

    text, usage = yield from read(model, messages, options(run, move.temperature), "writing", is_complete)
    before = len(run.iterations) + 1
    if usage.finish_reason == "length" and not is_complete(text):
        return Rejection(before=before, reason="cut_off", kind=move.kind, completion=text, usage=usage)
    code = completion.extract(text, entry_point)
    if code is None:
        return Rejection(before=before, reason="no_code", kind=move.kind, completion=text, usage=usage)
    refined = standing.base(run) if move.kind == "refine" else None
    return Candidate(
        code=code,
        digest=completion.digest(code),
        completion=text,
        parent=refined.index if refined else None,
        move=move,
        messages=messages,
        usage=usage,
    )
