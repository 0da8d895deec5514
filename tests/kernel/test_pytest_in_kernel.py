"""Test code about more than plain data runs next to the candidate, by pytest or unittest where it needs them."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import pytest

STACK = "class Stack:\n    def __init__(self): self.items = []\n    def push(self, x): self.items.append(x)\n    def pop(self): return self.items.pop()\n"
QUEUE = STACK.replace("pop()\n", "pop(0)\n")
CASES = {
    "a class under test": ("def test_a():\n    s = Stack()\n    s.push(1)\n    s.push(2)\n    assert s.pop() == 2", STACK, QUEUE),
    "a fixture of a class under test": ("import pytest\n@pytest.fixture\ndef stack():\n    s = Stack()\n    s.push(1)\n    return s\ndef test_a(stack):\n    stack.push(2)\n    assert stack.pop() == 2", STACK, QUEUE),
    "parametrize over a class under test": ("import pytest\n@pytest.mark.parametrize('n', [2, 3])\ndef test_a(n):\n    s = Stack()\n    for i in range(n): s.push(i)\n    assert s.pop() == n - 1", STACK, QUEUE),
    "unittest with setUp": ("import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.s = Stack()\n        self.s.push(1)\n        self.s.push(2)\n    def test_a(self):\n        self.assertEqual(self.s.pop(), 2)", STACK, QUEUE),
    "monkeypatch": ("def test_a(monkeypatch):\n    monkeypatch.setenv('NAME', 'x')\n    assert f() == 'x'", "import os\ndef f(): return os.environ['NAME']\n", "def f(): return 'y'\n"),
    "tmp_path": ("def test_a(tmp_path):\n    p = tmp_path / 'a'\n    p.write_text('hi')\n    assert f(p) == 'hi'", "def f(p): return p.read_text()\n", "def f(p): return ''\n"),
    "mock": ("from unittest.mock import Mock\ndef test_a():\n    m = Mock(return_value=3)\n    assert f(m) == 3\n    m.assert_called_once_with(1)", "def f(m): return m(1)\n", "def f(m): return 3\n"),
    "warns": ("import pytest\ndef test_a():\n    with pytest.warns(UserWarning):\n        f(1)", "import warnings\ndef f(x): warnings.warn('x')\n", "def f(x): pass\n"),
    "an exception of the candidate's": ("import pytest\ndef test_a():\n    with pytest.raises(Own, match='x'):\n        f(1)", "class Own(Exception): pass\ndef f(x): raise Own('x')\n", "class Own(Exception): pass\ndef f(x): pass\n"),
    "a coroutine": ("async def test_a():\n    assert await f(1) == 2", "async def f(x): return 2\n", "async def f(x): return 3\n"),
    "a coroutine with a fixture": ("import pytest\n@pytest.fixture\ndef x():\n    return 1\nasync def test_a(x):\n    assert await f(x) == 2", "async def f(x): return 2\n", "async def f(x): return 3\n"),
    "asyncio.run": ("import asyncio\ndef test_a():\n    assert asyncio.run(f(1)) == 2", "async def f(x): return 2\n", "async def f(x): return 3\n"),
    "an asyncio case": ("import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def test_a(self):\n        self.assertEqual(await f(1), 2)", "async def f(x): return 2\n", "async def f(x): return 3\n"),
    "a function as an argument": ("def test_a():\n    def g(x):\n        return x + 1\n    assert f(g, 1) == 2", "def f(g, x): return g(x)\n", "def f(g, x): return x\n"),
    "a doctest of objects": (">>> s = Stack()\n>>> s.push(1)\n>>> s.push(2)\n>>> s.pop()\n2", STACK, QUEUE),
    "asserts under a main guard": ("if __name__ == '__main__':\n    s = Stack()\n    s.push(1)\n    s.push(2)\n    assert s.pop() == 2", STACK, QUEUE),
}  # fmt: skip
NO_PASS = {
    "skipped": "import pytest\n@pytest.mark.skip(reason='no')\ndef test_a():\n    assert f(1) == 2",
    "skipped inside": "import pytest\ndef test_a():\n    if f(1):\n        pytest.skip('no')",
    "expected to fail": "import pytest\n@pytest.mark.xfail\ndef test_a():\n    x = f(1)\n    assert x == 3",
    "passing, though expected to fail": "import pytest\n@pytest.mark.xfail\ndef test_a():\n    x = f(1)\n    assert x == 2",
    "no case": "import pytest\n@pytest.mark.parametrize('x', [])\ndef test_a(x):\n    assert f(x) == 2",
    "one of two skipped": "import pytest\n@pytest.mark.parametrize('x', [1, pytest.param(1, marks=pytest.mark.skip)])\ndef test_a(x):\n    assert f(x) == 2",
    "a class without tests": "class TestA:\n    x = f",
    "a class with a constructor": "class TestA:\n    def __init__(self):\n        pass\n    def test_a(self):\n        assert f(1) == 2",
    "a case without tests": "import unittest\nclass T(unittest.TestCase):\n    x = f",
    "a case that is skipped": "import unittest\nclass T(unittest.TestCase):\n    @unittest.skip('no')\n    def test_a(self):\n        self.assertEqual(f(1), 2)",
    "a case that skips itself": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        if f(1): self.skipTest('no')",
    "a case that is expected to fail": "import unittest\nclass T(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n        self.assertEqual(f(1), 3)",
    "a generator": "def test_a():\n    x = f(1)\n    yield x",
    "a fixture that fails": "import pytest\n@pytest.fixture\ndef x():\n    raise ValueError(f(1))\ndef test_a(x):\n    assert x",
    "a teardown that fails": "import pytest\n@pytest.fixture\ndef x():\n    yield 1\n    assert f(1) == 3\ndef test_a(x):\n    assert f(x) == 2",
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_right_candidate_passes_next_to_its_tests(judged, name):
    checks, right, _ = CASES[name]
    result = judged(right, checks)
    assert [(c.outcome, c.judged, c.message) for c in result.checks] == [("passed", "in-kernel", "")]


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_candidate_fails_next_to_its_tests(judged, name):
    checks, _, wrong = CASES[name]
    result = judged(wrong, checks)
    assert (result.outcome, result.checks[0].judged) == ("failed", "in-kernel")


@pytest.mark.parametrize("name", NO_PASS)
def test_a_test_that_did_not_run_to_its_end_is_no_pass(judged, name):
    assert judged("def f(x): return 2\n", NO_PASS[name]).outcome == "failed"


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        ("def test_a():\n    x = 3\n    y = f(x) + 1\n    assert y == 3", "AssertionError: assert 7 == 3"),
        ("def test_a():\n    assert sum(f(n) for n in (1, 2)) == 3", "AssertionError: assert 6 == 3, where 6 = sum((f(n) for n in (1, 2)))"),
        ("def test_a():\n    x = f(1)\n    assert x > 2, 'small'", "AssertionError: small: assert 2 > 2"),
        ("import pytest\n@pytest.mark.parametrize('x,y', [(1, 2), (2, 5), (3, 7)])\ndef test_a(x, y):\n    assert f(x) == y", "2 of 3 cases failed: test_a[2-5], test_a[3-7]: AssertionError: assert 4 == 5, where 4 = f(x)"),
        ("import unittest\nclass T(unittest.TestCase):\n    def setUp(self): self.x = 2\n    def test_a(self):\n        self.assertEqual(f(self.x), 5)", "test_a (checks.T.test_a): AssertionError: 4 != 5"),
        (">>> x = f(2)\n>>> x\n5", "AssertionError: x shows 4"),
        ("import pytest\ndef test_a():\n    x = 1\n    with pytest.raises(ValueError):\n        f(x)\n    assert x == 1", "Failed: DID NOT RAISE ValueError"),
    ],
)  # fmt: skip
def test_the_message_says_which_values_differ(judged, checks, message):
    assert judged("def f(x):\n    return 2 * x\n", checks).checks[0].message == message


def test_the_traceback_of_an_error_is_the_candidates(judged):
    found = judged("def f(x):\n    y = 0\n    return x / y\n", "def test_a():\n    x = f(1)\n    assert x == 2").checks[
        0
    ]
    assert (found.outcome, found.error.locals, "return x / y" in "".join(found.error.traceback)) == (
        "error",
        {"x": "1", "y": "0"},
        True,
    )
