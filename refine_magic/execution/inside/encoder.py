"""Inside the candidate's kernel: from a value, or an exception, to typed plain data.

Stand-alone, standard library only; its source is sent to the kernel before that of `harness`. `wire` is its other end.
"""

from __future__ import annotations

import builtins
import contextlib
import datetime
import decimal
import fractions
import itertools
import reprlib
import time
import traceback
import types
from collections.abc import Callable, Iterable
from typing import Any

MOST_ITEMS = 10_000
MOST_LOCALS = 12
LONGEST_LOCAL = 120
DEFINITIONS = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)


class OutputLimit(BaseException):
    """The candidate printed more than it may."""


class TooBig(Exception):
    """The value is more than may cross."""


class Encoder:
    """Makes typed plain data for JSON of one value; a subclass goes by its base value, by the base's own methods."""

    def __init__(self, limit: int, depth: int, take: int | None = None) -> None:
        """Allow `limit` bytes or so, `depth` levels, and `take` items of an iterator."""
        self.limit, self.left, self.depth, self.take = limit, limit, depth, take

    def encode(self, value: Any) -> Any:
        """Return the data; what cannot cross, or is too big or too deep, is described instead."""
        try:
            return self.value(value, 0)
        except TooBig as error:
            return {"opaque": name_of(type(value)), "text": f"<{error}>", **sizes(value)}
        except MemoryError:
            raise
        except Exception as error:
            return {"opaque": name_of(type(value)), "text": f"<a value that raised {type(error).__name__} when read>"}

    def spend(self, amount: int) -> None:
        """Count what is sent. Raises TooBig."""
        self.left -= amount
        if self.left < 0:
            raise TooBig(f"a result of more than {self.limit} bytes")

    def value(self, value: Any, depth: int) -> Any:
        """Return the data of a value that many levels down. Raises TooBig, and what the value itself raises."""
        if depth > self.depth:
            raise TooBig(f"a result nested more than {self.depth} deep")
        kind = type(value)
        self.spend(6)
        if value is None or value is True or value is False:
            return value
        for base, how in PLAIN:
            if issubclass(kind, base):
                return how(self, value, depth + 1)
        if kind in VIEWS:
            return {VIEWS[kind]: self.each(list(value), depth + 1)}
        if any(base.__module__ == "numpy" and base.__name__ == "generic" for base in kind.__mro__):
            return self.value(value.item(), depth + 1)
        if hasattr(kind, "__next__"):
            return self.iterator(value, depth + 1)
        return self.opaque(value, depth + 1)

    def each(self, items: Iterable[Any], depth: int) -> list[Any]:
        """Return the data of each item."""
        return [self.value(item, depth) for item in items]

    def pairs(self, items: Iterable[tuple[Any, Any]], depth: int) -> list[list[Any]]:
        """Return the data of each key and its value."""
        return [[self.value(key, depth), self.value(item, depth)] for key, item in items]

    def number(self, value: Any, depth: int) -> Any:
        """Return an integer as JSON can carry it."""
        number = int.__index__(value)
        if -(1 << 63) < number < 1 << 63:
            return number
        text = hex(number)
        self.spend(len(text))
        return {"int": text}

    def text(self, value: Any, depth: int) -> str:
        """Return the text of a str."""
        text = value if type(value) is str else "".join(str.__iter__(value))
        self.spend(len(text))
        return text

    def octets(self, value: Any, depth: int) -> dict[str, str]:
        """Return bytes as hexadecimal digits."""
        base = bytes if issubclass(type(value), bytes) else bytearray
        self.spend(2 * base.__len__(value))
        return {base.__name__: bytes(base.__iter__(value)).hex()}

    def iterator(self, value: Any, depth: int) -> dict[str, Any]:
        """Take items until the iterator ends, has given as many as are wanted, or raises."""
        items: list[Any] = []
        began, most = time.monotonic(), MOST_ITEMS if self.take is None else self.take
        reply: dict[str, Any] = {"items": items, "more": False}
        try:
            while True:
                if len(items) >= most or (len(items) > 1000 and time.monotonic() - began > 1):
                    reply["more"] = True
                    break
                try:
                    item = next(value)
                except StopIteration:
                    break
                items.append(self.value(item, depth))
        except (TooBig, OutputLimit, MemoryError):
            raise
        except BaseException as error:
            reply["raised"] = describe(error)
        return reply

    def opaque(self, value: Any, depth: int) -> dict[str, Any]:
        """Describe a value that cannot cross: its repr and str, its truth and length, its items."""
        reply = {"opaque": name_of(type(value)), "text": short(value, repr), "str": short(value, str), **sizes(value)}
        self.spend(len(reply["text"]) + len(reply["str"]))
        if hasattr(type(value), "__iter__") and not isinstance(value, type):
            with contextlib.suppress(Exception):
                items = list(itertools.islice(iter(value), MOST_ITEMS + 1))
                if len(items) <= MOST_ITEMS:
                    reply["each"] = self.each(items, depth)
        return reply


VIEWS: dict[type, str] = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "pairs"}
PLAIN: tuple[tuple[type | tuple[type, ...], Callable[[Encoder, Any, int], Any]], ...] = (
    (int, Encoder.number),
    (float, lambda self, v, depth: float.__float__(v)),
    (str, Encoder.text),
    (list, lambda self, v, depth: self.each(list.__iter__(v), depth)),
    (tuple, lambda self, v, depth: {"tuple": self.each(tuple.__iter__(v), depth)}),
    (dict, lambda self, v, depth: {"dict": self.pairs(dict.items(v), depth)}),
    (set, lambda self, v, depth: {"set": self.each(set.__iter__(v), depth)}),
    (frozenset, lambda self, v, depth: {"frozenset": self.each(frozenset.__iter__(v), depth)}),
    (complex, lambda self, v, depth: {"complex": [complex.real.__get__(v), complex.imag.__get__(v)]}),
    ((bytes, bytearray), Encoder.octets),
    (range, lambda self, v, depth: {"range": [hex(v.start), hex(v.stop), hex(v.step)]}),
    (decimal.Decimal, lambda self, v, depth: {"Decimal": decimal.Decimal.__str__(v)}),
    (fractions.Fraction, lambda self, v, depth: {"Fraction": [hex(v.numerator), hex(v.denominator)]}),
    (datetime.datetime, lambda self, v, depth: {"datetime": datetime.datetime.isoformat(v)}),
    (datetime.date, lambda self, v, depth: {"date": datetime.date.isoformat(v)}),
    (datetime.time, lambda self, v, depth: {"time": datetime.time.isoformat(v)}),
    (datetime.timedelta, lambda self, v, depth: {"timedelta": [v.days, v.seconds, v.microseconds]}),
)


def name_of(kind: type) -> str:
    """Return a type's full name."""
    return f"{kind.__module__}.{kind.__qualname__}"


def short(value: Any, how: Callable[[Any], str]) -> str:
    """Return the repr or str of a value, cut."""
    try:
        return str.__str__(how(value))[:400]
    except Exception as error:
        return f"<its {how.__name__} raised {type(error).__name__}>"


def sizes(value: Any) -> dict[str, Any]:
    """Return a value's truth and, where it has one, its length, as the value itself says."""
    found: dict[str, Any] = {}
    with contextlib.suppress(Exception):
        found["truth"] = bool(value)
    with contextlib.suppress(Exception):
        found["length"] = len(value)
    return found


def describe(error: BaseException) -> dict[str, Any]:
    """Return an exception in Jupyter's words; the frames of this file are left out."""
    stack = error.__traceback__
    if isinstance(error, MemoryError):
        traceback.clear_frames(stack)
    try:
        shown = traceback.TracebackException.from_exception(error, limit=-12)
        shown.stack = traceback.StackSummary.from_list(
            [frame for frame in shown.stack if frame.filename not in ("<harness>", "<call>")]
        )
        lines = [str(line)[:2000] for line in shown.format()][-40:]
    except Exception as broken:
        lines = [f"<the traceback could not be shown: {type(broken).__name__}>"]
    try:
        evalue = str(error)[:2000]
    except Exception as broken:
        evalue = f"<its text raised {type(broken).__name__}>"
    found = {} if isinstance(error, MemoryError) else local_values(stack)
    kinds = [kind.__name__ for kind in type(error).__mro__ if getattr(builtins, kind.__name__, None) is kind]
    return {
        "ename": str(type(error).__name__)[:200],
        "evalue": evalue,
        "traceback": lines,
        "kinds": kinds[:32],
        "locals": found,
    }


def local_values(stack: types.TracebackType | None) -> dict[str, str]:
    """Return the first locals of the candidate's innermost frame as short reprs, definitions and modules left out."""
    frame = None
    while stack is not None:
        if stack.tb_frame.f_code.co_filename == "<candidate>":
            frame = stack.tb_frame
        stack = stack.tb_next
    found: dict[str, str] = {}
    with contextlib.suppress(Exception):
        for name, value in list(frame.f_locals.items()) if frame is not None else ():
            plain = str(name)[:1] not in ("_", ".") and not isinstance(value, DEFINITIONS)
            if plain and len(found) < MOST_LOCALS:
                found[str(name)[:LONGEST_LOCAL]] = brief(value)
    return found


def brief(value: Any) -> str:
    """Return a short repr that is quick to make for plain data of any size."""
    if isinstance(value, int) and int.bit_length(value) > 1000:
        return f"<an int of {int.bit_length(value)} bits>"
    shown = reprlib.Repr()
    shown.maxlist = shown.maxtuple = shown.maxset = shown.maxdict = shown.maxdeque = 12
    shown.maxlevel, shown.maxstring, shown.maxother, shown.maxlong = 3, 100, LONGEST_LOCAL, 60
    try:
        return str.__str__(shown.repr(value))[:LONGEST_LOCAL]
    except BaseException as error:  # the candidate's own repr may raise anything
        return f"<its repr raised {type(error).__name__}>"
