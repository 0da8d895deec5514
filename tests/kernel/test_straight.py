"""Test functions, cases and loops over literals, judged on the host with real kernels."""

from __future__ import annotations

import pytest

TESTS = [
    "def test_a():\n    assert f(1) == 2\n    assert f(2) == 4",
    "for n in (1, 2):\n    assert f(n) == 2 * n",
    "import unittest\nclass TestF(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(2), 4)",
]
CHEATS = {
    "equal to everything": "class E:\n    __eq__ = lambda a, b: True\ndef f(x): return E()\n",
    "AssertionError replaced": "import builtins\nbuiltins.AssertionError = Exception\ndef f(x): return 7\n",
    "unittest patched": "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef f(x): return 7\n",
    "harness patched": "import sys\nsys.modules['_refine_harness'].harness.run = lambda *a: '{\"value\": null}'\n"
    "def f(x): return 7\n",
}


@pytest.mark.parametrize("check", TESTS)
def test_right_code_passes_on_the_host(judged, check):
    result = judged("def f(x):\n    return 2 * x\n", check)
    assert (result.outcome, result.checks[0].judged) == ("passed", "host")


@pytest.mark.parametrize("check", TESTS)
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_does_not_pass(judged, name, check):
    assert judged(CHEATS[name], check).outcome == "failed"


def test_the_first_assertion_that_fails_is_told(judged):
    found = judged("def f(x):\n    return x + 1\n", TESTS[0]).checks[0]
    assert (found.message, found.expected, found.observed) == ("assert f(2) == 4", "4", "3")
