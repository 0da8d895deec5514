"""What crosses between the judge's kernel and the candidate's keeps its identity, its state and its kind."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import pytest

ACCUMULATES = "def f(x, acc=[]):\n    acc.append(x)\n    return acc\n"
FRESH = "def f(x, acc=None):\n    return [x]\n"
CASES = {
    "a nested list": ("def f(g): g[0][1] = 9\n", "g = [[1, 2], [3]]\n    f(g)\n    assert g == [[1, 9], [3]]"),
    "an inner list stays the same one": ("def f(g): g[0].append(2)\n", "inner = [1]\n    g = [inner]\n    f(g)\n    assert g[0] is inner and inner == [1, 2]"),
    "a dictionary": ("def f(d): d['b'] = [1]; del d['a']\n", "d = {'a': 1}\n    f(d)\n    assert d == {'b': [1]}"),
    "a set": ("def f(s): s.add(2); s.discard(1)\n", "s = {1}\n    f(s)\n    assert s == {2}"),
    "a bytearray": ("def f(b): b[0] = 65\n", "b = bytearray(b'xy')\n    f(b)\n    assert b == b'Ay'"),
    "a deque": ("def f(d): d.rotate(1); return d\n", "from collections import deque\n    d = deque([1, 2, 3], maxlen=3)\n    assert f(d) is d and list(d) == [3, 1, 2] and d.maxlen == 3"),
    "a list in a tuple": ("def f(t): t[0].append(1)\n", "t = ([], 2)\n    f(t)\n    assert t == ([1], 2)"),
    "an argument that is a tuple is itself": ("def f(t): return t\n", "t = (1, 2)\n    assert f(t) is t"),
    "the same list twice": ("def f(a, b): a.append(1); return a is b\n", "a = []\n    assert f(a, a) is True and a == [1]"),
    "rows that are one": ("def f(n): return [[0] * n] * n\n", "g = f(2)\n    g[0][0] = 1\n    assert g == [[1, 0], [1, 0]]"),
    "rows that are their own": ("def f(n): return [[0] * n for _ in range(n)]\n", "g = f(2)\n    g[0][0] = 1\n    assert g == [[1, 0], [0, 0]]"),
    "a list that holds itself": ("def f():\n    a = [1]\n    a.append(a)\n    return a\n", "a = f()\n    assert a[1] is a and len(a) == 2"),
    "a value that the candidate goes on changing": ("D = {}\ndef get(): return D\ndef put(k): D[k] = 1\n", "d = get()\n    put('a')\n    assert d == {'a': 1}"),
    "a value that the test goes on changing": ("K = []\ndef keep(xs): K.append(xs)\ndef f(): return sum(K[0])\n", "xs = [1]\n    keep(xs)\n    xs.append(2)\n    assert f() == 3"),
    "the same object again": ("A = []\ndef f(): return A\n", "a = f()\n    assert f() is a"),
    "an object of the candidate's": ("class P: pass\nX = P()\ndef make(): return X\ndef is_it(p): return p is X\n", "p = make()\n    assert is_it(p) and make() is p"),
    "objects in a list": ("class P:\n    def __init__(self, n): self.n = n\ndef make(): return [P(2), P(1)]\ndef total(ps): return sum(p.n for p in ps)\n", "ps = make()\n    assert total(ps) == 3 and total(ps[:1]) == 2"),
    "an object's repr": ("class P:\n    def __repr__(self): return 'P!'\n    __str__ = lambda self: 'p'\ndef make(): return P()\n", "p = make()\n    assert repr(p) == 'P!' and str(p) == 'p'"),
    "an object's length, items and truth": ("class P:\n    def __len__(self): return 0\n    def __getitem__(self, i): return [5, 6][i]\n    def __iter__(self): return iter([5, 6])\ndef make(): return P()\n", "p = make()\n    assert len(p) == 0 and not p and p[1] == 6 and list(p) == [5, 6]"),
    "an object's method": ("class P:\n    def pop(self): return 3\ndef make(): return P()\n", "p = make()\n    assert p.pop() == 3"),
    "a large result": ("def f(n): return list(range(n))\n", "xs = f(200000)\n    assert len(xs) == 200000 and xs[5] == 5"),
    "a Counter": ("from collections import Counter\ndef f(s): return Counter(s)\n", "c = f('aab')\n    assert c == {'a': 2, 'b': 1} and c['z'] == 0"),
    "an OrderedDict": ("from collections import OrderedDict\ndef f(): return OrderedDict([('b', 1), ('a', 2)])\n", "d = f()\n    assert list(d.items()) == [('b', 1), ('a', 2)]"),
    "a named tuple": ("from collections import namedtuple\nP = namedtuple('P', 'x y')\ndef f(): return P(1, 2)\n", "p = f()\n    assert p == (1, 2) and repr(p) == 'P(x=1, y=2)'"),
    "big and strange numbers": ("def f(): return [2 ** 200, -0.0, float('inf'), 3 + 4j, True]\n", "a = f()\n    assert a == [2 ** 200, 0.0, float('inf'), 3 + 4j, True] and a[4] is True and type(a[0]) is int"),
    "bytes, texts and times": ("import datetime\nfrom decimal import Decimal\nfrom fractions import Fraction\ndef f(): return b'\\xff', 'ü\\ud800', Decimal('0.1'), Fraction(1, 3), datetime.date(2020, 1, 2)\n", "import datetime, decimal, fractions\n    a = f()\n    assert a == (b'\\xff', 'ü\\ud800', decimal.Decimal('0.1'), fractions.Fraction(1, 3), datetime.date(2020, 1, 2))"),
    "None and keywords": ("def f(*args, **kw): return [args, kw]\n", "x = f(None, *[1], k={'a': (2,)})\n    assert x == [(None, 1), {'k': {'a': (2,)}}]"),
    "a type as an argument": ("def f(kind, x): return kind(x)\n", "x = '3'\n    assert f(int, x) == 3"),
    "a mutable default, reused": (ACCUMULATES, "a = f(1)\n    b = f(2)\n    assert a is b and a == [1, 2]"),
    "a fresh list": (FRESH, "a = f(1)\n    b = f(2)\n    assert a == [1] and b == [2] and a is not b"),
    "an exception's arguments": ("def f(): raise KeyError('k', 2)\n", "try:\n        f()\n    except KeyError as e:\n        assert e.args == ('k', 2)\n    else:\n        assert False"),
    "an exception of its own, by its base": ("class Own(ValueError): pass\ndef f(): raise Own('x')\n", "try:\n        f()\n    except ValueError as e:\n        assert repr(e) == \"Own('x')\"\n    else:\n        assert False"),
    "an exception that is hard to make": ("def f(): b'\\xff'.decode()\n", "try:\n        f()\n    except UnicodeDecodeError as e:\n        assert 'invalid start byte' in str(e)\n    else:\n        assert False"),
    "an exception of a generator": ("def f():\n    yield 1\n    raise ValueError('late')\n", "it = f()\n    assert next(it) == 1\n    try:\n        next(it)\n    except ValueError as e:\n        assert str(e) == 'late'\n    else:\n        assert False"),
    "an exception after many items": ("def f():\n    yield from range(300)\n    raise ValueError('late')\n", "got = []\n    try:\n        for n in f():\n            got.append(n)\n    except ValueError:\n        got.append('late')\n    assert got == [*range(300), 'late']"),
    "an iterator that is given back": ("def f(): return iter([1, 2, 3])\ndef g(it): return next(it)\n", "it = f()\n    assert next(it) == 1 and g(it) == 2 and next(it) == 3"),
    "a map of the candidate's": ("def f(): return map(str, [1, 2])\n", "it = f()\n    assert list(it) == ['1', '2'] and list(it) == []"),
}  # fmt: skip
WRONG = {
    "rows that are one": ("def f(n): return [[0] * n] * n\n", "g = f(2)\n    g[0][0] = 1\n    assert g == [[1, 0], [0, 0]]"),
    "a mutable default, reused": (ACCUMULATES, "a = f(1)\n    b = f(2)\n    assert a == [1] and b == [2]"),
    "two objects that are alike": ("class P:\n    __eq__ = lambda a, b: True\n    __hash__ = None\ndef f(): return P()\n", "a = f()\n    b = f()\n    assert a == b"),
    "a list that says it is equal": ("class L(list):\n    __eq__ = lambda a, b: True\n    __len__ = lambda a: 2\ndef f(): return L([1])\n", "a = f()\n    assert a == [1, 2]"),
    "an argument changed that must not be": ("def f(xs): xs.clear(); return 1\n", "xs = [1]\n    assert f(xs) == 1 and xs == [1]"),
    "an exception of another kind": ("def f(): raise TypeError\n", "try:\n        f()\n    except ValueError:\n        pass"),
    "an exception that claims a builtin's name": ("class ValueError(Exception): pass\ndef f(): raise ValueError\n", "try:\n        f()\n    except ValueError:\n        pass"),
    "a wrong arity": ("def f(): pass\n", "x = f(1)\n    assert x is None"),
}  # fmt: skip


def test_of(body: str) -> str:
    return f"def test_a():\n    zero = 0\n    assert not zero\n    {body}"


test_of.__test__ = False


@pytest.mark.parametrize("name", CASES)
def test_what_crosses_is_what_it_was(judged, name):
    code, body = CASES[name]
    result = judged(code, test_of(body))
    assert [(c.outcome, c.judged, c.message) for c in result.checks] == [("passed", "judge", "")]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_candidate_fails(judged, name):
    code, body = WRONG[name]
    result = judged(code, test_of(body))
    assert [(c.outcome == "passed", c.judged) for c in result.checks] == [(False, "judge")]


def test_something_of_the_tests_own_takes_the_check_next_to_the_candidate(judged):
    body = "kinds = {'a': zero.__class__.bit_length}\n    assert f(kinds['a']) == 2"
    result = judged("def f(g): return g(3)\n", test_of(body).replace("zero.__class__.bit_length", "int.bit_length"))
    assert [(c.outcome, c.judged) for c in result.checks] == [("passed", "in-kernel")]


def test_the_candidates_exception_is_told_with_its_own_lines_and_values(judged):
    found = judged("def f(x):\n    y = 0\n    return x / y\n", test_of("got = f(1)\n    assert got == 2")).checks[0]
    assert found.outcome == "error" and found.message == "ZeroDivisionError: division by zero"
    assert found.error.locals == {"x": "1", "y": "0"} and "return x / y" in "".join(found.error.traceback)


def test_checks_do_not_influence_each_other_through_the_tests_module(judged):
    checks = "SEEN = []\ndef test_a():\n    SEEN.append(f(1))\n    assert len(SEEN) == 1\ndef test_b():\n    SEEN.append(f(1))\n    assert len(SEEN) == 1"
    result = judged("def f(x): return x\n", checks)
    assert [(c.outcome, c.judged) for c in result.checks] == [("passed", "judge")] * 2


def test_what_the_candidate_prints_is_the_checks_output(judged):
    found = judged("def f(x): print('got', x)\n", test_of("y = f(1)\n    assert y is None")).checks[0]
    assert (found.outcome, found.stdout) == ("passed", "got 1\n")
