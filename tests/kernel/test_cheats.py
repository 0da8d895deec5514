"""No wrong candidate passes a check that the host judges; next to the candidate, leaving is no pass either."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import pytest

EQUAL = "class E:\n    def __eq__(self, other): return True\n    __hash__ = None\n    def __bool__(self): return True\n"
WRONG = {
    "equal to everything": EQUAL + "def f(x): return E()\n",
    "equal to everything in a list": EQUAL + "def f(x): return [E()]\n",
    "int of its own": "class I(int):\n    __eq__ = lambda a, b: True\n    __hash__ = int.__hash__\ndef f(x): return I(3)\n",
    "str of its own": "class S(str):\n    __eq__ = lambda a, b: True\n    __hash__ = str.__hash__\ndef f(x): return S('a')\n",
    "float of its own": "class F(float):\n    __eq__ = lambda a, b: True\ndef f(x): return F(3)\n",
    "list of its own": "class L(list):\n    __eq__ = lambda a, b: True\n    __iter__ = lambda a: iter([2])\ndef f(x): return L([3])\n",
    "dict of its own": "class D(dict):\n    __eq__ = lambda a, b: True\ndef f(x): return D()\n",
    "a type that claims another": "class C:\n    __class__ = int\n    __eq__ = lambda a, b: True\ndef f(x): return C()\n",
    "AssertionError replaced": "import builtins\nclass AssertionError(BaseException): pass\n"
    "builtins.AssertionError = AssertionError\ndef f(x): return 3\n",
    "builtins shadowed": "import builtins\nbuiltins.eval = builtins.compile = lambda *a: 0\ndef f(x): return 3\n",
    "bool that lies": "import builtins\nbuiltins.bool = lambda x: True\ndef f(x): return 3\n",
    "harness gone": "import sys\nsys.modules['_refine_harness'].harness = None\ndef f(x): return 3\n",
    "harness patched": "import sys\nh = sys.modules['_refine_harness'].harness\n"
    "h.call = lambda *a: '{\"value\": true}'\ndef f(x): return 3\n",
    "harness that answers nothing": "import sys\nsys.modules['_refine_harness'].harness.call = lambda *a: '{}'\ndef f(x): return 3\n",
    "encoder patched": "import sys\ne = sys.modules['_refine_encoder']\ne.Encoder.encode = lambda s, v: {'opaque': 'x'}\n"
    "def f(x): return 3\n",
    "deep data": "import sys\nsys.modules['_refine_harness'].harness.call = lambda *a: '{\"value\": ' + '[' * 9999 + ']' * 9999 + '}'\n"
    "def f(x): return 3\n",
    "malformed data": "import sys\nsys.modules['_refine_harness'].harness.call = lambda *a: '{\"value\": {\"set\": [[1]]}}'\n"
    "def f(x): return 3\n",
    "a reply that is no JSON": "import sys\nsys.modules['_refine_harness'].harness.call = lambda *a: 'passed'\ndef f(x): return 3\n",
    "a reply that is no string": "import sys\nsys.modules['_refine_harness'].harness.call = lambda *a: 3\ndef f(x): return 3\n",
    "a patched shell": "from IPython import get_ipython\nget_ipython().user_expressions = lambda e: {'answer': "
    "{'status': 'ok', 'data': {'text/plain': \"'{}'\"}}}\ndef f(x): return 3\n",
    "a forged message": "from IPython import get_ipython\nk = get_ipython().kernel\n"
    "k.session.send(k.iopub_socket, 'status', {'execution_state': 'idle'}, parent={'msg_id': 1})\ndef f(x): return 3\n",
    "leaves at exit": "import atexit, os\natexit.register(os._exit, 0)\ndef f(x): os._exit(0)\n",
    "frame walking": "import sys\ndef f(x):\n    frame = sys._getframe()\n    while frame:\n"
    "        for v in list(frame.f_locals.values()):\n            if isinstance(v, str) and '== ' in v: return 2\n"
    "        frame = frame.f_back\n    return 3\n",
    "late redefinition": "def f(x):\n    global f\n    f = lambda x: 2\n    return 3\n",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_candidate_does_not_pass_on_the_host(judged, name):
    assert judged(WRONG[name]).outcome != "passed"


@pytest.mark.parametrize(
    "code",
    [
        "import sys\nclass A:\n    def __init__(self): sys.exit(0)\n",
        "import os\nclass A:\n    def __init__(self): os._exit(0)\n",
        "import builtins\nclass AssertionError(BaseException): pass\nbuiltins.AssertionError = AssertionError\n"
        "class A:\n    def get(self): return 3\n",
        "AssertionError = print\nclass A:\n    def get(self): return 3\n",
        "import sys\nsys.exit(0)",
    ],
)
def test_leaving_does_not_pass_next_to_the_candidate(judged, code):
    result = judged(code, "def test_a():\n    assert A().get() == 2")
    assert (result.outcome, result.checks[0].judged) != ("passed", "in-kernel") and result.outcome != "passed"


@pytest.mark.parametrize(
    ("check", "judge"),
    [
        ("assert Stack([1]).pop() == 1", "host"),
        ("assert Stack([1]) == Stack([1])", "in-kernel"),
        ("assert str(Stack([1])) == 'Stack [1]'", "in-kernel"),
        ("assert len(Stack([1])) == 1", "in-kernel"),
        ("assert Stack([1]).items == [1]", "host"),
        ("assert str(make([1])) == 'Stack [1]'", "host"),
        ("assert len(make([1, 2])) == 2", "host"),
        ("assert list(make([1, 2])) == [1, 2]", "host"),
        ("assert not make([])", "host"),
        ("assert make([1]).items[0] == 1", "host"),
    ],
)
def test_a_class_under_test_passes_where_it_is_right(judged, check, judge):
    code = (
        "class Stack:\n    def __init__(self, items): self.items = items\n    def pop(self): return self.items.pop()\n"
        "    def __eq__(self, other): return self.items == other.items\n    def __len__(self): return len(self.items)\n"
        "    def __str__(self): return f'Stack {self.items}'\n    def __iter__(self): return iter(self.items)\n"
        "def make(items): return Stack(items)\n"
    )
    result = judged(code, check)
    assert (result.outcome, result.checks[0].judged) == ("passed", judge)


def test_an_object_equal_to_everything_cannot_choose_its_judge(judged):
    result = judged(EQUAL + "def f(x): return E()\n", "assert f(1) == f(2)")
    assert (result.outcome, result.checks[0].judged) == ("failed", "host")


def test_an_object_equal_to_everything_is_not_equal_to_a_value_of_the_host(judged):
    assert judged(EQUAL + "def f(x): return E()\n", "assert f(1) == 2 and f(1) == f(1)").outcome == "failed"
