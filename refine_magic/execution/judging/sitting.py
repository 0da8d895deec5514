"""One candidate in its kernel: what the harness is asked, and what its answers mean for each check."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from refine_magic.core.types import Check, CheckResult, Outcome, RemoteError, Spec
from refine_magic.execution.judging import wire
from refine_magic.execution.judging.plan import Plan
from refine_magic.execution.judging.planner import make_plan
from refine_magic.execution.judging.setup import Setup
from refine_magic.execution.kernels.kernel import CandidateKernel
from refine_magic.execution.kernels.wires import DeadlinePassed, KernelEnded, TooMuchOutput

HARNESS = "__import__('_refine_harness').harness"
SHOWN = 400
KEPT = 65_536


class Ended(Exception):
    """The candidate's kernel can be asked no more."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        """Take the outcome and the words for it."""
        super().__init__(message)
        self.outcome = outcome


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

    kernel: CandidateKernel
    deadline: float
    stdout: Stream = field(default_factory=Stream)
    stderr: Stream = field(default_factory=Stream)

    def load(self, code: str, setup: Setup) -> wire.Answer:
        """Run the candidate's code, and keep what it printed. Raises Ended."""
        loaded = self.ask(f"load({code!r}, {setup.lent(code)!r})")
        self.stdout.add(loaded.stdout)
        self.stderr.add(loaded.stderr)
        return loaded

    def ask(self, request: str) -> wire.Answer:
        """Have the harness do one thing. Raises Ended where the kernel cannot go on."""
        limits = self.kernel.limits
        try:
            reply = self.kernel.execute("", {"answer": f"{HARNESS}.{request}"}, self.deadline, self.hear)
            if wire.failed_for_memory(reply):
                raise Ended("memory", "no memory was left to answer with")
            answer = wire.answer(wire.from_expression(reply, limits.answer_bytes))
        except DeadlinePassed:
            raise Ended("timeout", f"no result within {limits.wall_seconds:g} s") from None
        except KernelEnded as ended:
            raise Ended("timeout" if ended.out_of_time else "crashed", str(ended)) from None
        except TooMuchOutput as error:
            raise Ended("output_limit", str(error)) from None
        except wire.Malformed as error:
            raise Ended("crashed", f"the candidate broke its kernel: {error}") from None
        if answer.limit:
            raise Ended("output_limit", answer.limit)
        return answer

    def hear(self, name: str, text: str) -> None:
        """Keep what the kernel streams."""
        (self.stderr if name == "stderr" else self.stdout).add(text)

    def judge(self, check: Check, plan: Plan | None, setup: str) -> CheckResult:
        """Return one check's result. Raises Ended."""
        if plan is None:
            return self.judge_in_kernel(check, setup)
        return plan.judge([self.ask(str(request)) for request in plan.calls])

    def judge_in_kernel(self, check: Check, setup: str) -> CheckResult:
        """Return the result of a check that runs next to the candidate. Raises Ended."""
        if check.source.lstrip().startswith(">>>"):
            answer = self.ask(f"doctest({setup!r}, {check.source!r})")
        else:
            answer = self.ask(f"run({setup!r}, {check.source!r}, {tests_in(check.source)!r})")
        if answer.error is None and answer.value is None:
            return CheckResult(check_id=check.id, outcome="passed", stdout=answer.stdout[:SHOWN], judged="in-kernel")
        error = answer.error or RemoteError(ename="AssertionError", evalue="the check did not report that it passed")
        return CheckResult(
            check_id=check.id,
            outcome="failed" if error.ename == "AssertionError" else "error",
            message=f"{error.ename}: {error.evalue}".rstrip(": ")[:SHOWN],
            error=error,
            stdout=answer.stdout[:SHOWN],
            judged="in-kernel",
        )


def in_order(spec: Spec, setup: Setup) -> list[tuple[Check, Plan | None]]:
    """Return the checks with their plans, the host's first, then those that run next to the candidate."""
    planned = [(check, make_plan(check, setup)) for check in spec.checks]
    return sorted(planned, key=lambda pair: pair[1] is None)


def tests_in(source: str) -> list[str]:
    """Return the test functions, pytest classes and unittest cases that the source defines, in order."""
    found = []
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test"):
                found.append(name)
            case ast.ClassDef(name=name, bases=bases) if name.startswith("Test") or any(map(is_test_case, bases)):
                found.append(name)
    return found


def is_test_case(base: ast.expr) -> bool:
    """Tell a base class of the unittest kind by its name."""
    return ast.unparse(base).endswith("TestCase")
