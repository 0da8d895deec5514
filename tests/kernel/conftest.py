"""One executor for the session: every candidate still has a kernel of its own, and the next one starts meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from refine_magic.core.types import Candidate, Check, ExecutionResult, Settings, Spec
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.limits import Limits
from refine_magic.specs.problem import make_problem

LIMITS = Limits(wall_seconds=3.0, cpu_seconds=6, memory_bytes=512 << 20)
Judge = Callable[..., ExecutionResult]


def execute(executor: KernelExecutor, code: str, spec: Spec) -> ExecutionResult:
    executor.prepare()
    judging = executor.execute(Candidate(code=code, digest="x"), spec)
    while True:
        try:
            next(judging)
        except StopIteration as end:
            executor.prepare()
            return end.value


@pytest.fixture(scope="session")
def executor() -> Iterator[KernelExecutor]:
    made = KernelExecutor(Settings(), LIMITS)
    yield made
    made.close()


@pytest.fixture(scope="session")
def judged(executor: KernelExecutor) -> Judge:
    """Judge code against checks as a user writes them, or against a spec."""

    def judge(code: str, checks: str | Spec = "assert f(1) == 2") -> ExecutionResult:
        spec = checks if isinstance(checks, Spec) else make_problem("Write it.", checks).spec
        return execute(executor, code, spec)

    return judge


def spec_of(*sources: str, setup: str = "") -> Spec:
    checks = tuple(Check(id=f"c{number}", source=source) for number, source in enumerate(sources, 1))
    return Spec(checks=checks, setup=setup)
