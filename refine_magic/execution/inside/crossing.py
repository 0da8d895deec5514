"""Values that cross between the judge's kernel and the candidate's, with their identity and their state.

Stand-alone, standard library only. Both kernels keep a table of the objects that the test still holds: a number stands
for the same object on both sides, and each message carries the new contents of those that changed. What is no plain
data crosses as a handle: its number, and how it shows.
"""

from __future__ import annotations

import builtins
import collections
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refine_magic.execution.inside.contents import (
        CONTAINERS,
        FACTORIES,
        MUTABLE,
        SEQUENCES,
        TAGS,
        VIEW_MAKERS,
        content,
        dict_tag,
        empty,
        is_named,
        named,
        pairs_of,
        same,
    )
    from refine_magic.execution.inside.decoder import LEAVES, Malformed
    from refine_magic.execution.inside.encoder import VIEWS, Encoder, TooBig, name_of
else:
    from _refine_contents import (
        CONTAINERS,
        FACTORIES,
        MUTABLE,
        SEQUENCES,
        TAGS,
        VIEW_MAKERS,
        content,
        dict_tag,
        empty,
        is_named,
        named,
        pairs_of,
        same,
    )
    from _refine_decoder import LEAVES, Malformed
    from _refine_encoder import VIEWS, Encoder, TooBig, name_of

DEEPEST = 100
LONGEST_REPR = 10_000
BUILTINS = frozenset(
    """abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter float format frozenset hash
    hex int iter len list map max min next object oct ord pow range repr reversed round set slice sorted str sum
    tuple type zip""".split()
)
SHOWN_BY = {"next": "__next__", "call": "__call__"}


class CannotCross(TypeError):
    """The test gives the candidate something of its own that is no plain data, such as a function."""


class Crossing(Encoder):
    """One side's table of shared objects, with the encoding and the decoding of messages about them."""

    def __init__(self, limit: int, depth: int, *, first: int, opaque: Callable[[int, dict[str, Any]], Any]) -> None:
        """Number own objects `first`, `first` + 2...; `opaque` makes what stands for the other side's handle."""
        super().__init__(limit, depth)
        self.things: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}
        self.seen: dict[int, Any] = {}
        self.handles: set[int] = set()
        self.own, self.following, self.stand_in = first % 2, first, opaque
        self.defined: list[int] = []

    def begin(self) -> None:
        """Begin a message: its size counts anew."""
        self.left, self.defined = self.limit, []

    def add(self, thing: Any, number: int | None = None) -> int:
        """Enter an object into the table, under the other side's number or one of our own, and return the number."""
        if number is None:
            number, self.following = self.following, self.following + 2
        self.things[number], self.numbers[id(thing)] = thing, number
        self.defined.append(number)
        return number

    def forget(self, number: int) -> None:
        """Take an object out of the table."""
        thing = self.things.pop(number, None)
        if thing is not None:
            self.numbers.pop(id(thing), None)
        self.seen.pop(number, None)
        self.handles.discard(number)

    def encode(self, value: Any) -> Any:
        """Return the data of a value; one that is too big or too deep crosses as a handle. Raises CannotCross."""
        before, left = len(self.defined), self.left
        try:
            return self.value(value, 0)
        except (TooBig, RecursionError):
            for number in self.defined[before:]:
                self.forget(number)
            self.left = left
            return self.opaque(value, 0)

    def value(self, value: Any, depth: int) -> Any:
        """Return the data of a value that many levels down. Raises TooBig and CannotCross."""
        if depth > self.depth:
            raise TooBig(f"a result nested more than {self.depth} deep")
        kind = type(value)
        if value is None or kind is bool:
            return value
        number = self.numbers.get(id(value))
        if number is not None:
            self.spend(12)
            return {"ref": number}
        if kind not in VIEWS and issubclass(kind, CONTAINERS):
            return self.container(value, depth + 1, self.add(value))
        if isinstance(value, (type, type(len))):
            name: str = getattr(value, "__name__", "")
            known = name in BUILTINS or (isinstance(value, type) and issubclass(value, BaseException))
            if known and getattr(builtins, name, None) is value:
                return {"builtin": name}
        return super().value(value, depth)

    def iterator(self, value: Any, depth: int) -> dict[str, Any]:
        """Return a handle: its items are pulled one by one."""
        return self.opaque(value, depth)

    def opaque(self, value: Any, depth: int) -> dict[str, Any]:
        """Return a handle."""
        try:
            text = str.__str__(repr(value))[:LONGEST_REPR]
        except Exception as error:
            text = f"<its repr raised {type(error).__name__}>"
        self.spend(len(text))
        kinds = {word: True for word, method in SHOWN_BY.items() if hasattr(type(value), method)}
        number = self.add(value)
        self.handles.add(number)
        return {"handle": number, "type": name_of(type(value))[:200], "text": text, **kinds}

    def container(self, value: Any, depth: int, number: int) -> dict[str, Any]:
        """Return the data of a container's content, and keep a copy to tell later changes by."""
        self.spend(16)
        found: dict[str, Any] = {"id": number}
        kind = type(value)
        if issubclass(kind, dict):
            found[dict_tag(value)] = self.pairs(pairs_of(value), depth)
            factory = getattr(getattr(value, "default_factory", None), "__name__", "")
            found |= {"factory": factory} if isinstance(value, collections.defaultdict) and factory in FACTORIES else {}
        elif issubclass(kind, bytearray):
            self.spend(2 * len(value))
            found["bytearray"] = bytes(value).hex()
        elif is_named(kind):
            found |= {"namedtuple": self.each(tuple.__iter__(value), depth), "fields": list(kind._fields)}
            found["name"] = kind.__name__
        else:
            base = next(base for base in SEQUENCES if issubclass(kind, base))
            found[base.__name__] = self.each(base.__iter__(value), depth)
            found |= {"maxlen": value.maxlen} if base is collections.deque else {}
        if isinstance(value, MUTABLE):
            self.seen[number] = content(value)
        return found

    def states(self) -> list[list[Any]]:
        """Return the contents of the shared objects that changed since the last message."""
        found = []
        for number, thing in list(self.things.items()):
            if number in self.handles or not isinstance(thing, MUTABLE):
                continue
            if not same(content(thing), self.seen.get(number)):
                found.append([number, self.container(thing, 1, number)])
        return found

    def decode(self, data: Any, depth: int = 0) -> Any:
        """Return the value that the data stand for. Raises Malformed."""
        if data is None or isinstance(data, (bool, int, float, str)):
            return data
        if depth > DEEPEST or not isinstance(data, dict):
            raise Malformed("nested too deep" if depth > DEEPEST else "not typed plain data")
        try:
            return self.tagged(data, depth + 1)
        except Malformed:
            raise
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, ArithmeticError) as wrong:
            raise Malformed(f"not typed plain data: {type(wrong).__name__}") from None

    def tagged(self, data: dict[str, Any], depth: int) -> Any:
        """Return the value of one object of JSON; raises whatever a malformed one leads to."""
        if "ref" in data:
            return self.things[data["ref"]]
        if "handle" in data:
            number = self.number_of(data["handle"])
            made = self.stand_in(number, data)
            self.add(made, number)
            return made
        if "id" in data:
            return self.contained(data, depth, self.number_of(data["id"]))
        ((tag, value),) = data.items()
        if tag == "builtin":
            found = getattr(builtins, value)
            if value in BUILTINS or issubclass(found, BaseException):
                return found
        if tag in VIEW_MAKERS:
            return VIEW_MAKERS[tag](self.listed(value, depth))
        return LEAVES[tag](value)

    def number_of(self, number: Any) -> int:
        """Return a new number of the other side's. Raises Malformed for one that is not."""
        if type(number) is not int or number in self.things or number % 2 == self.own:
            raise Malformed("a number that is not its own")
        return number

    def listed(self, data: Any, depth: int) -> list[Any]:
        """Return the values of a list of data."""
        if not isinstance(data, list):
            raise Malformed("not a list")
        return [self.decode(item, depth) for item in data]

    def contained(self, data: dict[str, Any], depth: int, number: int) -> Any:
        """Return a new container with its content; one that can change is there before its items, which may hold it."""
        made: Any
        if "tuple" in data:
            made = tuple(self.listed(data["tuple"], depth))
        elif "frozenset" in data:
            made = frozenset(self.listed(data["frozenset"], depth))
        elif "namedtuple" in data:
            made = named(data["name"], data["fields"])(*self.listed(data["namedtuple"], depth))
        else:
            made = empty(data)
            self.add(made, number)
            self.fill(number, data, depth)
            return made
        self.add(made, number)
        return made

    def fill(self, number: int, data: dict[str, Any], depth: int = 1) -> None:
        """Give a shared object its new content, in place. Raises Malformed."""
        thing = self.things.get(number)
        tag = next((tag for tag in TAGS if tag in data), "")
        if not isinstance(thing, MUTABLE) or not isinstance(thing, TAGS.get(tag, ())):
            raise Malformed("a state that is not that object's")
        items: Any
        if isinstance(thing, bytearray):
            thing[:] = bytes.fromhex(data[tag])
        elif isinstance(thing, dict):
            items = [self.listed(pair, depth) for pair in data[tag]]
            thing.clear()
            for key, item in items:
                thing[key] = item
        else:
            items = self.listed(data[tag], depth)
            thing.clear()
            (thing.update if isinstance(thing, set) else thing.extend)(items)
        self.seen[number] = content(thing)

    def apply(self, states: Any) -> None:
        """Take the other side's changes over. Raises Malformed."""
        try:
            for number, data in states:
                self.fill(number, data)
        except Malformed:
            raise
        except (TypeError, ValueError, KeyError, AttributeError) as wrong:
            raise Malformed(f"no states: {type(wrong).__name__}") from None

    def unheld(self) -> list[int]:
        """Forget the objects that only the table still holds, and return their numbers."""
        gone: list[int] = []
        while True:
            count = {number: sys.getrefcount(thing) for number, thing in self.things.items()}
            found = [number for number, held in count.items() if held <= ALONE]
            for number in found:
                self.forget(number)
            gone += found
            if not found:
                return gone


def alone() -> int:
    """Return the reference count, as `unheld` reads it, of an object that only a table holds."""
    things = {0: [0]}
    return {number: sys.getrefcount(thing) for number, thing in things.items()}[0]


ALONE = alone()
