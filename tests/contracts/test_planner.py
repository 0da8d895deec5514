"""Which checks the host judges, what of each goes to the candidate's kernel, and how a result is put in words."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import pytest

from refine_magic.core.types import Check
from refine_magic.execution.judging.planner import make_plan
from refine_magic.execution.judging.setup import read
from refine_magic.execution.judging.wire import Answer
from refine_magic.specs.problem import make_problem


def plan(source: str, setup: str = "", kind: str = "call"):
    return make_plan(Check.model_validate({"id": "c1", "source": source, "kind": kind}), read(setup))


def requests(source: str, setup: str = "", kind: str = "call") -> list[str] | None:
    made = plan(source, setup, kind)
    return None if made is None else [request.source for request in made.calls]


HOST = {
    "f(3) == 9": ["f(3)"],
    "9 == f(3)": ["f(3)"],
    "f(3) != 9": ["f(3)"],
    "f(3) < 9": ["f(3)"],
    "1 < f(3) < 9": ["f(3)"],
    "f(3) is None": ["f(3)"],
    "f(3) is not None": ["f(3)"],
    "f(3) in (1, 2)": ["f(3)"],
    "2 not in f(3)": ["f(3)"],
    "f(3)": ["f(3)"],
    "not f(3)": ["f(3)"],
    "isinstance(f(3), int)": ["f(3)"],
    "isinstance(f(3), (int, float))": ["f(3)"],
    "type(f(3)) == int": ["f(3)"],
    "type(f(3)) is list": ["f(3)"],
    "math.isclose(f(3), 0.3)": ["f(3)"],
    "math.isclose(f(3), 0.3, rel_tol=1e-6)": ["f(3)"],
    "abs(f(3) - 0.3) < 1e-9": ["f(3)"],
    "f(3) == pytest.approx(0.3)": ["f(3)"],
    "f(3) == pytest.approx([0.3, 0.4], abs=1e-3)": ["f(3)"],
    "round(f(3), 2) == 0.33": ["f(3)"],
    "sorted(f(3)) == [1, 2]": ["f(3)"],
    "sorted(f(3), key=lambda p: p[1]) == [1, 2]": ["f(3)"],
    "set(f(3)) == {1, 2}": ["f(3)"],
    "len(f(3)) == 2": ["f(3)"],
    "list(f(3)) == [1, 2]": ["f(3)"],
    "next(f(3)) == 1": ["f(3)"],
    "all(x > 0 for x in f(3))": ["f(3)"],
    "[x * 2 for x in f(3)] == [2, 4]": ["f(3)"],
    "f(3) == 9 and f(4) == 16": ["f(3)", "f(4)"],
    "f(3) == 9 or f(3) == 8": ["f(3)", "f(3)"],
    "f(3) + f(4) == 25": ["f(3)", "f(4)"],
    "f(f(2)) == 16": ["f(f(2))"],
    "f(g(2), n=h(3)) == 16": ["f(g(2), n=h(3))"],
    "f(3)[0] == 1": ["f(3)[0]"],
    "f(3)['a'] == 1": ["f(3)['a']"],
    "f(3).count('a') == 1": ["f(3).count('a')"],
    "f(3).upper() == 'A'": ["f(3)"],
    "f(3).startswith('a')": ["f(3)"],
    "f(3)(4) == 7": ["f(3)(4)"],
    "LIMIT == 10": ["LIMIT"],
    "Stack([1]).pop() == 1": ["Stack([1]).pop()"],
    "Stack([1]).size == 1": ["Stack([1]).size"],
    "Color.RED.value == 1": ["Color.RED.value"],
    "Is_prime(4)": ["Is_prime(4)"],
    "Split([1, 2]) == [1]": ["Split([1, 2])"],
    "sum(10, 15) == 6": ["sum(10, 15)"],
    "''.join(f(3)) == 'abc'": ["f(3)"],
    "f([x for x in range(3)]) == 3": ["f([x for x in range(3)])"],
    "f(lambda x: x + 1) == 3": ["f(lambda x: x + 1)"],
    "f({1: (2, [3])}, *[4], **{'k': 5}) == 3": ["f({1: (2, [3])}, *[4], **{'k': 5})"],
    "f(math.sqrt(4)) == 2": ["f(math.sqrt(4))"],
}


@pytest.mark.parametrize("expression", HOST)
def test_the_host_judges_it_and_sends_only_the_candidates_part(expression):
    assert requests(f"assert {expression}") == HOST[expression]


@pytest.mark.parametrize(
    "expression",
    [
        "Stack([1]) == Stack([1])",
        "isinstance(Stack([1]), Stack)",
        "len(Stack([1])) == 1",
        "Stack([1])",
        "f(3) is f(3)",
        "all(f(x) == x for x in range(3))",
        "len({f() for _ in range(10)}) == 10",
        "list(map(f, [1, 2])) == [1, 4]",
        "callable(f)",
        "hasattr(f, 'cache')",
        "type(f(3)).__name__ == 'int'",
        "f'{f(3)}' == '3'",
        "'%d' % f(3) == '3'",
        "[x for a in f(3) for x in a] == [1]",
        "(y := f(3)) == y",
        "open('x').read() == f(3)",
        "__import__('os').getcwd() == f(3)",
    ],
)
def test_only_the_candidates_own_kernel_can_judge_it(expression):
    assert requests(f"assert {expression}") is None


SETUPS = {
    "a literal": ("N = 3", "f(N) == N * 3", ["f(3)"], ""),
    "a literal that changes is run": ("d = [1]\nd.append(2)", "f(d) == 3", ["f(d)"], "d = [1]\nd.append(2)"),
    "isclose by name": ("from math import isclose", "isclose(f(3), 0.3)", ["f(3)"], ""),
    "isclose under another name": ("from math import isclose as near", "near(f(3), 0.3)", ["f(3)"], ""),
    "math under another name": ("import math as m", "m.isclose(f(3), m.pi)", ["f(3)"], ""),
    "approx by name": ("from pytest import approx", "f(3) == approx(0.3)", ["f(3)"], ""),
    "an argument's class": ("from collections import Counter", "f(Counter('a')) == 1", ["f(Counter('a'))"], "from collections import Counter"),
    "only what is needed": ("import re\nx = [re]\nsecret = g(9)", "f(x) == 1", ["f(x)"], "import re\nx = [re]"),
    "objects of the candidate": ("r = Node(1)\nr.left = Node(2)\ns = Node(3)", "f(r) == 1", ["f(r)"], "r = Node(1)\nr.left = Node(2)"),
}  # fmt: skip


@pytest.mark.parametrize("name", SETUPS)
def test_a_name_of_the_setup_is_put_in_place_or_sent_with_what_it_needs(name):
    setup, expression, sources, sent = SETUPS[name]
    made = plan(f"assert {expression}", setup)
    assert ([request.source for request in made.calls], made.calls[0].setup) == (sources, sent)


@pytest.mark.parametrize(
    ("setup", "expression"),
    [
        ("def check(x): return f(x) == 3", "check(2)"),
        ("want = g(3)", "f(3) == want"),
        ("import numpy as np", "np.all(f(3))"),
    ],
)
def test_a_name_of_the_setup_on_the_hosts_side_is_not_for_the_host(setup, expression):
    assert requests(f"assert {expression}", setup) is None


@pytest.mark.parametrize(
    ("source", "host"),
    [
        ("with pytest.raises(ValueError):\n    f(-1)", True),
        ("with pytest.raises(ValueError, match='neg.*'):\n    f(-1)", True),
        ("with pytest.raises((ValueError, TypeError)):\n    list(f(-1))", True),
        ("with pytest.raises(OwnError):\n    f(-1)", False),
        ("with pytest.raises(ValueError) as info:\n    f(-1)", False),
        ("with pytest.raises(ValueError):\n    x = 3\n    f(x)", False),
        ("with pytest.raises(ValueError):\n    int('x')", False),
    ],
)
def test_a_call_that_must_raise_a_builtin_exception_is_the_hosts(source, host):
    assert (requests(source, "import pytest", "raises") is not None) is host


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (">>> f(3)\n9", True),
        (">>> sorted(f(3))\n[9]", True),
        (">>> Point(1)\nP!", True),
        (">>> f(3) == 9\nTrue", False),
    ],
)
def test_a_doctest_value_is_shown_by_the_kernel_but_a_comparison_is_the_hosts(source, shown):
    assert plan(source).calls[0].shown is shown


@pytest.mark.parametrize("source", [">>> x = f(3)", ">>> f(3); f(4)\n9", ">>> 1 + 1\n2"])
def test_a_doctest_of_more_than_one_expression_is_not_for_the_host(source):
    assert requests(source) is None


WORDS = {
    "f(3) == 9": (8, "9", "8"),
    "9 == f(3)": (8, "9", "8"),
    "f(3) != 9": (9, "!= 9", "9"),
    "f(3) < 9": (10, "< 9", "10"),
    "f(3) is None": (1, "None", "1"),
    "f(3) in (1, 2)": (3, "in (1, 2)", "3"),
    "not f(3)": (1, "a false value", "1"),
    "f(3)": (0, "a true value", "0"),
    "len(f(3)) == 2": ([1], "2", "1"),
    "sorted(f(3)) == [1, 2]": ([3, 1], "[1, 2]", "[1, 3]"),
    "isinstance(f(3), int)": ("a", "a true value", "'a'"),
    "abs(f(3) - 0.3) < 1e-09": (0.5, "< 1e-09", "0.2"),
    "round(f(3), 1) == 0.3": (0.51, "0.3", "0.5"),
    "1 < f(3) < 9": (10, "a true value", "10"),
}


@pytest.mark.parametrize("expression", WORDS)
def test_a_failed_check_says_what_was_expected_and_what_was_observed(expression):
    value, expected, observed = WORDS[expression]
    found = plan(f"assert {expression}").judge([Answer(value=value)])
    assert (found.outcome, found.expected, found.observed) == ("failed", expected, observed)


def test_both_values_are_shown_where_two_calls_are_compared():
    found = plan("assert f(1) == g(1)").judge([Answer(value=1), Answer(value=2)])
    assert (found.expected, found.observed) == ("both sides equal", "1, 2")


def test_every_check_of_a_users_cell_gets_the_plan_of_its_kind():
    spec = make_problem("f", "import math\nN = 3\nassert f(N) == 9\nwith pytest.raises(ValueError):\n    f(-1)\n").spec
    assert all(make_plan(check, read(spec.setup)) for check in spec.checks)
