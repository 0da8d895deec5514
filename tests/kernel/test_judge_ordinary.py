"""Ordinary test code of many kinds is judged in the second kernel: a right candidate passes, a wrong one does not."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import pytest

DOUBLE, TRIPLE = "def f(x):\n    return 2 * x\n", "def f(x):\n    return 3 * x\n"
SORT, COPY = "def f(xs):\n    xs.sort()\n    return xs\n", "def f(xs):\n    return sorted(xs)\n"
PRINT, SILENT = "def f(x):\n    print('got', x)\n    return x\n", "def f(x):\n    return x\n"
STRICT = "def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return 2 * x\n"
COUNT = "def f():\n    n = 0\n    while True:\n        yield n\n        n += 1\n"
ENDS = "def f():\n    yield 0\n    yield 1\n"
COUNTER = "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return g\n"
FROZEN = "def f():\n    return lambda: 1\n"
GROUP = "from collections import defaultdict\ndef f(ws):\n    d = defaultdict(list)\n    for w in ws: d[len(w)].append(w)\n    return d\n"
GROUP_WRONG = "def f(ws):\n    return {}\n"
CASES = {
    "a sum in a loop": ("def test_a():\n    total = 0\n    for n in (1, 2):\n        total += f(n)\n    assert total == 6", DOUBLE, TRIPLE),
    "all over a range": ("def test_a():\n    assert all(f(x) == x + x for x in range(50))", DOUBLE, TRIPLE),
    "a bare all": ("assert all(f(x) == x + x for x in range(50))", DOUBLE, TRIPLE),
    "a comprehension": ("def test_a():\n    assert [f(x) for x in range(3)] == [0, 2, 4]", DOUBLE, TRIPLE),
    "a dictionary of cases": ("CASES = {1: 2, 2: 4}\ndef test_a():\n    for given, wanted in CASES.items():\n        assert f(given) == wanted", DOUBLE, TRIPLE),
    "a helper": ("def check(x, want):\n    got = f(x)\n    assert got == want, f'{x}: {got}'\ndef test_a():\n    check(1, 2)\n    check(5, 10)", DOUBLE, TRIPLE),
    "a helper that is given the function": ("def check(g):\n    assert g(2) == 4\ncheck(f)", DOUBLE, TRIPLE),
    "a reference written in the test": ("def slow(x):\n    total = 0\n    for _ in range(2):\n        total += x\n    return total\ndef test_a():\n    for x in range(20):\n        assert f(x) == slow(x)", DOUBLE, TRIPLE),
    "a variable": ("def test_a():\n    result = f(4)\n    assert result == 8\n    assert isinstance(result, int)", DOUBLE, TRIPLE),
    "map": ("def test_a():\n    assert list(map(f, [1, 2])) == [2, 4]", DOUBLE, TRIPLE),
    "random input": ("import random\ndef test_a():\n    for _ in range(20):\n        x = random.randint(1, 99)\n        assert f(x) == x * 2", DOUBLE, TRIPLE),
    "a fixture": ("import pytest\n@pytest.fixture\ndef four():\n    return 4\ndef test_a(four):\n    assert f(four) == 8", DOUBLE, TRIPLE),
    "a yield fixture with another": ("import pytest\n@pytest.fixture\ndef two():\n    return 2\n@pytest.fixture(scope='module')\ndef base():\n    yield 10\n@pytest.fixture\ndef both(two, base):\n    yield two + base\ndef test_a(both):\n    assert f(both) == 24", DOUBLE, TRIPLE),
    "a fixture with params": ("import pytest\n@pytest.fixture(params=[1, 2, 3])\ndef x(request):\n    return request.param\ndef test_a(x):\n    assert f(x) == x + x", DOUBLE, TRIPLE),
    "an autouse fixture": ("import pytest\nSEEN = []\n@pytest.fixture(autouse=True)\ndef seen():\n    SEEN.append(1)\ndef test_a():\n    assert f(len(SEEN)) == 2", DOUBLE, TRIPLE),
    "parametrize": ("import pytest\n@pytest.mark.parametrize('x, want', [(1, 2), (2, 4)], ids=['one', 'two'])\ndef test_a(x, want):\n    assert f(x) == want", DOUBLE, TRIPLE),
    "parametrize twice": ("import pytest\n@pytest.mark.parametrize('x', [1, 2])\n@pytest.mark.parametrize('y', [3, 4])\ndef test_a(x, y):\n    assert f(x + y) == f(x) + f(y) == 2 * (x + y)", DOUBLE, TRIPLE),
    "indirect": ("import pytest\n@pytest.fixture\ndef x(request):\n    return request.param + 1\n@pytest.mark.parametrize('x', [1, 2], indirect=True)\ndef test_a(x):\n    assert f(x) == 2 * x", DOUBLE, TRIPLE),
    "a mark for the module": ("import pytest\npytestmark = pytest.mark.parametrize('x', [1, 2])\ndef test_a(x):\n    assert f(x) == x + x", DOUBLE, TRIPLE),
    "pytest.param": ("import pytest\nCASES = [pytest.param(1, 2, id='a'), pytest.param(2, 4, id='b')]\n@pytest.mark.parametrize('x,want', CASES)\ndef test_a(x, want):\n    assert f(x) == want", DOUBLE, TRIPLE),
    "a class with setup_method": ("class TestF:\n    def setup_method(self):\n        self.x = 4\n    def test_a(self):\n        assert f(self.x) == 8\n    def test_b(self):\n        assert f(0) == 0", DOUBLE, TRIPLE),
    "a class with setup_class and a fixture": ("import pytest\nclass TestF:\n    @classmethod\n    def setup_class(cls):\n        cls.x = 4\n    @pytest.fixture\n    def y(self):\n        return 1\n    def test_a(self, y):\n        assert f(self.x + y) == 10", DOUBLE, TRIPLE),
    "unittest with setUp": ("import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.x = 4\n    def test_a(self):\n        self.assertEqual(f(self.x), 8)\n    def test_b(self):\n        for x in range(3):\n            with self.subTest(x=x):\n                self.assertEqual(f(x), x + x)", DOUBLE, TRIPLE),
    "pytest.raises with its text": ("import pytest\ndef test_a():\n    with pytest.raises(ValueError) as info:\n        f(-1)\n    assert 'negative' in str(info.value)\n    assert f(1) == 2", STRICT, DOUBLE),
    "unittest's assertRaises": ("import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.bad = -1\n    def test_a(self):\n        with self.assertRaises(ValueError) as cm:\n            f(self.bad)\n        self.assertEqual(str(cm.exception), 'negative')", STRICT, DOUBLE),
    "raises of a function": ("import pytest\ndef test_a():\n    assert f(1) == 2\n    pytest.raises(ValueError, f, -1)", STRICT, DOUBLE),
    "try and else": ("def test_a():\n    try:\n        f(-1)\n    except ValueError as error:\n        assert 'neg' in str(error)\n    else:\n        raise AssertionError('no error')", STRICT, DOUBLE),
    "approx": ("import pytest\ndef test_a():\n    got = f(0.1)\n    assert got == pytest.approx(0.2)", DOUBLE, TRIPLE),
    "mutation in place": ("def test_a():\n    xs = [3, 1, 2]\n    f(xs)\n    assert xs == [1, 2, 3]", SORT, COPY),
    "the argument itself": ("def test_a():\n    xs = [3, 1]\n    assert f(xs) is xs", SORT, COPY),
    "a new list": ("def test_a():\n    xs = [3, 1]\n    got = f(xs)\n    assert got is not xs and xs == [3, 1] and got == [1, 3]", COPY, SORT),
    "capsys": ("def test_a(capsys):\n    f(7)\n    assert capsys.readouterr().out == 'got 7\\n'", PRINT, SILENT),
    "redirect_stdout": ("import io\nfrom contextlib import redirect_stdout\ndef test_a():\n    out = io.StringIO()\n    with redirect_stdout(out):\n        f(7)\n    assert out.getvalue().strip() == 'got 7'", PRINT, SILENT),
    "an endless generator": ("from itertools import islice\ndef test_a():\n    numbers = f()\n    assert next(numbers) == 0\n    assert list(islice(numbers, 400)) == list(range(1, 401))", COUNT, ENDS),
    "a generator's end": ("import pytest\ndef test_a():\n    numbers = f()\n    assert next(numbers) == 0\n    assert next(numbers) == 1\n    with pytest.raises(StopIteration):\n        next(numbers)", ENDS, COUNT),
    "a function that is returned": ("def test_a():\n    count, other = f(), f()\n    assert [count(), count(), other()] == [1, 2, 1]", COUNTER, FROZEN),
    "a defaultdict": ("def test_a():\n    groups = f(['a', 'bb', 'cc'])\n    assert groups == {1: ['a'], 2: ['bb', 'cc']}\n    assert groups[9] == []", GROUP, GROUP_WRONG),
    "a doctest of several statements": (">>> x = f(2)\n>>> x\n4\n>>> for n in range(2):\n...     print(f(n))\n0\n2", DOUBLE, TRIPLE),
    "hypothesis": ("from hypothesis import given, settings, strategies as st\n@settings(max_examples=20, database=None)\n@given(st.integers())\ndef test_a(x):\n    assert f(x) == x + x", DOUBLE, TRIPLE),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_right_candidate_passes_in_the_second_kernel(judged, name):
    checks, right, _ = CASES[name]
    result = judged(right, checks)
    assert [(c.outcome, c.judged, c.message) for c in result.checks] == [("passed", "judge", "")]


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_candidate_fails_in_the_second_kernel(judged, name):
    checks, _, wrong = CASES[name]
    result = judged(wrong, checks)
    assert (result.outcome, result.checks[0].judged) == ("failed", "judge")
