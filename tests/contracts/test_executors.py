"""Every executor here, at every level, does what `check_executor` wants of any; and it rejects those that do not."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Candidate, CheckResult, ExecutionResult, Settings, Spec
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.limits import Limits
from refine_magic.execution.remote import RemoteExecutor
from refine_magic.testing import check_executor
from tests.gateway import TOKEN, running

LIMITS = Limits(wall_seconds=3.0, cpu_seconds=6, memory_bytes=512 << 20)
REMOTE_LIMITS = Limits(wall_seconds=4.5, memory_bytes=512 << 20)  # the server notices a crash within 3 s
ENOUGH = 45


def local(isolation: str, kernel: str | None = None) -> KernelExecutor:
    try:
        return KernelExecutor(Settings.model_validate({"isolation": isolation, "kernel": kernel}), LIMITS)
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("level", ["limits", "landlock", "namespaces"])
def test_the_slim_kernel_conforms_at(level: str) -> None:
    assert len(check_executor(lambda: local(level))) > ENOUGH - 1


def test_ipykernel_from_the_zygote_conforms() -> None:
    assert len(check_executor(lambda: local("auto", "python3"))) > ENOUGH - 1


def test_the_remote_executor_conforms_and_leaves_no_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_TOKEN", TOKEN)
    with running(tmp_path) as gateway:
        settings = Settings(executor=f"remote:{gateway.url}")
        assert len(check_executor(lambda: RemoteExecutor(settings, REMOTE_LIMITS))) > ENOUGH - 1
        assert gateway.kernels() == []


class Lenient:
    """Passes everything; the broken executors below differ from it in one thing each."""

    isolation = "none"

    def prepare(self) -> None:
        pass

    def close(self) -> None:
        pass

    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        results = tuple(CheckResult(check_id=check.id, outcome="passed") for check in spec.checks)
        yield from results
        return self.result(results)

    def result(self, results: tuple[CheckResult, ...]) -> ExecutionResult:
        outcome = "passed" if results else "failed"
        return ExecutionResult(outcome=outcome, checks=results, isolation=self.isolation, duration=0.1)


class Twice(Lenient):
    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        results = tuple(CheckResult(check_id=check.id, outcome="passed") for check in spec.checks)
        yield from results
        yield from results
        return self.result(results)


class Shuffled(Lenient):
    def result(self, results: tuple[CheckResult, ...]) -> ExecutionResult:
        return super().result(results[::-1])


class Silent(Lenient):
    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        yield from ()
        return self.result(tuple(CheckResult(check_id=check.id, outcome="passed") for check in spec.checks))


class Nameless(Lenient):
    isolation = ""


class Throwing(Lenient):
    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        yield from ()
        raise OSError("no more kernels")


class ClosedOnce(Lenient):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise RuntimeError("closed already")
        self.closed = True


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        pytest.param(Lenient, "- wrong code fails, with what was expected and what was observed: passed", id="lenient"),
        pytest.param(Lenient, "- a value that equals everything is no pass: passed", id="lenient to cheats"),
        pytest.param(Lenient, "- a hang is a timeout: passed", id="lenient to hangs"),
        pytest.param(Twice, "- right code passes: it yielded a check twice", id="twice"),
        pytest.param(Shuffled, "the spec \\['", id="shuffled"),
        pytest.param(Silent, "- it yields every check once: it yielded \\[\\] of", id="silent"),
        pytest.param(Nameless, "- it says at which isolation level it judges: isolation is ''", id="nameless"),
        pytest.param(Throwing, "- right code passes: after .* it raised OSError: no more kernels", id="throwing"),
        pytest.param(ClosedOnce, "- close\\(\\) may be called twice: after .* RuntimeError", id="closed once"),
    ],
)
def test_a_broken_executor_is_rejected_by_the_name_of_the_case(broken: type[Lenient], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check_executor(broken)


def test_the_error_lists_every_case_that_failed() -> None:
    with pytest.raises(AssertionError) as caught:
        check_executor(Lenient)
    first, *cases = str(caught.value).splitlines()
    assert first.startswith(f"{len(cases)} of ") and len(cases) > 20


def test_single_cases_can_be_chosen() -> None:
    assert check_executor(Lenient, only=["right code passes"]) == ["right code passes"]


def test_a_case_that_there_is_not_is_told() -> None:
    with pytest.raises(ValueError, match="nosuch"):
        check_executor(Lenient, only=["nosuch"])
