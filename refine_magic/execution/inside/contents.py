"""What containers hold: a copy to tell changes by, the tag that each kind crosses under, an empty one for each tag.

Stand-alone, standard library only.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refine_magic.execution.inside.decoder import Malformed
else:
    from _refine_decoder import Malformed

FACTORIES: dict[str, Callable[[], Any]] = {
    kind.__name__: kind for kind in (int, float, str, list, dict, set, tuple, bool, collections.Counter)
}
CONTAINERS = (list, tuple, dict, set, frozenset, bytearray, collections.deque)
SEQUENCES = (list, tuple, set, frozenset, collections.deque)
MUTABLE = (list, dict, set, bytearray, collections.deque)


def content(thing: Any) -> Any:
    """Return a shallow copy of what a container holds."""
    if isinstance(thing, bytearray):
        return bytes(thing)
    if isinstance(thing, dict):
        return [each for pair in pairs_of(thing) for each in pair]
    return list(next(base for base in SEQUENCES if isinstance(thing, base)).__iter__(thing))


def pairs_of(thing: Any) -> Iterable[tuple[Any, Any]]:
    """Return a dictionary's items, by the base's own method; an ordered one keeps an order of its own."""
    ordered: Any = collections.OrderedDict
    return ordered.items(thing) if isinstance(thing, ordered) else dict.items(thing)


def same(now: Any, before: Any) -> bool:
    """Tell whether two contents hold the very same things."""
    if before is None or isinstance(now, bytes):
        return bool(now == before)
    return len(now) == len(before) and all(map(operator.is_, now, before))


def dict_tag(value: Any) -> str:
    """Return which kind of dictionary it is, of those that differ in what they do."""
    kinds = (collections.Counter, collections.defaultdict, collections.OrderedDict)
    return next((kind.__name__ for kind in kinds if isinstance(value, kind)), "dict")


def is_named(kind: type) -> bool:
    """Tell a named tuple's class."""
    fields = getattr(kind, "_fields", None)
    return issubclass(kind, tuple) and isinstance(fields, tuple) and all(type(field) is str for field in fields)


def named(name: str, fields: list[str]) -> Callable[..., Any]:
    """Return a named tuple's class with these fields."""
    if not (isinstance(name, str) and len(fields) <= 200 and all(type(field) is str for field in fields)):
        raise Malformed("no fields")
    return collections.namedtuple(name if name.isidentifier() else "Row", fields, rename=True)


def empty(data: dict[str, Any]) -> Any:
    """Return a new container of the kind that the data have, with nothing in it."""
    if "deque" in data:
        return collections.deque(maxlen=data["maxlen"])
    if "defaultdict" in data:
        return collections.defaultdict(FACTORIES.get(data.get("factory", "")))
    return next((made for tag, made in EMPTY.items() if tag in data), no_container)()


def no_container() -> Any:
    """Raise Malformed."""
    raise Malformed("no container")


def keyed(items: Iterable[Any]) -> dict[Any, Any]:
    """Return a dictionary of pairs."""
    return {key: value for key, value in items}  # noqa: C416 - what is no pair is an error


TAGS: dict[str, type] = {
    "list": list, "set": set, "bytearray": bytearray, "deque": collections.deque, "dict": dict, "Counter": dict,
    "defaultdict": dict, "OrderedDict": dict,
}  # fmt: skip
EMPTY: dict[str, Callable[[], Any]] = {
    "list": list, "set": set, "bytearray": bytearray, "dict": dict, "Counter": collections.Counter,
    "OrderedDict": collections.OrderedDict,
}  # fmt: skip
VIEW_MAKERS: dict[str, Callable[[list[Any]], Any]] = {
    "keys": lambda items: dict.fromkeys(items).keys(),
    "values": lambda items: dict(enumerate(items)).values(),
    "pairs": lambda items: keyed(items).items(),
}
