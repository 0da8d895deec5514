"""Typed plain data from a candidate's kernel, decoded to exact Python types; nothing of it is executed."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from refine_magic.core.types import RemoteError
from refine_magic.execution.inside.decoder import LEAVES
from refine_magic.execution.inside.decoder import Malformed as Malformed

DEEPEST = 100
WRITTEN_OUT = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n\r"}


class Opaque:
    """A value that cannot cross: it equals nothing, so a check that compares it with plain data fails.

    What it says of itself (repr, str, truth, length, items) is known, as far as it was asked for.
    """

    def __init__(self, data: dict[str, Any], each: list[Any] | None = None) -> None:
        """Take what the candidate's side said of the value."""
        self.type_name = clean(data.get("opaque"))[:200]
        self._repr = clean(data.get("text"))[:400]
        self._str = clean(data.get("str", self._repr))[:400]
        length = data.get("length")
        self._truth, self._length, self._each = data.get("truth", True) is not False, length, each

    def __repr__(self) -> str:
        """Show what the candidate's side said of it."""
        return self._repr or f"<{self.type_name} object>"

    def __str__(self) -> str:
        """Return its own text."""
        return self._str

    def __bool__(self) -> bool:
        """Tell what it said of its truth."""
        return self._truth

    def __len__(self) -> int:
        """Return what it said of its length. Raises TypeError where it has none."""
        if type(self._length) is not int or self._length < 0:
            raise TypeError(f"object of type {self.type_name} has no len()")
        return self._length

    def __iter__(self) -> Iterator[Any]:
        """Return its items. Raises TypeError where it has none."""
        if self._each is None:
            raise TypeError(f"{self.type_name} object is not iterable")
        return iter(self._each)


class Raised(Exception):
    """The candidate's exception, at the place where the check uses its value."""

    def __init__(self, error: RemoteError) -> None:
        """Take the exception in Jupyter's words."""
        super().__init__(f"{error.ename}: {error.evalue}")
        self.error = error


class Items:
    """The items that an iterator of the candidate gave, in order; an iterator itself, equal only to itself."""

    def __init__(self, items: list[Any], more: bool, error: RemoteError | None = None) -> None:
        """Take the items; `more` says that the iterator had not ended, `error` what it raised at its end."""
        self._items, self._more, self._error, self._next = items, more, error, 0

    def again(self) -> Items:
        """Return the same items from the beginning."""
        return Items(self._items, self._more, self._error)

    def __iter__(self) -> Items:
        """Return itself, as iterators do."""
        return self

    def __next__(self) -> Any:
        """Return the next item. Raises ValueError where the iterator had more items than were taken, and Raised."""
        if self._next == len(self._items):
            if self._error is not None:
                raise Raised(self._error)
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
    """What became of one request to the harness: a value or its repr, an error or a limit, and what was printed."""

    value: Any = None
    shown: str | None = None
    error: RemoteError | None = None
    kinds: tuple[str, ...] = ()
    limit: str = ""
    invalid: bool = False
    stdout: str = ""
    stderr: str = ""


def listed(data: Any, depth: int) -> list[Any]:
    """Return the values of a list of data. Raises Malformed."""
    if not isinstance(data, list):
        raise Malformed("not a list")
    return [decode(item, depth + 1) for item in data]


def paired(data: Any, depth: int) -> dict[Any, Any]:
    """Return the dictionary of pairs of data. Raises Malformed."""
    return dict(listed(pair, depth) for pair in data)


BRANCHES: dict[str, Callable[[Any, int], Any]] = {
    "tuple": lambda v, depth: tuple(listed(v, depth)),
    "set": lambda v, depth: set(listed(v, depth)),
    "frozenset": lambda v, depth: frozenset(listed(v, depth)),
    "dict": paired,
    "keys": lambda v, depth: dict.fromkeys(listed(v, depth)).keys(),
    "values": lambda v, depth: dict(enumerate(listed(v, depth))).values(),
    "pairs": lambda v, depth: dict(listed(v, depth)).items(),
}


def decode(data: Any, depth: int = 0) -> Any:
    """Return the value that typed plain data stands for. Raises Malformed."""
    if data is None or isinstance(data, (bool, int, float, str)):
        return data
    if depth > DEEPEST:
        raise Malformed("nested too deep")
    if isinstance(data, list):
        return listed(data, depth)
    if "opaque" in data:
        return Opaque(data, listed(data["each"], depth) if "each" in data else None)
    if "items" in data:
        error = data.get("raised")
        return Items(listed(data["items"], depth), data.get("more") is True, error and remote_error(error))
    if len(data) != 1:
        raise Malformed("not typed plain data")
    ((tag, value),) = data.items()
    try:
        return LEAVES[tag](value) if tag in LEAVES else BRANCHES[tag](value, depth)
    except (Malformed, KeyError):
        raise Malformed("not typed plain data") from None
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as wrong:
        return Opaque({"opaque": tag, "text": f"<a {clean(tag)} that cannot be carried over: {wrong}>"})


def answer(text: str) -> Answer:
    """Return the harness's answer from the text of its JSON. Raises Malformed."""
    try:
        reply = json.loads(text)
        error, shown = reply.get("error"), reply.get("shown")
        return Answer(
            value=decode(reply.get("value")),
            shown=None if shown is None else clean(shown),
            error=error and remote_error(error),
            kinds=tuple(str(kind) for kind in error["kinds"]) if error else (),
            limit=clean(reply.get("limit") or "")[:400],
            invalid=reply.get("invalid") is True,
            stdout=clean(reply.get("stdout", "")),
            stderr=clean(reply.get("stderr", "")),
        )
    except Malformed:
        raise
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as wrong:
        raise Malformed(f"not an answer of the harness: {type(wrong).__name__}") from wrong


def json_object(text: str) -> dict[str, Any]:
    """Return the object that a text is the JSON of. Raises Malformed."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise Malformed(f"no JSON: {type(wrong).__name__}") from None
    if not isinstance(found, dict):
        raise Malformed("no object")
    return found


def check_reply(reply: dict[str, Any]) -> None:
    """Raise Malformed for an answer to a stub whose parts are not what they should be; values are read elsewhere."""
    raised = reply.get("raised")
    texts = all(isinstance(reply.get(name), str) for name in ("stdout", "stderr"))
    if not texts or not isinstance(reply.get("states"), list):
        raise Malformed("not an answer to a stub")
    if not any(name in reply for name in ("value", "items", "raised")):
        raise Malformed("an answer without a value")
    if raised is not None:
        try:
            remote_error(reply["error"])
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise Malformed(f"not an exception: {type(wrong).__name__}") from None


def clean(text: object) -> str:
    """Return text that any file, any JSON and any terminal can carry.

    A lone surrogate is written out, and so is a control character, which could move a terminal's cursor or worse.
    """
    return str(text).encode("utf-8", "backslashreplace").decode("utf-8").translate(WRITTEN_OUT)


def remote_error(data: dict[str, Any]) -> RemoteError:
    """Return the error as Jupyter words it."""
    lines = tuple(clean(line)[:2000] for line in list(data.get("traceback", ()))[:50])
    values = {clean(name)[:120]: clean(value)[:120] for name, value in list(data.get("locals", {}).items())[:12]}
    return RemoteError(
        ename=clean(data["ename"])[:200], evalue=clean(data["evalue"])[:2000], traceback=lines, locals=values
    )


def from_expression(reply: dict[str, Any], longest: int) -> str:
    """Return the string that the user expression of an execute_reply evaluated to. Raises Malformed."""
    try:
        text = reply["user_expressions"]["answer"]["data"]["text/plain"]
        if len(text) > longest or text[0] not in "'\"":
            raise Malformed("the kernel's reply holds no string of ours")
        value = ast.literal_eval(text)
    except (KeyError, IndexError, TypeError, ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise Malformed("the kernel's reply holds no string") from error
    if not isinstance(value, str):
        raise Malformed("the kernel's reply holds no string")
    return value


def failed_for_memory(reply: dict[str, Any]) -> bool:
    """Tell whether the harness itself found no memory to answer with."""
    try:
        return bool(reply["user_expressions"]["answer"]["ename"] == "MemoryError")
    except (KeyError, TypeError):
        return False
