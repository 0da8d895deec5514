"""What is known of a failure beside the verdict: the locals at the failing line, and what reading the code found."""

from __future__ import annotations

import pytest

from refine_magic.core.types import Candidate, Settings, Spec
from refine_magic.execution.executor import KernelExecutor
from refine_magic.specs.problem import make_problem


def local_values(judged, code: str, checks: str = "assert f(3) == 2") -> dict[str, str]:
    (check,) = judged(code, checks).checks
    assert check.error is not None
    return check.error.locals


def test_the_locals_of_the_failing_line_are_known(judged):
    code = "def f(n):\n    total = [n] * 2\n    return total[n]"
    assert local_values(judged, code) == {"n": "3", "total": "[3, 3]"}


def test_the_locals_are_those_of_the_innermost_frame_of_the_candidate(judged):
    code = "import json\ndef g(x):\n    return json.loads(x)\ndef f(n):\n    y = 1\n    return g('{')"
    assert local_values(judged, code) == {"x": "'{'"}


def test_the_locals_are_known_where_the_check_runs_next_to_the_candidate(judged):
    code = "def f(n):\n    return 1 // (n - 3)"
    assert local_values(judged, code, "def test_f():\n    assert f(3) == 2") == {"n": "3"}


def test_the_values_at_the_top_level_are_known_where_the_code_does_not_load(judged):
    code = "import math\nlimit = 0\n_hidden = 1\ndef f(n): ...\nx = 1 / limit"
    assert judged(code).error.locals == {"limit": "0"}


def test_a_wrong_value_has_no_failing_line(judged):
    assert judged("def f(n):\n    return n", "assert f(1) == 2").checks[0].error is None


def test_at_most_twelve_locals_are_known(judged):
    lines = "".join(f"    x{n} = {n}\n" for n in range(20))
    assert len(local_values(judged, f"def f(n):\n{lines}    return 1 / 0")) == 12


@pytest.mark.parametrize(
    "value",
    [
        "'x' * 10**6",
        "list(range(10**6))",
        "10 ** 50_000",
        "{n: 'y' * 99 for n in range(99)}",
        "[[[[['z' * 300]]]]] * 99",
    ],
)
def test_a_local_is_shown_in_at_most_120_characters(judged, value):
    assert 0 < len(local_values(judged, f"def f(n):\n    x = {value}\n    return 1 / 0")["x"]) <= 120


@pytest.mark.parametrize("repr_does", ["raise SystemExit", "raise KeyboardInterrupt", "return 3", "print('x' * 10**8)"])
def test_a_local_whose_repr_misbehaves_costs_nothing_but_its_value(judged, repr_does):
    code = f"class A:\n    def __repr__(self):\n        {repr_does}\ndef f(n):\n    a = A()\n    return 1 / 0"
    result = judged(code, "assert f(3) == 2")
    assert (result.outcome, result.checks[0].error.ename) == ("failed", "ZeroDivisionError")


def test_what_reading_the_code_found_is_in_the_result(judged):
    code = "def f(n):\n    if n > 5:\n        return nope\n    return 2"
    result = judged(code, "assert f(1) == 2")
    assert (result.outcome, result.findings) == ("passed", ("line 3: undefined name 'nope'",))


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("def g(n):\n    return 2", "name 'f' is not defined: the checks call it"),
        ("def f(n):\n    return 2\nnope", "name 'nope' is not defined (line 3)"),
        ("def f(n) return 2", "expected ':' (line 1)"),
    ],
)
def test_code_that_cannot_work_is_invalid_and_says_why(judged, code, says):
    result = judged(code)
    assert (result.outcome, says in result.message, says in result.error.evalue) == ("invalid", True, True)


def test_code_that_cannot_work_starts_no_kernel(monkeypatch):
    executor = KernelExecutor(Settings())
    monkeypatch.setattr(executor._pool, "lend", lambda: pytest.fail("a kernel was started"))
    judging = executor.execute(Candidate(code="", digest="x"), make_problem("Write it.", "assert f(1) == 2").spec)
    with pytest.raises(StopIteration):
        next(judging)


def test_code_that_lacks_one_of_two_functions_is_tried(judged):
    result = judged("def f(n):\n    return 2", "assert f(1) == 2\nassert g(1) == 2")
    assert [check.outcome for check in result.checks] == ["passed", "error"]


def test_code_that_uses_what_the_setup_lends_is_tried(judged):
    checks = "class Pair:\n    def __init__(self, a):\n        self.a = a\nassert f(Pair(2)).a == 2"
    assert judged("def f(p):\n    return Pair(p.a)\nempty = Pair(0)", checks).outcome == "passed"


def test_without_a_check_to_run_code_that_loads_has_only_failed(judged):
    assert judged("x = 1", Spec()).outcome == "failed"
