"""Which way a check is judged, by its source alone."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import pytest

from refine_magic.execution.judging.sitting import planned
from refine_magic.execution.judging.testcode import TestCode
from refine_magic.specs.problem import make_problem


def ways(checks: str) -> list[str]:
    spec = make_problem("Write it.", checks).spec
    return [task.judged if isinstance(task, TestCode) else "host" for task in planned(spec)[1]]


FX = "import pytest\n@pytest.fixture\ndef x():\n    return 1\n"
HOST = [
    "assert f(1) == 2",
    "def test_a():\n    assert f(1) == 2\n    assert f(2) == 4",
    "for n in (1, 2):\n    assert f(n) == n",
    '{"stdin": "1", "stdout": "2"}',
    ">>> f(1)\n2",
]
JUDGE = [
    "assert all(f(x) == x for x in range(9))",
    "def test_a():\n    x = f(1)\n    assert x == 2",
    "def test_a():\n    f = g(1)\n    assert f == 2\ndef test_b():\n    r = f(1)\n    assert r",
    FX + "def test_a(x):\n    assert f(x) == 2",
    FX + "@pytest.fixture(autouse=True)\ndef y(x):\n    yield f(x)\ndef test_a():\n    assert f(1) == 2",
    FX + "@pytest.mark.usefixtures('x')\ndef test_a():\n    assert f(1) == 2",
    "import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.x = f(1)\n    def test_a(self):\n        self.assertEqual(self.x, 2)",
    "def key(p):\n    return p[1]\ndef test_a():\n    r = sorted(f(3), key=key)\n    assert r == []",
    "def test_a():\n    r = sorted(f(3), key=lambda p: p[1])\n    assert r == []",
    "def test_a():\n    x = f('a b').split()\n    assert x.count('a') == 1",
    "import json\ndef test_a():\n    x = json.loads(f(1))\n    assert x == {}",
    "def test_a():\n    x = f(sum(n for n in range(3)))\n    assert x == 3",
    ">>> x = f(1)\n>>> x\n2",
    "import random\ndef test_a():\n    rng = random.Random(1)\n    assert all(f(rng.randint(0, 9)) for _ in range(9))",
    "import pytest\ndef test_a():\n    x = -1\n    with pytest.raises((ValueError, TypeError)):\n        y = f(x)",
]
IN_KERNEL = [
    "def test_a():\n    s = Stack()\n    s.push(1)\n    assert s.pop() == 1",
    "def test_a():\n    s = make()\n    s.push(1)\n    assert s.size == 1",
    "def test_a():\n    x = LIMIT\n    assert x == 3",
    "def test_a():\n    x = f(1).name\n    y = x\n    assert y == 'a'",
    "import numpy as np\ndef test_a():\n    x = f(np.array([1]))\n    assert (x == np.array([2])).all()".replace("numpy", "ctypes"),
    "def test_a():\n    x = f(lambda y: y)\n    assert x == 1",
    "def test_a():\n    def g(y):\n        return y\n    assert f(g) == 1",
    "def helper(y):\n    return y\ndef test_a():\n    r = f([helper])\n    assert r == 1",
    "def test_a():\n    x = f(iter([1]))\n    assert x == 1",
    "def test_a():\n    it = (n for n in range(3))\n    assert f(it) == 1",
    "class Node:\n    def __init__(self, v): self.v = v\ndef test_a():\n    n = Node(1)\n    assert f(n) == 1",
    "def test_a(monkeypatch):\n    monkeypatch.setattr('os.sep', 'x')\n    assert f(1) == 1",
    "def test_a(tmp_path):\n    p = tmp_path / 'x'\n    assert f(p) == 1",
    "from unittest.mock import patch\ndef test_a():\n    with patch('builtins.print'):\n        assert f(1) == 1",
    "import pytest\ndef test_a():\n    x = 1\n    with pytest.raises(OwnError):\n        f(x)",
    "import pytest, json\ndef test_a():\n    x = '{'\n    with pytest.raises(json.JSONDecodeError):\n        f(x)",
    "import pytest\ndef test_a():\n    x = 1\n    with pytest.warns(UserWarning):\n        f(x)",
    "import asyncio\ndef test_a():\n    x = asyncio.run(f(1))\n    assert x == 1",
    "async def test_a():\n    assert await f(1) == 1",
    "import random\ndef test_a():\n    random.seed(1)\n    x = f(1)\n    assert x == 1",
    "import time\ndef test_a():\n    began = time.time()\n    f(1)\n    assert time.time() - began < 1",
    "def test_a():\n    for n in range(9000):\n        x = f(n)\n        assert x == n",
    "def test_a():\n    for n in range(90):\n        for m in range(90):\n            x = f(n, m)\n            assert x == n",
    "def test_a():\n    x = [0] * 1000000\n    assert f(x) == 1",
    "def test_a():\n    x = f\n    assert x.__doc__",
    "def test_a():\n    x = hasattr(f, 'cache')\n    assert x",
    "def test_a():\n    assert callable(f)",
    "from math import *\ndef test_a():\n    x = f(sqrt(4))\n    assert x == 2",
    "def test_a():\n    with open('x', 'w') as file:\n        file.write('a')\n    assert f('x') == 'a'",
    "class Base(Thing):\n    pass\ndef test_a():\n    x = f(1)\n    assert x == Base()",
]  # fmt: skip


@pytest.mark.parametrize("checks", HOST)
def test_the_host_goes_first(checks):
    assert ways(checks) == ["host"]


@pytest.mark.parametrize("checks", JUDGE)
def test_plain_data_and_functions_go_to_the_second_kernel(checks):
    assert set(ways(checks)) == {"judge"}


@pytest.mark.parametrize("checks", IN_KERNEL)
def test_what_cannot_cross_runs_next_to_the_candidate(checks):
    assert ways(checks) == ["in-kernel"]


def test_a_part_of_the_setup_that_another_check_needs_does_not_count():
    checks = "class Node:\n    pass\ndef test_a():\n    n = Node()\n    assert f(n)\ndef test_b():\n    x = f(1)\n    assert x"
    assert ways(checks) == ["judge", "in-kernel"]


def test_the_judges_kernel_gets_only_the_part_of_the_setup_that_the_check_needs():
    spec = make_problem(
        "Write it.", "import json\nA = 1\ndef near(a):\n    return a\ndef test_b():\n    x = f(1)\n    assert near(x)"
    ).spec
    (task,) = planned(spec)[1]
    assert isinstance(task, TestCode) and task.setup == "def near(a):\n    return a"
