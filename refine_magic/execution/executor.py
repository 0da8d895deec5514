"""R = execute(C) against S: one candidate, one fresh kernel, one verdict."""

from __future__ import annotations

import ast
import importlib.resources
import time
from collections.abc import Generator
from dataclasses import dataclass, field

from refine_magic.core import policy
from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Candidate, Check, CheckResult, ExecutionResult, Outcome, RemoteError, Settings, Spec
from refine_magic.execution import wire
from refine_magic.execution.kernel import (
    CandidateKernel,
    DeadlinePassed,
    KernelEnded,
    TooMuchOutput,
    find_kernelspec,
)
from refine_magic.execution.limits import Limits
from refine_magic.execution.plan import Plan
from refine_magic.execution.planner import make_plan
from refine_magic.execution.pool import KernelPool

LEVELS = ("limits",)
STUCK = ("timeout", "crashed", "output_limit")
HARNESS = "__import__('_refine_harness').harness"


class Ended(Exception):
    """The candidate's kernel can be asked no more."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        """Take the outcome and the words for it."""
        super().__init__(message)
        self.outcome = outcome


@dataclass
class Sitting:
    """One candidate in its kernel, until the deadline."""

    kernel: CandidateKernel
    deadline: float
    stdout: list[str] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)

    def ask(self, request: str) -> wire.Answer:
        """Have the harness do one thing. Raises Ended where the kernel cannot go on."""
        try:
            reply = self.kernel.execute("", {"answer": f"{HARNESS}.{request}"}, self.deadline, self.hear)
            answer = wire.answer(wire.from_expression(reply.get("user_expressions", {}).get("answer", {})))
        except DeadlinePassed:
            seconds = self.kernel.limits.wall_seconds
            raise Ended("timeout", f"no result within {seconds:g} s") from None
        except KernelEnded:
            raise Ended("crashed", "the kernel ended while the candidate ran") from None
        except TooMuchOutput as error:
            raise Ended("output_limit", str(error)) from None
        except wire.Malformed as error:
            raise Ended("crashed", f"the candidate broke its kernel: {error}") from None
        if answer.limit:
            raise Ended("output_limit", answer.limit)
        return answer

    def hear(self, name: str, text: str) -> None:
        """Keep what the kernel streams."""
        (self.stderr if name == "stderr" else self.stdout).append(text)


class KernelExecutor:
    """Judges each candidate in a kernel of its own, from a pool of fresh ones."""

    def __init__(self, settings: Settings) -> None:
        """Set up the pool; raises IsolationUnavailable, and KernelStartError for an unknown kernelspec."""
        if settings.isolation not in ("auto", *LEVELS):
            raise IsolationUnavailable(
                f"isolation {settings.isolation!r} cannot be had in this version; use --isolation limits, "
                "or auto for the strongest there is"
            )
        self._limits = Limits(wall_seconds=settings.timeout, cpu_seconds=int(settings.timeout) + 3)
        self._pool = KernelPool(find_kernelspec(settings.kernel), self._limits)

    @property
    def isolation(self) -> str:
        """The isolation level in force."""
        return LEVELS[0]

    def prepare(self) -> None:
        """Start the next kernel in the background."""
        self._pool.prepare()

    def close(self) -> None:
        """Kill every kernel."""
        self._pool.close()

    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        """Judge one candidate: load it, then every check, those of the host first. Raises KernelStartError."""
        invalid = syntax_error(candidate.code)
        if invalid is not None:
            return self.outcome(spec, [], "invalid", invalid.evalue, error=invalid)
        kernel = self._pool.take()
        began = time.monotonic()
        try:
            sitting = Sitting(kernel, began + self._limits.wall_seconds)
            results: list[CheckResult] = []
            try:
                sitting.kernel.execute(self.harness(), {}, sitting.deadline, sitting.hear)
                loaded = sitting.ask(f"load({candidate.code!r})")
                sitting.stdout.append(loaded.stdout)
                sitting.stderr.append(loaded.stderr)
                if loaded.error is not None:
                    outcome: Outcome = "memory" if loaded.error.ename == "MemoryError" else "error"
                    return self.outcome(spec, [], outcome, "", error=loaded.error, sitting=sitting, began=began)
                for check, plan in in_order(spec):
                    asked = time.monotonic()
                    result = judge(sitting, check, plan, spec.setup)
                    results.append(result.model_copy(update={"duration": time.monotonic() - asked}))
                    yield results[-1]
            except Ended as ended:
                return self.outcome(spec, results, ended.outcome, str(ended), sitting=sitting, began=began)
            except (DeadlinePassed, KernelEnded, TooMuchOutput) as error:
                return self.outcome(spec, results, "crashed", str(error), sitting=sitting, began=began)
            outcome = policy.verdict(spec, results)
            if outcome != "passed" and all(r.error and r.error.ename == "MemoryError" for r in failures(results)):
                outcome = "memory"
            return self.outcome(spec, results, outcome, "", sitting=sitting, began=began)
        finally:
            self._pool.discard(kernel)

    def harness(self) -> str:
        """Return the code that installs the harness in a kernel."""
        source = importlib.resources.files("refine_magic.execution").joinpath("harness.py").read_text()
        limits = self._limits
        return (
            f"exec(compile({source!r}, '<harness>', 'exec'), (_refine := {{'__name__': '_refine_harness'}}))\n"
            f"_refine.pop('install')({limits.output_bytes}, {limits.result_bytes}, {limits.result_depth}); del _refine"
        )

    def outcome(
        self,
        spec: Spec,
        results: list[CheckResult],
        outcome: Outcome,
        message: str,
        *,
        error: RemoteError | None = None,
        sitting: Sitting | None = None,
        began: float | None = None,
    ) -> ExecutionResult:
        """Return the result with the checks in the spec's order; one that was not reached says so."""
        done = {result.check_id: result for result in results}
        reached = [check.id for check, _ in in_order(spec)][len(results) : len(results) + 1]
        for check in spec.checks:
            if check.id not in done:
                stuck = check.id in reached and outcome in STUCK and sitting is not None
                done[check.id] = CheckResult(
                    check_id=check.id,
                    outcome="timeout" if stuck and outcome == "timeout" else "error" if stuck else "not_run",
                    message=message if stuck else "",
                )
        return ExecutionResult(
            outcome=outcome,
            checks=tuple(done[check.id] for check in spec.checks),
            error=error,
            stdout="".join(sitting.stdout) if sitting else "",
            stderr="".join(sitting.stderr) if sitting else "",
            duration=time.monotonic() - began if began is not None else 0.0,
            isolation=self.isolation,
            message=message,
        )


def in_order(spec: Spec) -> list[tuple[Check, Plan | None]]:
    """Return the checks with their plans, the host's first, then those that run next to the candidate."""
    planned = [(check, make_plan(check, spec.setup)) for check in spec.checks]
    return sorted(planned, key=lambda pair: pair[1] is None)


def judge(sitting: Sitting, check: Check, plan: Plan | None, setup: str) -> CheckResult:
    """Return one check's result. Raises Ended."""
    if plan is not None:
        return plan.judge([sitting.ask(f"call({call!r})") for call in plan.calls])
    if check.source.lstrip().startswith(">>>"):
        answer = sitting.ask(f"doctest({setup!r}, {check.source!r})")
    else:
        answer = sitting.ask(f"run({setup!r}, {check.source!r}, {tests_in(check.source)!r})")
    if answer.error is None and answer.value is None:
        return CheckResult(check_id=check.id, outcome="passed", stdout=answer.stdout[:400], judged="in-kernel")
    error = answer.error or RemoteError(ename="AssertionError", evalue="the check did not report that it passed")
    return CheckResult(
        check_id=check.id,
        outcome="failed" if error.ename == "AssertionError" else "error",
        message=f"{error.ename}: {error.evalue}".rstrip(": ")[:400],
        error=error,
        stdout=answer.stdout[:400],
        judged="in-kernel",
    )


def tests_in(source: str) -> list[str]:
    """Return the test functions and classes that the source defines, in order."""
    return [
        node.name
        for node in ast.parse(source).body
        if (isinstance(node, ast.FunctionDef) and node.name.startswith("test")) or isinstance(node, ast.ClassDef)
    ]


def syntax_error(code: str) -> RemoteError | None:
    """Return what is wrong with the code's syntax, without running it."""
    try:
        ast.parse(code, "<candidate>")
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        line = getattr(error, "lineno", None)
        text = (getattr(error, "text", None) or "").rstrip()
        where = (f'  File "<candidate>", line {line}', f"    {text.strip()}") if line else ()
        message = getattr(error, "msg", None) or str(error)
        evalue = f"{message} (line {line})" if line else message
        return RemoteError(
            ename=type(error).__name__, evalue=evalue, traceback=(*where, f"{type(error).__name__}: {evalue}")
        )
    return None


def failures(results: list[CheckResult]) -> list[CheckResult]:
    """Return the results that are not passed."""
    return [result for result in results if result.outcome != "passed"]
