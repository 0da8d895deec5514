"""A tape: recorded replies played back, with no model; the same every time.

A tape is JSON lines. The first is ``{"tape": 1, "note": ...}``; each of the others is one reply:
``{"problem": ..., "request": ..., "reply": ..., "seconds": ...}``, matched by problem and request, which counts from 0.
"""

from __future__ import annotations

import importlib.resources
import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from refine_magic.core.errors import ReplayError
from refine_magic.core.protocols import Options, Stream
from refine_magic.core.types import Message, Record, Usage
from refine_magic.models.stream import Pieces, TextStream

PIECE = re.compile(r"\s*\S+|\s+$")


class Reply(Record):
    """One recorded reply; `seconds` is how long it takes to play, which is nothing unless the tape says so."""

    problem: str
    request: int
    purpose: Literal["code", "checks"] = "code"
    reply: str
    seconds: float = 0.0


class Replay:
    """Plays the replies of a tape."""

    def __init__(self, replies: Sequence[Reply], note: str = "", source: str = "") -> None:
        """Take the replies; `note` says where they come from, `source` is for the name and for messages."""
        self.replies = {(reply.problem, reply.purpose, reply.request): reply for reply in replies}
        self.note, self.source = note, source

    @property
    def name(self) -> str:
        """The tape as the user would name it, with what it says of itself."""
        return f"replay:{self.source}" + (f" ({self.note})" if self.note else "")

    def is_loaded(self) -> bool:
        """Tell that there is nothing to load."""
        return True

    def generate(self, messages: Sequence[Message], options: Options) -> Stream:
        """Play the reply for this problem and request. Raises ReplayError where the tape has none."""
        found = self.replies.get((options.problem, options.purpose, options.request))
        if found is None:
            raise ReplayError(self.missing(options))
        return TextStream(lambda stream: play(stream, found), sum(len(message.content) for message in messages))

    def missing(self, options: Options) -> str:
        """Return what the tape lacks, in words."""
        there = sorted({problem for problem, _, _ in self.replies})
        if options.problem not in there:
            return (
                f"the tape {self.source} does not know {options.problem!r}; it knows: {', '.join(there) or 'nothing'}"
            )
        if options.purpose == "checks":
            return f"the tape {self.source} has no checks for the problem {options.problem!r}; write some"
        return f"the tape {self.source} has no reply {options.request + 1} for the problem {options.problem!r}"

    def close(self) -> None:
        """There is nothing to give back."""


def play(stream: TextStream, recorded: Reply) -> Pieces:
    """Yield the words of a reply, spread over its seconds."""
    pieces = PIECE.findall(recorded.reply)
    for piece in pieces:
        if recorded.seconds:
            time.sleep(recorded.seconds / len(pieces))
        yield piece
    stream.finish(
        Usage(completion_tokens=len(pieces), generation_seconds=recorded.seconds, finish_reason="stop", estimated=True)
    )


def read_tape(text: str, source: str) -> Replay:
    """Return the tape that the text holds. Raises ReplayError with the line that is wrong."""
    note, replies = "", []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data: dict[str, Any] = json.loads(line)
            if "tape" in data:
                check_version(data["tape"], f"{source}, line {number}")
                note = str(data.get("note", ""))
            else:
                replies.append(Reply.model_validate(data))
        except (json.JSONDecodeError, ValidationError, TypeError, AttributeError) as error:
            first = str(error).splitlines()[0]
            raise ReplayError(f"{source}, line {number}: this is no tape: {first}") from error
    return Replay(replies, note, source)


def check_version(version: object, where: str) -> None:
    """Raise ReplayError for a tape of another version."""
    if version != 1:
        raise ReplayError(f"{where}: the tape has version {version}; this refine-magic reads 1")


def open_model(argument: str) -> Replay:
    """Return the model for ``replay:FILE``. Raises ReplayError for a file that is not there or is no tape."""
    try:
        path = Path(argument).expanduser()
        return read_tape(path.read_text(encoding="utf-8"), str(path))
    except (OSError, ValueError, RuntimeError) as error:
        reason = "not text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or str(error)
        raise ReplayError(f"the tape {argument or '(no file given)'} cannot be read: {reason}") from error


def shipped(name: str) -> Replay:
    """Return a tape that comes with the package. Raises ReplayError that lists them for one that there is not."""
    tapes = importlib.resources.files("refine_magic.models").joinpath("tapes")
    there = sorted(tape.name.removesuffix(".jsonl") for tape in tapes.iterdir())
    if name not in there:
        raise ReplayError(f"there is no tape {name!r}; there are: {', '.join(there)}")
    return read_tape(tapes.joinpath(f"{name}.jsonl").read_text(encoding="utf-8"), name)
