"""The judge's kernel: test code runs there, and what its stubs ask goes through here to the candidate's kernel."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from refine_magic.core.types import CheckResult, RemoteError
from refine_magic.execution.judging import verdict, wire
from refine_magic.execution.judging.ended import Ended, ending
from refine_magic.execution.judging.testcode import TestCode
from refine_magic.execution.kernels import install as modules
from refine_magic.execution.kernels.asked import Asked as Kernel

HARNESS = "__import__('_refine_harness').harness"
MOST_CALLS = 10_000
DOING = frozenset({"call", "next", "attr", "item", "len", "iter", "bool", "str"})
CROSSING = frozenset({"value", "items", "ended", "raised", "states", "stdout", "stderr"})
ARGUMENTS = 4
Lend = Callable[[], Kernel]


class NotData(Exception):
    """The test gives the candidate something of the test's own that is no plain data."""


class Asked(Protocol):
    """The candidate's kernel, as the judge's side needs it."""

    deadline: float

    def cross(self, message: str) -> dict[str, Any]:
        """Return the reply to a stub's message. Raises Ended."""

    def need(self, names: tuple[str, ...]) -> None:
        """Have these modules in the kernel. Raises Ended."""


@dataclass
class Second:
    """The judge's kernel of one candidate, lent when the first check needs it."""

    lend: Lend
    candidate: Asked
    kernel: Kernel | None = None
    there: set[str] = field(default_factory=set)
    calls: int = 0
    errors: list[RemoteError] = field(default_factory=list)
    names: frozenset[str] = frozenset()

    def judge(self, code: TestCode) -> CheckResult:
        """Run the check and return its result. Raises Ended, and NotData where it must run next to the candidate."""
        kernel = self.ready()
        self.candidate.need(modules.SERVING)
        self.need(modules.JUDGE + (modules.PYTEST if code.how == "pytest" else ()))
        self.calls, self.errors, self.names = 0, [], frozenset(code.names)
        request = {
            "setup": code.setup,
            "source": code.source,
            "tests": code.tests,
            "how": code.how,
            "names": code.names,
            "outside_loop": code.outside_loop,
            "bytes": ARGUMENTS * kernel.limits.result_bytes,
        }
        text = json.dumps(request)
        found = self.execute(f"__import__('_refine_bench').judge({text!r})", "__import__('_refine_bench').VERDICT")
        if found.get("own"):
            raise NotData(wire.clean(found["own"]))
        if found.get("broken"):
            raise Ended("crashed", wire.clean(found["broken"])[:400])
        theirs = found.get("theirs")
        error = self.errors[theirs] if type(theirs) is int and 0 <= theirs < len(self.errors) else None
        return verdict.result(code.check_id, "judge", found, error)

    def ready(self) -> Kernel:
        """Return the kernel; the time until it is there is not the candidate's."""
        if self.kernel is None:
            began = time.monotonic()
            self.kernel = self.lend()
            self.candidate.deadline += time.monotonic() - began
        return self.kernel

    def need(self, names: tuple[str, ...]) -> None:
        """Have these modules in the kernel, once. Raises Ended."""
        assert self.kernel is not None
        missing = tuple(name for name in names if name not in self.there | self.kernel.inside)
        if missing:
            self.execute(f"{HARNESS}.{modules.request(missing)}", "'{}'")
            self.there.update(missing)

    def execute(self, code: str, expression: str) -> dict[str, Any]:
        """Execute code that may ask, and return what the expression's JSON says. Raises Ended."""
        assert self.kernel is not None
        limits = self.kernel.limits
        with ending(limits, "the kernel of the checks gave no verdict"):
            reply = self.kernel.execute(
                code, {"answer": expression}, self.candidate.deadline, lambda name, text: None, self.relay
            )
            return wire.json_object(wire.from_expression(reply, limits.answer_bytes))
        raise AssertionError("not reached")

    def relay(self, prompt: str) -> str:
        """Return the candidate's reply to what a stub asks, as JSON. Raises Ended."""
        self.calls += 1
        if self.calls > MOST_CALLS:
            return json.dumps({"broken": f"more than {MOST_CALLS} calls in one check"})
        try:
            message = json.loads(prompt)
            known = message["of"] in self.names if isinstance(message["of"], str) else type(message["of"]) is int
            if message["do"] not in DOING or not known:
                raise ValueError("not a message of a stub")
        except (ValueError, TypeError, KeyError) as wrong:
            return json.dumps({"broken": f"the tests asked for something else: {wrong}"})
        reply = self.candidate.cross(json.dumps(message))
        if reply.get("raised") is not None:
            self.errors.append(wire.remote_error(reply["error"]))
        return json.dumps({name: value for name, value in reply.items() if name in CROSSING})
