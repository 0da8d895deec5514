from __future__ import annotations

import ast

import pytest

from refine_magic.core.errors import SpecError
from refine_magic.specs.source import parse

GUARD = "\nif __name__ == '__main__':\n    unittest.main()\n"
CASE = "class TestF(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 1)"


def kinds(text: str) -> list[str]:
    return [check.kind for check in parse(text)[0]]


def sources(text: str) -> list[str]:
    return [check.source for check in parse(text)[0]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("assert f(1) == 1", ["call"]),
        ("assert f(1) == 1\nassert f(2) == 4", ["call", "call"]),
        ("assert f(1) == 1; assert f(2) == 4", ["call", "call"]),
        ("with pytest.raises(ValueError):\n    f(-1)", ["raises"]),
        ("with pytest.raises(ValueError), open('x'):\n    f(-1)", ["program"]),
        ("def test_f():\n    assert f(1) == 1", ["program"]),
        (CASE, ["program"]),
        ("class TestF:\n    def test_a(self):\n        assert f(1)", ["program"]),
        ("for n in range(3):\n    assert f(n) == n", ["program"]),
        ("for n in (-1, -2):\n    with pytest.raises(ValueError):\n        f(n)", ["program"]),
        ("try:\n    f(-1)\nexcept ValueError:\n    pass\nelse:\n    raise AssertionError", ["program"]),
        ("if f(2) != 4:\n    raise AssertionError('no')", ["program"]),
        ("x = f(2)\nassert x == 4\nassert x > 3", ["program"]),
        ("assert f(1) == 1\nx = f(2)\nassert x == 4", ["call", "program"]),
        ("x = 2\nassert f(x) == 4", ["call"]),
        ("def verify(g):\n    assert g(1) == 1\nverify(f)", ["program"]),
        ("def verify(g):\n    assert g(1) == 1\nfor _ in range(3):\n    verify(f)", ["program"]),
        ("def check(g):\n    assert g(1) == 1\ncheck(f)", ["program"]),
        ("def near(a, b):\n    return a - b < 1\nassert near(f(1), 1)", ["call"]),
        ("def verify(g):\n    assert g(1) == 1", []),
        ("f(2)", []),
        ("import math", []),
        ("# only a comment", []),
        ("", []),
    ],
)
def test_statements_become_checks_of_their_kind(text: str, found: list[str]) -> None:
    assert kinds(text) == found


def test_a_call_that_checks_nothing_is_no_check() -> None:
    assert kinds("total = checksum(f(2))") == []


def test_the_checks_are_numbered_from_the_first() -> None:
    assert [check.id for check in parse("assert f(1)\nassert f(2)", 4)[0]] == ["c4", "c5"]


def test_imports_literals_and_helpers_are_setup() -> None:
    text = "import re\nxs = [1]\ndef near(a):\n    return a\nassert f(xs)"
    assert parse(text)[1] == "import re\nxs = [1]\ndef near(a):\n    return a"


@pytest.mark.parametrize("name", ["math", "pytest", "unittest"])
def test_a_module_that_tests_take_for_granted_is_imported(name: str) -> None:
    assert parse(f"assert f({name})")[1] == f"import {name}"


def test_a_module_that_is_imported_is_not_imported_twice() -> None:
    assert parse("import math\nassert f(math.pi)")[1] == "import math"


def test_the_source_of_a_check_is_what_the_user_wrote() -> None:
    assert sources("assert  f( 1 )==1   # one") == ["assert  f( 1 )==1"]


def test_decorators_belong_to_the_check() -> None:
    assert sources("@mark\n@other(1)\ndef test_f():\n    f(1)") == ["@mark\n@other(1)\ndef test_f():\n    f(1)"]


def test_a_check_after_a_semicolon_is_its_own() -> None:
    assert sources("assert f(1) == 1; assert f(\n2) == 2") == ["assert f(1) == 1", "assert f(\n2) == 2"]


@pytest.mark.parametrize("sign", ["\x0c", "\u2028", "\x85", "\x1c"])
def test_a_strange_line_end_in_a_text_does_not_move_the_lines(sign: str) -> None:
    assert sources(f"assert f('{sign}') == 1\nassert f(\n    2) == 3")[1] == "assert f(\n    2) == 3"


def test_indented_checks_are_dedented() -> None:
    assert sources("    assert f(1)\n    assert f(2)") == ["assert f(1)", "assert f(2)"]


def test_every_check_is_python_by_itself() -> None:
    assert all(ast.parse(source) for source in sources(f"assert f(1)\n{CASE}\n@m\ndef test_b():\n    f(2)"))


def test_the_call_of_the_test_runner_is_left_out() -> None:
    assert parse(CASE + GUARD)[1] == "import unittest"


def test_the_call_of_the_test_runner_does_not_hide_later_checks() -> None:
    assert kinds(CASE + GUARD + "assert f(1) == 1") == ["program", "call"]


def test_asserts_under_a_main_guard_are_checks() -> None:
    assert kinds("if __name__ == '__main__':\n    assert f(1) == 1") == ["program"]


@pytest.mark.parametrize("text", ["assert f(", "assert f(1)\n\nassert f(2) = 3", "assert 'a"])
def test_a_syntax_error_is_refused_with_its_line(text: str) -> None:
    last = text.count("\n") + 1 + 5
    with pytest.raises(SpecError, match=rf"line {last}: the checks have a syntax error"):
        parse(text, lines_before=5)


def test_a_null_byte_is_refused() -> None:
    with pytest.raises(SpecError):
        parse("assert f('\0')")


FIXTURE = "@pytest.fixture\ndef four():\n    return 4\n"


@pytest.mark.parametrize(
    "text",
    [
        "@pytest.mark.parametrize('a', [1])\ndef test_f(a):\n    assert f(a)",
        "@pytest.mark.parametrize(('a', 'b'), [(1, 2)])\ndef test_f(a, b):\n    assert f(a)",
        "@pytest.mark.parametrize('a, b', [(1, 2)])\ndef test_f(a, b):\n    assert f(a)",
        "@pytest.mark.parametrize(argnames='a', argvalues=[1])\ndef test_f(a):\n    assert f(a)",
        "pytestmark = pytest.mark.parametrize('a', [1])\ndef test_f(a):\n    assert f(a)",
        "@pytest.mark.parametrize('a', [1])\nclass TestF:\n    def test_f(self, a):\n        assert f(a)",
        FIXTURE + "def test_f(four):\n    assert f(four)",
        "@pytest.fixture(name='four')\ndef made():\n    return 4\ndef test_f(four):\n    assert f(four)",
        "class TestF:\n    @pytest.fixture\n    def x(self):\n        return 1\n    def test_f(self, x):\n        f(x)",
        "def test_f(tmp_path, capsys):\n    assert f(1)",
        "def test_f(x=3):\n    assert f(x)",
        "@given(x=integers())\ndef test_f(x):\n    assert f(x)",
        "class TestF:\n    @staticmethod\n    def test_f():\n        assert f(1)",
        "async def test_f():\n    assert await f(1)",
        "class TestF(unittest.IsolatedAsyncioTestCase):\n    async def test_f(self):\n        assert await f(1)",
    ],
)
def test_a_test_whose_arguments_are_known_is_one_check(text: str) -> None:
    assert kinds(text) == ["program"]


def test_a_fixture_that_is_named_like_a_test_is_setup() -> None:
    text = "@pytest.fixture\ndef test_data():\n    return 4\ndef test_f(test_data):\n    assert f(test_data)"
    assert (kinds(text), "def test_data" in parse(text)[1]) == (["program"], True)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\ndef test_f(four):\n    assert f(four)", "four"),
        ("\ndef test_f(*, four):\n    assert f(four)", "four"),
        ("@pytest.mark.parametrize('a', [1])\ndef test_f(a, b):\n    assert f(a)", "b"),
        ("class TestF:\n    def test_f(self, four):\n        assert f(four)", "four"),
    ],
)
def test_an_argument_that_nothing_gives_is_refused_by_its_name_with_the_line(text: str, name: str) -> None:
    with pytest.raises(SpecError, match=f"line 2: test_f takes '{name}', which is no fixture of these checks"):
        parse(text)


def test_a_coroutine_that_unittest_would_never_run_is_refused_with_its_line() -> None:
    with pytest.raises(SpecError, match=r"line 2: test_f is async, but unittest\.TestCase would never run it"):
        parse("class T(unittest.TestCase):\n    async def test_f(self):\n        assert f(1)")


def test_marks_and_params_of_pytest_are_setup() -> None:
    text = "CASES = [pytest.param(1, id='a')]\npytestmark = pytest.mark.slow\ndef test_f():\n    assert f(1)"
    assert kinds(text) == ["program"] and "CASES" in parse(text)[1]
