"""Test code that comes down to single assertions is judged on the host; what it comes down to, and what does not."""

from __future__ import annotations

import pytest

from refine_magic.core.types import Check
from refine_magic.execution.judging.lift import NotForHost
from refine_magic.execution.judging.planner import make_plan
from refine_magic.execution.judging.setup import read
from refine_magic.execution.judging.straight import assertions


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (
            "def test_a():\n    'doc'\n    assert f(1) == 2\n    assert f(2) == 4",
            ["assert f(1) == 2", "assert f(2) == 4"],
        ),
        ("def test_a():\n    x = 3\n    assert f(x) == 2 * x", ["assert f(3) == 2 * 3"]),
        ("def test_a():\n    xs = [3]\n    assert f(xs) == 2", ["assert f([3]) == 2"]),
        ("for n in (1, 2):\n    assert f(n) == n", ["assert f(1) == 1", "assert f(2) == 2"]),
        ("for n, w in [(1, 'a'), (2, 'b')]:\n    assert f(n) == w", ["assert f(1) == 'a'", "assert f(2) == 'b'"]),
        ("for n in range(1, 3):\n    assert f(n) == n", ["assert f(1) == 1", "assert f(2) == 2"]),
        (
            "def test_a():\n    import pytest\n    with pytest.raises(E):\n        f(1)",
            ["with pytest.raises(E):\n    f(1)"],
        ),
        (
            "class T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n"
            "        self.assertFalse(f(2))",
            ["assert f(1) == 2", "assert not f(2)"],
        ),
        ("class TestA:\n    def test_a(self):\n        assert f(1)", ["assert f(1)"]),
    ],
)
def test_code_comes_down_to(source, written):
    assert assertions(source) == written


@pytest.mark.parametrize(
    "source",
    [
        "def test_a():\n    total = 0\n    for n in (1, 2):\n        total += f(n)\n    assert total == 3",
        "def test_a():\n    x = f(1)\n    assert x == 2",
        "def test_a():\n    xs = [3, 1]\n    f(xs)\n    assert xs == [1, 3]",
        "def test_a():\n    xs = [3, 1]\n    assert f(xs) == 1\n    assert f(xs) == 1",
        "def test_a():\n    xs = [1]\n    for n in (1, 2):\n        assert f(xs, n) == 1",
        "for xs in ([1], [2]):\n    assert f(xs) == f(xs)",
        "def test_a(fixture):\n    assert f(1) == 2",
        "@mark\ndef test_a():\n    assert f(1) == 2",
        "def test_a():\n    if f(1):\n        assert f(2)",
        "def test_a():\n    while f(1):\n        assert f(2)",
        "def test_a():\n    return f(1)",
        "def test_a():\n    pass",
        "for n in range(10**9):\n    assert f(n)",
        "for n in f(3):\n    assert n > 0",
        "for n in (1, 2):\n    assert f(n)\nelse:\n    assert f(3)",
        "class T(unittest.TestCase):\n    def setUp(self):\n        self.x = 1\n"
        "    def test_a(self):\n        self.assertEqual(f(1), 1)",
        "class T(unittest.TestCase):\n    def test_a(self):\n        self.assertCountEqual(f(1), [1])",
        "def test_a():\n    x = 1\n    assert [x for x in f(3)] == [1]",
        "async def test_a():\n    assert f(1) == 2",
    ],
)
def test_code_that_is_more_than_assertions_in_a_row_is_not_for_the_host(source):
    with pytest.raises(NotForHost):
        assertions(source)


def test_one_assertion_that_is_not_for_the_host_takes_the_whole_check_along():
    source = "def test_a():\n    assert f(1) == 2\n    assert all(f(x) > 0 for x in (1, 2))\n    assert open('x')"
    assert make_plan(Check(id="c1", source=source, kind="program"), read("")) is None


@pytest.mark.parametrize("context", ["pytest.raises(ValueError)", "self.assertRaises(ValueError)"])
def test_an_error_that_is_expected_is_judged_on_the_host(context):
    source = f"class T(unittest.TestCase):\n    def test_a(self):\n        with {context}:\n            f(1)"
    assert make_plan(Check(id="c1", source=source, kind="program"), read("")) is not None


@pytest.mark.parametrize(
    "context", ["pytest.warns(UserWarning)", "suppress(ValueError)", "self.assertWarns(UserWarning)"]
)
def test_another_context_is_not_taken_for_an_error_that_is_expected(context):
    source = f"class T(unittest.TestCase):\n    def test_a(self):\n        with {context}:\n            f(1)"
    assert make_plan(Check(id="c1", source=source, kind="program"), read("")) is None
