"""Typed plain data from a candidate's kernel, decoded to exact Python types; nothing of it is executed."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from refine_magic.core.types import RemoteError


@dataclass(frozen=True, eq=False)
class Opaque:
    """A value that cannot cross: it equals nothing, so a check that compares it with plain data fails."""

    type_name: str
    text: str

    def __repr__(self) -> str:
        """Show what the candidate's side said of it."""
        return self.text or f"<{self.type_name} object>"


class Items:
    """The items that an iterator of the candidate gave, in order; an iterator itself, equal only to itself."""

    def __init__(self, items: list[Any], more: bool) -> None:
        """Take the items; `more` says that the iterator had not ended."""
        self._items, self._more, self._next = items, more, 0

    def __iter__(self) -> Items:
        """Return itself, as iterators do."""
        return self

    def __next__(self) -> Any:
        """Return the next item. Raises ValueError where the iterator had more items than were taken."""
        if self._next == len(self._items):
            if self._more:
                raise ValueError(f"an iterator of more than {len(self._items)} items")
            raise StopIteration
        self._next += 1
        return self._items[self._next - 1]

    def __repr__(self) -> str:
        """Show what kind of thing it stands for."""
        return f"<iterator over {self._items[:5]!r}{' ...' if len(self._items) > 5 else ''}>"


@dataclass(frozen=True)
class Answer:
    """What became of one request to the harness: a value, an error or a limit, and what was printed."""

    value: Any = None
    error: RemoteError | None = None
    kinds: tuple[str, ...] = ()
    limit: str = ""
    stdout: str = ""
    stderr: str = ""


class Malformed(ValueError):
    """The kernel answered with something that our harness does not send."""


DECODERS: dict[str, Callable[[Any], Any]] = {
    "int": lambda v: int(v, 16),
    "float": float.fromhex,
    "complex": lambda v: complex(float.fromhex(v[0]), float.fromhex(v[1])),
    "str": str,
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "range": lambda v: range(*(int(part, 16) for part in v)),
    "list": lambda v: [decode(item) for item in v],
    "tuple": lambda v: tuple(decode(item) for item in v),
    "set": lambda v: {decode(item) for item in v},
    "frozenset": lambda v: frozenset(decode(item) for item in v),
    "dict": lambda v: {decode(key): decode(value) for key, value in v},
    "Decimal": Decimal,
    "Fraction": lambda v: Fraction(int(v[0], 16), int(v[1], 16)),
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda v: timedelta(*v),
}


def decode(data: Any) -> Any:
    """Return the value that typed plain data stands for. Raises Malformed."""
    if data is None or data is True or data is False:
        return data
    try:
        if "opaque" in data:
            return Opaque(str(data["opaque"])[:200], str(data["text"])[:300])
        if "items" in data:
            return Items([decode(item) for item in data["items"]], bool(data["more"]))
        ((tag, value),) = data.items()
        return DECODERS[tag](value)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Malformed(f"not typed plain data: {type(error).__name__}") from error


def answer(text: str) -> Answer:
    """Return the harness's answer from the text of its JSON. Raises Malformed."""
    try:
        reply = json.loads(text)
        error = reply.get("error")
        return Answer(
            value=decode(reply.get("value")),
            error=error and remote_error(error),
            kinds=tuple(str(kind) for kind in error["kinds"]) if error else (),
            limit=str(reply.get("limit") or ""),
            stdout=str(reply.get("stdout", "")),
            stderr=str(reply.get("stderr", "")),
        )
    except Malformed:
        raise
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as wrong:
        raise Malformed(f"not an answer of the harness: {type(wrong).__name__}") from wrong


def remote_error(data: dict[str, Any]) -> RemoteError:
    """Return the error as Jupyter words it."""
    lines = tuple(str(line) for line in data.get("traceback", ()))
    return RemoteError(ename=str(data["ename"]), evalue=str(data["evalue"]), traceback=lines)


def from_expression(reply: dict[str, Any]) -> str:
    """Return the string that a user expression of an execute_reply evaluated to. Raises Malformed."""
    try:
        text = reply["data"]["text/plain"]
        value = ast.literal_eval(text)
    except (KeyError, TypeError, ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise Malformed("the kernel's reply holds no string") from error
    if not isinstance(value, str):
        raise Malformed("the kernel's reply holds no string")
    return value
