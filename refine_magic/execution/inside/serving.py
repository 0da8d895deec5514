"""In the candidate's kernel: answer what the judge's stubs ask, one call, item or attribute at a time.

Stand-alone, standard library only. Nothing here is trusted: the other side reads plain data and handles from it.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refine_magic.execution.inside.crossing import Crossing
    from refine_magic.execution.inside.decoder import Malformed
    from refine_magic.execution.inside.encoder import OutputLimit, describe
else:
    from _refine_crossing import Crossing
    from _refine_decoder import Malformed
    from _refine_encoder import OutputLimit, describe

MOST_ITEMS = 1000
TOGETHER_SECONDS = 0.002


class Serving:
    """The candidate's side of one check: its objects that the test holds, by number."""

    def __init__(self, harness: Any) -> None:
        """Serve the names of this harness's candidate."""
        self.harness = harness
        self.crossing = self.table()

    def table(self) -> Crossing:
        """Return an empty table."""

        def refuse(number: int, data: dict[str, Any]) -> Any:
            raise Malformed("a handle that nobody here has")

        return Crossing(self.harness.result_limit, self.harness.depth, first=1, opaque=refuse)

    def answer(self, text: str) -> str:
        """Do what one message asks, and return what became of it as JSON."""
        out, err = self.harness.printed(), self.harness.printed()
        reply: dict[str, Any] = {}
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                self.serve(json.loads(text), reply)
            except OutputLimit as error:
                reply["limit"] = str(error)
        reply["stdout"], reply["stderr"] = out.whole(), err.whole()
        return json.dumps(reply)

    def serve(self, message: dict[str, Any], reply: dict[str, Any]) -> None:
        """Do what the message asks and put its result, or its exception, and the changed states into the reply."""
        if message.get("fresh"):
            self.crossing = self.table()
        crossing = self.crossing
        for number in message["forget"]:
            crossing.forget(number)
        args = [crossing.decode(arg) for arg in message["args"]]
        kwargs = {name: crossing.decode(arg) for name, arg in message["kwargs"]}
        crossing.apply(message["states"])
        crossing.begin()
        do, of = message["do"], message["of"]
        try:
            found = DOING[do](crossing.things[of] if isinstance(of, int) else self.named(of), args, kwargs)
            if do == "next":
                items, reply["ended"], error = found
                reply["items"] = [crossing.encode(item) for item in items]
                if error is not None:
                    raise error
            else:
                reply["value"] = crossing.encode(found)
        except OutputLimit:
            raise
        except BaseException as error:
            reply["raised"], reply["error"] = self.raised(error), describe(error)
        reply["states"] = crossing.states()

    def named(self, name: str) -> Any:
        """Return what the candidate calls by this name. Raises NameError."""
        if name not in self.harness.namespace:
            raise NameError(f"name {name!r} is not defined")
        return self.harness.namespace[name]

    def raised(self, error: BaseException) -> dict[str, Any]:
        """Return an exception as data: its name, the built-in classes that it is of, its arguments and attributes."""
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
        made: dict[str, Any] = {"name": type(error).__name__, "kinds": kinds, "args": None, "fields": []}
        with contextlib.suppress(Exception):
            made["text"] = str(error)[:2000]
        with contextlib.suppress(Exception):
            made["args"] = [self.crossing.encode(arg) for arg in error.args]
            own = [(name, value) for name, value in vars(error).items() if not name.startswith("_")]
            made["fields"] = [[name, self.crossing.encode(value)] for name, value in own[:50]]
        return made


def items_of(iterator: Any, most: int) -> tuple[list[Any], bool, BaseException | None]:
    """Return the next items, at most so many and not for long, whether that was the end, and what was raised there."""
    items: list[Any] = []
    until = time.monotonic() + TOGETHER_SECONDS
    while len(items) < min(most, MOST_ITEMS):
        try:
            items.append(next(iterator))
        except StopIteration:
            return items, True, None
        except OutputLimit:
            raise
        except BaseException as error:
            return items, True, error
        if time.monotonic() > until:
            break
    return items, False, None


DOING: dict[str, Callable[[Any, list[Any], dict[str, Any]], Any]] = {
    "call": lambda thing, args, kwargs: thing(*args, **kwargs),
    "next": lambda thing, args, kwargs: items_of(thing, args[0]),
    "attr": lambda thing, args, kwargs: getattr(thing, args[0]),
    "item": lambda thing, args, kwargs: thing[args[0]],
    "len": lambda thing, args, kwargs: len(thing),
    "iter": lambda thing, args, kwargs: iter(thing),
    "bool": lambda thing, args, kwargs: bool(thing),
    "str": lambda thing, args, kwargs: str(thing),
}


def serving() -> Serving:
    """Return the one that serves in this kernel."""
    harness = sys.modules["_refine_harness"].harness
    if getattr(harness, "serving", None) is None:
        harness.serving = Serving(harness)
    found: Serving = harness.serving
    return found
