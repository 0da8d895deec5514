"""One candidate in its kernel: what the harness is asked, and what its answers mean for each check."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from refine_magic.core.types import Check, CheckResult, Spec
from refine_magic.execution.judging import setup as setups
from refine_magic.execution.judging import verdict, wire
from refine_magic.execution.judging.ahead import WINDOW, Ahead
from refine_magic.execution.judging.ended import Doubt, Ended, ending
from refine_magic.execution.judging.plan import Plan
from refine_magic.execution.judging.planner import make_plan
from refine_magic.execution.judging.programs import Program, make_program
from refine_magic.execution.judging.second import HARNESS, Lend, NotData, Second
from refine_magic.execution.judging.setup import Setup
from refine_magic.execution.judging.testcode import TestCode, make_test_code
from refine_magic.execution.kernels import install as modules
from refine_magic.execution.kernels.asked import Asked as Kernel
from refine_magic.specs.names import steady

SHOWN = 400
KEPT = 65_536
Task = Plan | TestCode | Program


@dataclass
class Stream:
    """What was printed, up to a limit."""

    parts: list[str] = field(default_factory=list)
    left: int = KEPT

    def add(self, text: str) -> None:
        """Keep the text as far as there is room."""
        kept = wire.clean(text[: self.left])
        self.left -= len(kept)
        self.parts.append(kept)

    def __str__(self) -> str:
        """Return what was kept."""
        return "".join(self.parts) + ("\n... the rest is left out" if self.left <= 0 else "")


@dataclass
class Sitting:
    """One candidate in its kernel, until the deadline."""

    kernel: Kernel
    deadline: float
    lend: Lend
    setup: str = ""
    there: set[str] = field(default_factory=set)
    stdout: Stream = field(default_factory=Stream)
    stderr: Stream = field(default_factory=Stream)
    doubt: Doubt = ""
    ahead: Ahead | None = None

    def __post_init__(self) -> None:
        """Keep a place for the judge's kernel, which is lent when a check needs it."""
        self.second = Second(self.lend, self)

    def load(self, code: str, setup: Setup, *, run: bool = True) -> wire.Answer:
        """Run the candidate's code, and keep what it printed; or only see whether it is Python. Raises Ended."""
        loaded = self.ask(f"load({code!r}, {setup.lent(code)!r})" if run else f"compile({code!r})")
        self.stdout.add(loaded.stdout)
        self.stderr.add(loaded.stderr)
        return loaded

    def ask(self, request: str) -> wire.Answer:
        """Have the harness do one thing. Raises Ended where the kernel cannot go on."""
        with ending(self.kernel.limits):
            return self.answer(self.submit(request))

    def answer(self, submitted: str) -> wire.Answer:
        """Return the answer to a request that was sent. Raises Ended."""
        with ending(self.kernel.limits):
            answer = wire.answer(self.told(submitted))
        if answer.limit:
            raise Ended("output_limit", answer.limit)
        return answer

    def look_ahead(self, tasks: Sequence[Task]) -> None:
        """Take the checks that are to be judged, in order, so that their calls can go ahead.

        Only our slim kernel has sent a reply when it takes the next request; another, should that kill it, loses both.
        """
        window = WINDOW if self.kernel.conversation.quiet else 1
        self.ahead = Ahead(tasks, self.submit, lambda task: not isinstance(task, (TestCode, Program)), window)

    def reply(self, request: str) -> dict[str, Any]:
        """Have the harness do one thing, and return its answer as it is. Raises Ended."""
        with ending(self.kernel.limits):
            found = wire.json_object(self.text(request))
        if found.get("limit"):
            raise Ended("output_limit", wire.clean(found["limit"])[:SHOWN])
        return found

    def text(self, request: str) -> str:
        """Have the harness do one thing, and return its answer's text. Raises Ended."""
        with ending(self.kernel.limits):
            return self.told(self.submit(request))

    def submit(self, request: str) -> str:
        """Send the harness a request; return what `told` wants. Raises KernelEnded."""
        return self.kernel.submit("", {"answer": f"{HARNESS}.{request}"}, self.hear)

    def told(self, submitted: str) -> str:
        """Return the text of the harness's answer to a request that was sent. Raises Ended."""
        with ending(self.kernel.limits):
            reply = self.kernel.result(submitted, self.deadline)
            if wire.failed_for_memory(reply):
                raise Ended("memory", "no memory was left to answer with")
            return wire.from_expression(reply, self.kernel.limits.answer_bytes)

    def hear(self, name: str, text: str) -> None:
        """Keep what the kernel streams."""
        (self.stderr if name == "stderr" else self.stdout).add(text)

    def judge(self, task: Task) -> CheckResult:
        """Return one check's result. Raises Ended."""
        with ending(self.kernel.limits):
            match task:
                case Program():
                    self.need(modules.PROGRAM)
                    return task.judge(self.reply(f"program({task.stdin!r})"))
                case TestCode(judged="judge"):
                    try:
                        return self.second.judge(task)
                    except NotData:
                        return self.judge_in_kernel(replace(task, judged="in-kernel"))
                case TestCode():
                    return self.judge_in_kernel(task)
            if self.ahead is not None and task.check_id in self.ahead.checks:
                return task.judge([self.answer(self.ahead.next()) for _ in task.calls])
            return task.judge([self.ask(str(request)) for request in task.calls])
        raise AssertionError("not reached")

    def judge_in_kernel(self, code: TestCode) -> CheckResult:
        """Return the result of a check that runs next to the candidate. Raises Ended and Malformed."""
        self.need(modules.RUNNER + (modules.PYTEST if code.how == "pytest" else ()))
        request = {
            "setup": self.setup,
            "source": code.source,
            "tests": code.tests,
            "how": code.how,
            "outside_loop": code.outside_loop,
        }
        reply = self.reply(f"run({json.dumps(request)!r})")
        error = reply.get("error")
        found = reply.get("verdict") or {"passed": False, "failed": False, "error": error, "words": ""}
        return verdict.result(code.check_id, "in-kernel", {**found, "stdout": reply.get("stdout", "")})

    def cross(self, message: str) -> dict[str, Any]:
        """Return the reply to a stub's message. Raises Ended."""
        reply = self.reply(f"cross({message!r})")
        with ending(self.kernel.limits):
            wire.check_reply(reply)
        return reply

    def need(self, names: tuple[str, ...]) -> None:
        """Have these modules in the kernel, once. Raises Ended."""
        missing = tuple(name for name in names if name not in self.there | self.kernel.inside)
        if missing:
            self.text(f"{modules.request(missing)} or '{{}}'")
            self.there.update(missing)


@lru_cache(maxsize=16)
def planned(spec: Spec) -> tuple[Setup, list[Task]]:
    """Return the setup, and what judging each check takes: the host's first, then the judge's, then in-kernel."""
    setup = steady(lambda: setups.read(spec.setup))
    tasks = steady(lambda: [task_of(check, setup) for check in spec.checks])
    return setup, sorted(tasks, key=rank)


def task_of(check: Check, setup: Setup) -> Task:
    """Return what judging one check takes."""
    if check.kind == "io":
        return make_program(check)
    return make_plan(check, setup) or make_test_code(check, setup)


def rank(task: Task) -> int:
    """Return a number that is the lower, the stronger the way is."""
    return ("judge", "in-kernel").index(task.judged) + 1 if isinstance(task, TestCode) else 0
