"""Of all of MBPP's asserts: the host can judge nearly every one, and then says what a plain assert says."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
import types

import pytest

from refine_magic.execution.inside import encoder
from refine_magic.execution.judging import wire
from refine_magic.execution.judging.planner import make_plan
from refine_magic.execution.judging.setup import read
from tests.contracts.mbpp import spec_of, tasks

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")


def test_more_than_99_in_100_asserts_are_judged_on_the_host():
    plans = [
        make_plan(check, read(task.setup)) is not None for task in tasks().values() for check in spec_of(task).checks
    ]
    assert sum(plans) / len(plans) > 0.99


def answer_of(request, scope) -> wire.Answer:
    exec(request.setup, scope)
    value = eval(request.source, scope)
    return wire.answer(json.dumps({"value": encoder.Encoder(1 << 18, 50, request.take).encode(value)}))


def judgements(task, change):
    """Yield, for each check, what the host says and what a plain assert says, of values changed by `change`."""
    module = types.ModuleType("candidate")
    sys.modules["candidate"] = module
    scope = module.__dict__
    with contextlib.redirect_stdout(io.StringIO()):
        exec(task.code, scope)
        for check in spec_of(task).checks:
            plan = make_plan(check, read(task.setup))
            if plan is None:
                continue
            name = next(n.id for n in ast.walk(ast.parse(plan.calls[0].source)) if isinstance(n, ast.Name))
            function = scope[name]
            scope[name] = change(function)
            answers = [answer_of(request, scope) for request in plan.calls]
            try:
                exec(task.setup, scope)
                exec(check.source, scope)
                holds = True
            except Exception:
                holds = False
            scope[name] = function
            yield check.source, plan.judge(answers).outcome == "passed", holds


def disagreements(change) -> list[str]:
    return [
        source for task in tasks().values() for source, ours, plain in judgements(task, change) if ours is not plain
    ]


def test_the_host_agrees_with_a_plain_assert_on_the_reference_solutions():
    assert disagreements(lambda function: function) == []


def test_the_host_agrees_with_a_plain_assert_on_wrong_values():
    assert disagreements(lambda function: lambda *given, **named: [0]) == []
