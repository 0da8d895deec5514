"""No reply that a candidate sends makes a check pass in the judge's kernel that its values do not pass."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import pytest

CHECK = "def test_a():\n    got = f(1)\n    assert got == 2"
REPLY = "import sys\nh = sys.modules['_refine_harness'].harness\n"
WRONG = {
    "equal to everything": "class E:\n    def __eq__(self, other): return True\n    __hash__ = None\ndef f(x): return E()\n",
    "an int of its own": "class I(int):\n    __eq__ = lambda a, b: True\n    __hash__ = int.__hash__\ndef f(x): return I(3)\n",
    "AssertionError": "def f(x): raise AssertionError\n",
    "pytest's Skipped": "import pytest\ndef f(x): pytest.skip('no')\n",
    "pytest's exit": "import pytest\ndef f(x): pytest.exit('bye', returncode=0)\n",
    "pytest's xfail": "import pytest\ndef f(x): pytest.xfail('no')\n",
    "unittest's SkipTest": "import unittest\ndef f(x): raise unittest.SkipTest('no')\n",
    "sys.exit": "import sys\ndef f(x): sys.exit(0)\n",
    "KeyboardInterrupt": "def f(x): raise KeyboardInterrupt\n",
    "GeneratorExit": "def f(x): raise GeneratorExit\n",
    "StopIteration": "def f(x): raise StopIteration\n",
    "a printed verdict": "def f(x):\n    print('{\"passed\": true}')\n    return 3\n",
    "a patched cross": REPLY + "h.cross = lambda text: '{\"passed\": true}'\ndef f(x): return 3\n",
    "a patched harness of none": REPLY + "h.cross = lambda text: '{}'\ndef f(x): return 3\n",
    "a reply of lists": REPLY + "h.cross = lambda text: '[]'\ndef f(x): return 3\n",
    "a patched json": "import json\njson.dumps = lambda *a, **k: '{\"value\": 2'\ndef f(x): return 3\n",
}
DATA = {
    "an opaque value of the host's kind": '{"opaque": "int", "text": "2", "truth": true, "each": [2], "length": 1}',
    "a handle": '{"handle": 1, "type": "int", "text": "2"}',
    "a handle with a number of the judge's": '{"handle": 2, "type": "int", "text": "2"}',
    "a handle of no number": '{"handle": "x", "type": "int", "text": "2"}',
    "a reference to nothing": '{"ref": 77}',
    "a reference by a text": '{"ref": "__class__"}',
    "deep nesting": '{"tuple": [' * 500 + "]}" * 500,
    "very deep nesting": "[" * 100_000 + "]" * 100_000,
    "a huge integer": '{"int": "' + "f" * 400_000 + '"}',
    "a huge decimal": '{"Decimal": "1E+99999999"}',
    "a huge range": '{"range": ["0x0", "0xfffffffffffff", "0x1"]}',
    "not a number": "NaN",
    "a dictionary with keys that cannot be": '{"dict": [[{"list": [], "id": 1}, 1]], "id": 3}',
    "a set of lists": '{"set": [{"list": [], "id": 1}], "id": 3}',
    "a pair of three": '{"dict": [[1, 2, 3]], "id": 3}',
    "an unknown tag": '{"code": "2"}',
    "a builtin that acts": '{"builtin": "exec"}',
    "a builtin that leaves": '{"builtin": "exit"}',
    "a namedtuple with a method": '{"namedtuple": [1], "name": "X", "fields": ["__eq__"], "id": 3}',
    "a list without a number": "[2]",
    "two tags": '{"int": "2", "bytes": "00"}',
    "a deque of a negative length": '{"deque": [1], "maxlen": -1, "id": 3}',
}  # fmt: skip
FORGED = (
    "import sys\nh = sys.modules['_refine_harness'].harness\n"
    'h.cross = lambda text: \'{"value": %s, "states": [], "stdout": "", "stderr": ""}\'\ndef f(x): return 3\n'
)
STATES = {
    "the state of what is not shared": '[[2, {"list": [2]}]]',
    "a state of another kind": '[[2, {"dict": []}], [4, {"dict": []}]]',
    "states that are none": "7",
    "a state without content": "[[2, {}]]",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_cheat_does_not_pass(judged, name):
    assert judged(WRONG[name], CHECK).outcome != "passed"


@pytest.mark.parametrize(
    "how",
    [
        "def test_a(capsys):\n    assert f(1) == 2",
        "import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.x = 1\n    def test_a(self):\n        self.assertEqual(f(self.x), 2)",
    ],
)
@pytest.mark.parametrize(
    "name",
    [
        "pytest's Skipped",
        "pytest's exit",
        "pytest's xfail",
        "unittest's SkipTest",
        "sys.exit",
        "KeyboardInterrupt",
        "GeneratorExit",
    ],
)
def test_an_exception_that_a_runner_knows_does_not_pass(judged, name, how):
    assert judged(WRONG[name], how).outcome != "passed"


@pytest.mark.parametrize("name", DATA)
def test_forged_data_do_not_pass(judged, name):
    assert judged(FORGED % DATA[name], CHECK).outcome != "passed"


@pytest.mark.parametrize("name", STATES)
def test_forged_states_do_not_pass(judged, name):
    forged = (
        FORGED.replace('\\"states\\": []', f'"states": {STATES[name]}').replace(
            '"states": []', f'"states": {STATES[name]}'
        )
        % "2"
    )
    check = "def test_a():\n    xs = []\n    got = f([[1], xs])\n    assert got == 3 and xs == []"
    assert judged(forged, check).outcome != "passed"


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt"])
def test_a_test_that_expects_the_exit_passes(judged, name):
    check = f"import pytest\ndef test_a():\n    x = 1\n    with pytest.raises({name}):\n        f(x)"
    assert judged(f"def f(x): raise {name}\n", check).outcome == "passed"


ENDS = {
    "timeout": "def f(x):\n    while True: pass\n",
    "crashed": "import os\ndef f(x): os._exit(0)\n",
    "memory": "def f(x):\n    a = []\n    while True: a.append('x' * 10 ** 7)\n",
    "output_limit": "def f(x):\n    while True: print('x' * 10000)\n",
}


@pytest.mark.parametrize("outcome", ENDS)
def test_the_end_of_the_candidates_kernel_is_the_outcome(judged, outcome):
    assert judged(ENDS[outcome], CHECK).outcome == outcome


def test_a_candidate_that_swallows_its_own_test_does_not_pass(judged):
    check = (
        "def test_a():\n    try:\n        got = f(1)\n    except BaseException:\n        return\n    assert got == 2"
    )
    assert judged(FORGED % '{"ref": 77}', check).outcome != "passed"


def test_a_test_that_asks_too_often_does_not_pass(judged):
    check = "def test_a():\n    n = 0\n    while n < 20000:\n        n += f(n)\n    assert n"
    assert judged("def f(x): return 1\n", check).outcome != "passed"


def test_a_wrong_value_that_shows_as_the_right_one_fails(judged):
    code = "class T:\n    def __repr__(self): return '2'\n    __str__ = __repr__\ndef f(x): return T()\n"
    assert judged(code, CHECK).outcome == "failed"
