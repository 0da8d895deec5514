"""In the judge's kernel: what stands for the candidate's functions and objects, and asks for them.

Stand-alone, standard library only. What comes back is data; an exception is made anew from the names of its built-in
classes, so that a candidate can raise nothing of pytest's or unittest's.
"""

from __future__ import annotations

import builtins
import collections
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refine_magic.execution.inside.crossing import CannotCross, Crossing
    from refine_magic.execution.inside.decoder import Malformed
    from refine_magic.execution.inside.encoder import TooBig
else:
    from _refine_crossing import CannotCross, Crossing
    from _refine_decoder import Malformed
    from _refine_encoder import TooBig

ONE_BY_ONE = 100
TOGETHER = 1000
Ask = Callable[[str], str]


class Broken(BaseException):
    """The candidate's side can be asked no more, so the check cannot pass."""


class TestSide(Crossing):
    """The test's side of the table: what is the test's own and no plain data stays here."""

    def encode(self, value: Any) -> Any:
        """Return the data of an argument. Raises CannotCross, and TooBig for one that is too large to send."""
        return self.value(value, 0)

    def opaque(self, value: Any, depth: int) -> dict[str, Any]:
        """Refuse. Raises CannotCross; what the candidate could have brought about is a TypeError."""
        if isinstance(value, BaseException):
            raise TypeError("an exception cannot be given to the code under test here")
        raise CannotCross(f"a {type(value).__name__} is given to the code under test")


class Counterpart:
    """The way to the candidate's kernel for one check."""

    def __init__(self, ask: Ask, limit: int, depth: int) -> None:
        """Ask through this function; arguments may have `limit` bytes."""
        self.ask, self.fresh, self.broken, self.own = ask, True, "", ""
        self.crossing = TestSide(limit, depth, first=2, opaque=self.stand_in)
        self.raised: list[BaseException] = []

    def stub(self, name: str) -> Callable[..., Any]:
        """Return a function that calls the candidate's function of that name."""

        def stub(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            return self.request("call", name, args, kwargs)

        stub.__name__ = stub.__qualname__ = name
        return stub

    def stand_in(self, number: int, data: dict[str, Any]) -> Remote:
        """Return what stands for an object of the candidate's."""
        kind = RemoteIterator if data.get("next") is True else Remote
        return kind(self, number, str(data.get("text", ""))[:10_000], str(data.get("type", ""))[:200])

    def request(self, do: str, of: str | int, args: Any = (), kwargs: Any = None) -> Any:
        """Have one thing done on the candidate's side; return its value or raise its exception."""
        __tracebackhide__ = True
        reply = self.exchange(do, of, args, kwargs or {})
        if reply.get("raised") is not None:
            raise self.exception(reply["raised"])
        return reply["value"]

    def exchange(self, do: str, of: str | int, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Send one message and return the reply, decoded, with the states taken over. Raises Broken and CannotCross."""
        if self.broken:
            raise Broken(self.broken)
        crossing = self.crossing
        forget = crossing.unheld()
        crossing.begin()
        try:
            message = {
                "do": do,
                "of": of,
                "args": [crossing.encode(arg) for arg in args],
                "kwargs": [[name, crossing.encode(arg)] for name, arg in kwargs.items()],
                "states": crossing.states(),
                "forget": forget,
                "fresh": self.fresh,
            }
        except (CannotCross, TooBig) as error:
            self.own = self.own or str(error)
            self.broken = str(error)
            raise Broken(self.broken) from None
        self.fresh = False
        try:
            return self.taken(json.loads(self.ask(json.dumps(message))))
        except (Malformed, TypeError, ValueError, KeyError, RecursionError, AttributeError) as wrong:
            self.broken = f"the candidate broke its kernel: {wrong}"
            raise Broken(self.broken) from None

    def taken(self, reply: dict[str, Any]) -> dict[str, Any]:
        """Print what was printed, decode what came back and take the states over. Raises Malformed."""
        if "broken" in reply:
            raise Malformed(reply["broken"])
        sys.stdout.write(reply["stdout"])
        sys.stderr.write(reply["stderr"])
        found = dict(reply)
        if "value" in reply:
            found["value"] = self.crossing.decode(reply["value"])
        if "items" in reply:
            found["items"] = [self.crossing.decode(item) for item in reply["items"]]
        if "raised" in reply:
            data = reply["raised"]
            args = None if data["args"] is None else tuple(self.crossing.decode(arg) for arg in data["args"])
            fields = {str(name): self.crossing.decode(value) for name, value in data["fields"]}
            found["raised"] = {**data, "args": args, "fields": fields}
        self.crossing.apply(reply["states"])
        return found

    def exception(self, data: dict[str, Any]) -> BaseException:
        """Return the exception that the data describe: a built-in one, or one of that name and its built-in classes."""
        kind = builtin_exception(data["kinds"])
        name = str(data["name"])[:200] if str(data["name"]).isidentifier() else kind.__name__
        if name != kind.__name__:
            kind = type(name, (kind,), {"__module__": "candidate"})
        made: BaseException
        args = data["args"] if data["args"] is not None else (str(data.get("text", "")),)
        try:
            made = kind(*args)
        except Exception:
            try:
                made = kind.__new__(kind)
                made.args = args
            except TypeError:  # an exception group cannot be made of anything else
                made = type(name, (Exception,), {"__module__": "candidate"})(*args)
        with contextlib.suppress(AttributeError, TypeError):
            fields = data["fields"].items()  # none that hides a method
            made.__dict__.update({name: value for name, value in fields if not hasattr(type(made), name)})
        self.raised.append(made)
        return made


def builtin_exception(names: list[Any]) -> type[BaseException]:
    """Return the first of the built-in exceptions with these names."""
    for name in names:
        kind = getattr(builtins, str(name), None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            return kind
    return Exception


class Remote:
    """An object of the candidate's that is no plain data: equal only to itself; what it does is asked for."""

    def __init__(self, counterpart: Counterpart, number: int, text: str, kind: str) -> None:
        """Take its number in the table and how it shows."""
        self._refine = (counterpart.request, number, text, kind)
        self._exchange = counterpart.exchange

    def __repr__(self) -> str:
        """Show what the candidate's side said of it."""
        return self._refine[2] or f"<{self._refine[3]} object>"

    def __eq__(self, other: object) -> bool:
        """Tell whether it is the same object."""
        return self is other

    __hash__ = object.__hash__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it."""
        return self._refine[0]("call", self._refine[1], args, kwargs)

    def __getattr__(self, name: str) -> Any:
        """Return one of its attributes. Raises AttributeError for a private one."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._refine[0]("attr", self._refine[1], (name,))

    def __getitem__(self, key: Any) -> Any:
        """Return one of its items."""
        return self._refine[0]("item", self._refine[1], (key,))

    def __len__(self) -> int:
        """Return its length."""
        return int(self._refine[0]("len", self._refine[1]))

    def __bool__(self) -> bool:
        """Return its truth."""
        return self._refine[0]("bool", self._refine[1]) is True

    def __str__(self) -> str:
        """Return its text."""
        return str(self._refine[0]("str", self._refine[1]))

    def __iter__(self) -> Iterator[Any]:
        """Return its iterator."""
        found: Iterator[Any] = iter(self._refine[0]("iter", self._refine[1]))
        return found


class RemoteIterator(Remote):
    """An iterator of the candidate's; after the first hundred, the items are fetched several at a time."""

    def __init__(self, counterpart: Counterpart, number: int, text: str, kind: str) -> None:
        """Begin with nothing fetched."""
        super().__init__(counterpart, number, text, kind)
        self._ready: collections.deque[Any] = collections.deque()
        self._taken, self._ended = 0, False
        self._error: BaseException | None = None
        self._counterpart = counterpart

    def __iter__(self) -> Iterator[Any]:
        """Return itself."""
        return self

    def __bool__(self) -> bool:
        """Return true, as iterators are."""
        return True

    def __next__(self) -> Any:
        """Return the next item. Raises StopIteration, and what the candidate's iterator raises."""
        while not self._ready and not self._ended:
            most = 1 if self._taken < ONE_BY_ONE else min(TOGETHER, self._taken)
            reply = self._exchange("next", self._refine[1], (most,), {})
            self._ready.extend(reply["items"])
            self._taken += max(1, len(reply["items"]))
            self._ended = reply.get("ended") is not False
            if reply.get("raised") is not None:
                self._error = self._counterpart.exception(reply["raised"])
        if self._ready:
            return self._ready.popleft()
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        raise StopIteration
