from __future__ import annotations

import pytest

from refine_magic.core import loop
from refine_magic.core.errors import KernelStartError, ModelUnavailable, RefineError
from refine_magic.core.events import Token
from refine_magic.core.types import Candidate, ExecutionResult, Rejection
from refine_magic.feedback.annotated import Annotated
from refine_magic.strategies.generated import GeneratedChecks
from refine_magic.strategies.tests import CheckGated
from refine_magic.testing import FakeExecutor, ScriptedModel
from tests.unit.samples import Clock, Run, answer, begin, holds


class Failing(FakeExecutor):
    def execute(self, candidate, spec):
        yield from ()
        raise KernelStartError("the kernel did not start")


def test_an_executor_error_ends_the_run_as_executor_error() -> None:
    made = Run(ScriptedModel(answer(1)))
    parts = loop.Parts(
        model=made.model, executor=Failing(holds), strategy=CheckGated(), feedback=Annotated(), checks=GeneratedChecks()
    )
    with pytest.raises(KernelStartError):
        loop.drive(loop.refine(made.start, parts, Clock()), made.observe)
    assert (made.last.status, made.last.stop_reason) == ("error", "executor_error")


def test_a_fault_of_our_own_ends_the_run_without_blaming_anyone() -> None:
    made = Run(ScriptedModel(ZeroDivisionError("ours")))
    with pytest.raises(ZeroDivisionError):
        made()
    assert (made.last.status, made.last.stop_reason, made.last.message) == ("error", None, "ZeroDivisionError: ours")


def test_drive_refuses_events_that_begin_without_a_start() -> None:
    def stray():
        yield Token(text="x")

    with pytest.raises(ValueError, match="before run_started"):
        loop.drive(stray())


def test_a_strategy_that_only_rejects_still_ends() -> None:
    class Refusing(CheckGated):
        def propose(self, run, move, model):
            yield from ()
            return Rejection(before=len(run.iterations) + 1, reason="no_code")

    parts = loop.Parts(
        model=ScriptedModel("x"),
        executor=FakeExecutor(holds),
        strategy=Refusing(),
        feedback=Annotated(),
        checks=GeneratedChecks(),
    )
    assert loop.drive(loop.refine(begin(), parts, Clock())).stop_reason == "format"


def test_an_error_of_the_model_names_the_model() -> None:
    made = Run(ScriptedModel(ModelUnavailable("no server")))
    with pytest.raises(RefineError):
        made()
    assert made.last.message == "no server"


def test_an_execution_result_counts_what_passed() -> None:
    assert ExecutionResult(outcome="failed").passed == 0 and Candidate(code="", digest="").parent is None
