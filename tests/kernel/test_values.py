"""Values come over exactly: what a plain assert says of them is what the host says."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import pytest

PRELUDE = (
    "from decimal import Decimal\nfrom fractions import Fraction\nfrom collections import OrderedDict, namedtuple\n"
    "import datetime, enum, math\nP = namedtuple('P', 'x y')\nclass Color(enum.IntEnum):\n    RED = 1\n"
)
RIGHT = [
    ("1", "== True"), ("True", "== 1"), ("True", "is True"), ("None", "is None"), ("2 ** 200", "== 2 ** 200"),
    ("-(2 ** 63)", "== -9223372036854775808"), ("0.1 + 0.2", "== 0.30000000000000004"), ("float('inf')", "== float('inf')"),
    ("float('nan')", "!= float('nan')"), ("-0.0", "== 0"), ("1e308 * 10", "> 10"), ("3 + 4j", "== 3 + 4j"),
    ("'a\\ud800b'", "== 'a\\ud800b'"), ("'\\x00\\n'", "== '\\x00\\n'"), ("'ü😀'", "== 'ü😀'"), ("b'\\xff'", "== b'\\xff'"),
    ("bytearray(b'a')", "== b'a'"), ("[1, 'a', None]", "== [1, 'a', None]"), ("(1, (2, [3]))", "== (1, (2, [3]))"),
    ("{1, 2}", "== {2, 1}"), ("frozenset([1])", "== {1}"), ("{'a': {1: (2, 3)}}", "== {'a': {1: (2, 3)}}"),
    ("{(1, 2): {3}}", "== {(1, 2): {3}}"), ("range(3)", "== range(3)"), ("P(1, 2)", "== (1, 2)"), ("Color.RED", "== 1"),
    ("OrderedDict(a=1)", "== {'a': 1}"), ("[[1, 2], [3]][0]", "== [1, 2]"), ("{'a': 1}.keys()", "== {'a'}"),
    ("[[[[[[[[[[1]]]]]]]]]]", "== [[[[[[[[[[1]]]]]]]]]]"), ("list(range(20000))", "!= []"),
]  # fmt: skip
WRONG = [
    ("(1, 2)", "== [1, 2]"), ("[1, 2]", "== (1, 2)"), ("'1'", "== 1"), ("b'a'", "== 'a'"), ("float('nan')", "== 1"),
    ("[1]", "== {1}"), ("1", "is True"), ("0.30000000000000004", "== 0.3"), ("{'a': 1}", "== {'a': 2}"),
    ("2 ** 200", "== 2 ** 200 + 1"), ("object()", "== None"), ("object()", "== 1"), ("iter([1])", "== [1]"), ("''", "is None"),
]  # fmt: skip


def test_right_values_pass(judged):
    code = PRELUDE + "".join(f"def f{n}(): return {value}\n" for n, (value, _) in enumerate(RIGHT))
    checks = "\n".join(f"assert f{n}() {expected}" for n, (_, expected) in enumerate(RIGHT))
    result = judged(code, checks)
    failed = [RIGHT[int(c.check_id[1:]) - 1] for c in result.checks if (c.outcome, c.judged) != ("passed", "host")]
    assert failed == []


def test_wrong_values_fail(judged):
    code = PRELUDE + "".join(f"def f{n}(): return {value}\n" for n, (value, _) in enumerate(WRONG))
    checks = "\n".join(f"assert f{n}() {expected}" for n, (_, expected) in enumerate(WRONG))
    result = judged(code, checks)
    wrong = [WRONG[int(c.check_id[1:]) - 1] for c in result.checks if (c.outcome, c.judged) != ("failed", "host")]
    assert wrong == []


HOST = {
    "Decimal": ("from decimal import Decimal\ndef f(): return Decimal('0.10')\n", "assert f() == 0.1 or str(f()) == '0.10'"),
    "Fraction": ("from fractions import Fraction\ndef f(): return Fraction(1, 3)\n", "assert abs(f() - 1 / 3) < 1e-9"),
    "generator": ("def f():\n    yield 1\n    yield 2\n", "assert list(f()) == [1, 2]"),
    "generator in a comprehension": ("def f():\n    yield 1\n    yield 2\n", "assert [x * 2 for x in f()] == [2, 4]"),
    "next of an endless one": ("def f():\n    n = 0\n    while True:\n        yield n\n        n += 1\n", "assert next(f()) == 0"),
    "next before a hang": ("def f():\n    yield 1\n    while True: pass\n", "assert next(f()) == 1"),
    "next before an error": ("def f():\n    yield 1\n    1 / 0\n", "assert next(f()) == 1"),
    "map": ("def f(): return map(str, [1, 2])\n", "assert list(f()) == ['1', '2']"),
    "islice": (
        "def f():\n    n = 0\n    while True:\n        yield n\n        n += 1\n",
        "from itertools import islice\nassert list(islice(f(), 3)) == [0, 1, 2]",
    ),
    "deque": ("from collections import deque\ndef f(): return deque([1, 2])\n", "assert list(f()) == [1, 2]"),
    "args of the setup": (
        "def f(c): return c['a']\n",
        "from collections import Counter\nassert f(Counter('aab')) == 2",
    ),
    "helper of the setup as an argument": ("def f(x): return x\n", "def twice(x): return 2 * x\nassert f(twice(2)) == 4"),
    "math.pi": ("def f(r): return r * 3.141592653589793\n", "assert math.isclose(f(1), math.pi)"),
    "or that does not need its other side": ("def f(x): return x\n", "assert f(1) == 1 or f(2).a == 2"),
    "ids that differ": ("import itertools\nc = itertools.count()\ndef f(): return next(c)\n", "assert f() != f()"),
    "large length": ("def f(n): return list(range(n))\n", "assert len(f(10 ** 6)) == 10 ** 6"),
    "last item of a large list": ("def f(n): return list(range(n))\n", "assert f(10 ** 6)[-1] == 999999"),
    "negated numpy-like truth": ("class B:\n    def __bool__(self): return False\ndef f(): return B()\n", "assert not f()"),
    "raises": ("def f(x): raise ValueError('no such x')\n", "with pytest.raises(ValueError, match='such'):\n    f(1)"),
    "raises a subclass": ("def f(x): return {}[x]\n", "with pytest.raises(LookupError):\n    f(1)"),
    "printing doctest": ("def f(x): print(x)\n", ">>> f(3)\n3"),
    "namedtuple doctest": ("from collections import namedtuple\nP = namedtuple('P', 'x')\ndef f(): return P(1)\n", ">>> f()\nP(x=1)"),
    "object doctest": ("class P:\n    def __repr__(self): return 'P!'\n", ">>> P()\nP!"),
    "set doctest": ("def f(): return {'b', 'a', 'c'}\n", ">>> f()\n{'c', 'a', 'b'}"),
    "exception doctest": ("def f(): raise ValueError('bad 3')\n", ">>> f()\nTraceback (most recent call last):\n    ...\nValueError: bad 3"),
    "ellipsis doctest": ("def f(): return list(range(20))\n", ">>> f()  # doctest: +ELLIPSIS\n[0, 1, ..., 19]"),
    "doctest of a comparison": ("def f(x): return x\n", ">>> f(3) == 3\nTrue"),
    "a builtin anew": ("def sum(a, b): return a + b\n", None),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name, (_, checks) in HOST.items() if checks])
def test_a_right_candidate_passes_on_the_host(judged, name):
    code, checks = HOST[name]
    result = judged(code, checks)
    assert (result.outcome, {check.judged for check in result.checks}) == ("passed", {"host"})


REFUSED = {
    "a generator that should have raised": ("def f(x):\n    yield 1\n    raise ValueError\n", "with pytest.raises(ValueError):\n    f(1)"),
    "a deep result is not the candidate's ValueError": (
        "def f(x):\n    a = []\n    for _ in range(99): a = [a]\n    return a\n",
        "with pytest.raises(ValueError):\n    f(1)",
    ),
    "object false in itself": ("class B:\n    def __bool__(self): return False\ndef f(): return B()\n", "assert f()"),
    "object equal to all in a doctest": ("class E:\n    __eq__ = lambda a, b: True\ndef f(): return E()\n", ">>> f() == 3\nTrue"),
    "an item that is not there": ("def f(): return iter([1])\n", "assert list(f()) == [1, 2]"),
    "huge decimal": ("from decimal import Decimal\ndef f(): return Decimal('1E+99999999')\n", "assert int(f()) == 3"),
    "huge repeat": ("def f(): return 10 ** 12\n", "assert 'a' * f() == 'a'"),
    "huge power": ("def f(): return 10 ** 12\n", "assert 2 ** f() == 4"),
    "wide format": ("def f(): return '%999999999d'\n", "assert f() % 3 == '3'"),
    "huge range": ("def f(): return range(10 ** 15)\n", "assert 0.5 in f()"),
    "huge bytes": ("def f(): return 10 ** 11\n", "assert bytes(f()) == b''"),
    "an int too long to show": ("def f(): return 10 ** 9999\n", "assert f() == 3"),
    "an int too long for str": ("def f(): return 10 ** 9999\n", "assert str(f()) == '3'"),
    "a repr that raises": ("class R:\n    def __repr__(self): 1 / 0\ndef f(): return R()\n", "assert f() == 3"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_candidate_fails_and_the_host_goes_on(judged, name):
    code, checks = REFUSED[name]
    assert judged(code, checks).outcome == "failed"
