"""Ask the model once and read its reply, as far as it is needed."""

from __future__ import annotations

from collections.abc import Generator

from refine_magic.core.events import Event, PhaseChanged, Token
from refine_magic.core.protocols import Model, Options
from refine_magic.core.types import Candidate, Message, Move, Rejection, Trajectory
from refine_magic.prompting import completion


def options(run: Trajectory, move: Move) -> Options:
    """Return the request's options; each request of a run has a seed of its own, and the same context size."""
    settings = run.settings
    request = len(run.iterations) + len(run.rejections)
    return Options(
        temperature=move.temperature,
        seed=settings.seed + request,
        context_tokens=settings.context_tokens,
        reply_tokens=settings.reply_tokens,
        problem=run.problem.id,
        request=request,
    )


def ask(
    run: Trajectory, move: Move, messages: tuple[Message, ...], model: Model
) -> Generator[Event, None, Candidate | Rejection]:
    """Stream a reply up to the closing fence of its code, and return the candidate, or why there is none.

    A reply that its length limit cut off is never a candidate. Raises ModelError.
    """
    yield PhaseChanged(phase="writing" if model.is_loaded() else "loading", restart=True)
    entry_point, text, waiting = run.problem.entry_point, "", True
    stream = model.generate(messages, options(run, move))
    try:
        for piece in stream:
            if waiting:
                yield PhaseChanged(phase="writing")
                waiting = False
            text += piece
            yield Token(text=piece)
            if "\n" in piece or "`" in piece or "~" in piece:
                if completion.is_complete(text, entry_point):
                    break
    finally:
        stream.close()
    usage, complete = stream.usage, completion.is_complete(text, entry_point)
    before = len(run.iterations) + 1
    if usage.finish_reason == "length" and not complete:
        return Rejection(before=before, reason="cut_off", completion=text, usage=usage)
    code = completion.extract(text, entry_point)
    if code is None:
        return Rejection(before=before, reason="no_code", completion=text, usage=usage)
    return Candidate(
        code=code,
        digest=completion.digest(code),
        completion=text,
        parent=run.best if move.kind == "refine" else None,
        move=move,
        messages=messages,
        usage=usage,
    )
