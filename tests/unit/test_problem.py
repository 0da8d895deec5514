from __future__ import annotations

import ast

import pytest

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Problem
from refine_magic.specs import names
from refine_magic.specs.problem import make_problem


def made(checks: str, prompt: str = "Write it.", **given: str) -> Problem:
    return make_problem(prompt, checks, **given)


@pytest.mark.parametrize(
    ("checks", "entry_point"),
    [
        ("assert f(2) == 4", "f"),
        ("assert 4 == f(2)", "f"),
        ("assert sorted(f([2])) == [2]", "f"),
        ("import math\nassert math.isclose(f(2), 4)", "f"),
        ("from math import isclose\nassert isclose(f(2), 4)", "f"),
        ("assert f(g(1)) == 1", "f"),
        ("assert Stack().size() == 0", "Stack"),
        ("assert LIMIT == 3", "LIMIT"),
        ("def run(solve): return solve(3)\nassert run(solve) == 9", "solve"),
        ("def near(f, y): return abs(f - y) < 1\nassert near(f(2), 4)", "f"),
        ("squares = [f for f in (1, 4)]\nassert f(2) in squares", "f"),
        ("def verify(n):\n    assert f(n) == n\nverify(1)", "f"),
        (">>> f(2)\n4", "f"),
        ("with pytest.raises(ValueError):\n    f(-1)", "f"),
        ("class TestF(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 1)", "f"),
    ],
)
def test_the_entry_point_is_what_the_checks_call(checks: str, entry_point: str) -> None:
    assert made(checks).entry_point == entry_point


def test_the_entry_point_can_be_given() -> None:
    assert made("assert f(g(1)) == 1", entry_point="g").entry_point == "g"


def test_an_entry_point_that_no_check_calls_is_refused() -> None:
    with pytest.raises(SpecError, match="no check calls g; they call f"):
        made("assert f(1) == 1", entry_point="g")


@pytest.mark.parametrize("checks", ["assert True", "assert 1 + 1 == 2", "assert len([]) == 0", "x = 1\nassert x == 1"])
def test_a_check_that_takes_nothing_from_the_code_is_refused(checks: str) -> None:
    with pytest.raises(SpecError, match="check 1 calls nothing"):
        made(checks)


def test_a_check_of_an_imported_name_is_refused() -> None:
    with pytest.raises(SpecError, match="calls nothing"):
        made("from mine import f\nassert f(1) == 1")


@pytest.mark.parametrize("prompt", ["", "  \n\t\n"])
def test_an_empty_prompt_is_refused(prompt: str) -> None:
    with pytest.raises(SpecError, match="the prompt is empty"):
        made("assert f(1)", prompt)


@pytest.mark.parametrize("checks", ["", "\n", "  \n"])
def test_without_checks_the_problem_has_none_for_the_model_is_to_write_them(checks: str) -> None:
    assert (made(checks).spec.checks, made(checks).entry_point) == ((), None)


@pytest.mark.parametrize("checks", ["# none yet", "import math", "f(2)"])
def test_a_text_that_holds_no_check_is_refused_with_an_example_of_one(checks: str) -> None:
    with pytest.raises(SpecError, match="assert f"):
        made(checks)


def test_examples_in_the_prompt_come_before_the_checks_below() -> None:
    spec = made("assert f(3) == 9", "Write f.\n>>> f(2)\n4").spec
    assert [(check.id, check.origin) for check in spec.checks] == [("c1", "doctest"), ("c2", "user")]


def test_doctest_examples_below_the_dashes_are_the_users() -> None:
    assert [check.origin for check in made(">>> f(2)\n4\n>>> f(3)\n9").spec.checks] == ["user", "user"]


def test_examples_in_a_tests_docstring_are_no_checks() -> None:
    checks = "def test_f():\n    '''\n    >>> f(2)\n    '''\n    assert f(2) == 3"
    assert [check.source for check in made(checks).spec.checks] == [checks]


@pytest.mark.parametrize("checks", ["assert f(1) == 1\n\n>>> f(2)\n4", ">>> f(2)\n4\nassert f(3) == 9"])
def test_a_mixture_of_asserts_and_examples_is_refused(checks: str) -> None:
    with pytest.raises(SpecError, match="mix doctest examples and asserts"):
        made(checks)


def test_windows_line_ends_make_no_difference() -> None:
    assert made("assert f(1)\r\nassert f(2)", "a\r\nb") == made("assert f(1)\nassert f(2)", "a\nb")


def test_the_id_says_the_entry_point_and_depends_on_the_prompt() -> None:
    ids = {made("assert f(1)", prompt).id for prompt in ("one", "two")}
    assert len(ids) == 2 and all(name.startswith("f-") for name in ids)


def test_the_id_can_be_given() -> None:
    assert made("assert f(1)", name="mine").id == "mine"


def test_a_prompt_in_any_script_is_accepted() -> None:
    assert made("assert 二乗(2) == 4", "二乗を書いて \ud800").entry_point == "二乗"


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("f(x)", ["f", "x"]),
        ("x = 1\nf(x)", ["f"]),
        ("[f(x) for x in y]", ["f", "y"]),
        ("lambda x: f(x)", ["f"]),
        ("print(len(f))", ["f"]),
        ("import a.b as c, d.e\nc(d)", []),
        ("try:\n    f()\nexcept ValueError as e:\n    g(e)", ["f", "g"]),
        ("match f():\n    case [a, *b]:\n        a(b)", ["f"]),
        ("if (n := f()): n", ["f"]),
    ],
)
def test_free_names_are_those_that_the_code_does_not_bind(text: str, free: list[str]) -> None:
    assert names.free(ast.parse(text)) == free


def test_names_defined_at_the_top_level_are_not_those_inside() -> None:
    text = "import a\nb = 1\nfor c in d: e = 1\ndef f(g): h = 1\nclass I: j = 1\nk = [l for l in m]\nn = lambda o: o"
    assert names.defined(ast.parse(text)) == {"a", "b", "c", "e", "f", "I", "k", "n"}


def test_a_builtin_is_the_entry_point_where_the_user_says_so() -> None:
    assert make_problem("Write sum.", "assert sum(10, 15) == 6", entry_point="sum").entry_point == "sum"


def test_a_name_that_a_helper_makes_global_is_not_the_candidates() -> None:
    checks = "def setup_function():\n    global STATE\n    STATE = [1]\ndef test_a():\n    assert STATE == [f(1)]"
    assert make_problem("w", checks).entry_point == "f"


def test_a_check_takes_what_the_fixture_takes_that_it_asks_for() -> None:
    checks = "import pytest\n@pytest.fixture\ndef made():\n    return f(1)\ndef test_a(made):\n    pass"
    assert make_problem("w", checks + "\n    assert made").entry_point == "f"
