"""Whatever a candidate's kernel answers: the host neither hangs nor fails, and nothing malformed is taken for data."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import datetime
import json
import math
import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine_magic.core.types import Check, RemoteError
from refine_magic.execution.inside.encoder import Encoder
from refine_magic.execution.judging import wire
from refine_magic.execution.judging.planner import make_plan
from refine_magic.execution.judging.setup import read
from refine_magic.execution.judging.wire import Answer, Items, Opaque

HASHABLE = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), st.binary(),
    st.decimals(allow_nan=False, allow_infinity=False), st.fractions(), st.dates(), st.datetimes(), st.times(),
    st.timedeltas(), st.complex_numbers(allow_nan=False),
)  # fmt: skip
PLAIN = st.recursive(
    HASHABLE,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.sets(HASHABLE, max_size=4),
        st.frozensets(HASHABLE, max_size=4),
        st.dictionaries(HASHABLE, inner, max_size=4),
    ),
    max_leaves=8,
)


def there_and_back(value):
    return wire.answer(json.dumps({"value": Encoder(1 << 20, 50).encode(value)})).value


def shape(value):
    """Return a value's types all the way down."""
    if isinstance(value, dict):
        return (dict, sorted(repr((shape(k), shape(v))) for k, v in value.items()))
    if isinstance(value, (list, tuple)):
        return (type(value), [shape(item) for item in value])
    return type(value)


@given(PLAIN)
def test_plain_data_comes_over_with_its_exact_types(value):
    back = there_and_back(value)
    assert (back, shape(back)) == (value, shape(value))


def judged(expression: str, *answers: Answer):
    plan = make_plan(Check(id="c", source=f"assert {expression}"), read(""))
    assert plan is not None
    return plan.judge(answers)


HEAVY = {
    "'a' * f() == 'a'": 10**12,
    "f() * 10 ** 9 == 'a'": "a",
    "[1] * f() == [1]": 10**9,
    "2 ** f() == 4": 10**12,
    "f() ** 10 ** 9 == 4": 3,
    "f() ** 10 ** 9 == Decimal": Fraction(3, 7),
    "f() ** f() == 4": Fraction(10**9),
    "1 << f() == 4": 10**12,
    "f() % 3 == '3'": "%999999999d",
    "f() % (3,) == b'3'": b"%999999999d",
    "list(range(f())) == []": 10**12,
    "bytes(f()) == b''": 10**12,
    "round(5, f()) == 5": -(10**9),
    "str(f()) == '3'": 10**9999,
    "int(f()) == 3": "9" * 9999,
    "f() == 3": [10**9999],
    "f() == [3]": {"a": {10**9999: 1}},
}


@pytest.mark.parametrize("expression", HEAVY)
def test_a_value_that_would_be_huge_on_the_host_fails_at_once(expression):
    began = time.monotonic()
    expression = expression.replace("Decimal", "1.5")
    answers = [Answer(value=HEAVY[expression.replace("1.5", "Decimal")])] * expression.count("f()")
    assert judged(expression, *answers).outcome == "failed" and time.monotonic() - began < 1


def test_a_deep_value_neither_compares_nor_shows_but_fails():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert judged("f() == [[1]]", Answer(value=deep)).outcome == "failed"


MALFORMED = [
    "", "[", "3", "null", "[]", '"text"', '{"value": {}}', '{"value": {"int": "0x1", "str": "a"}}', '{"value": {"pickle": "x"}}',
    '{"value": {"tuple": 3}}', '{"value": {"items": 3}}', '{"error": 3}', '{"error": {"ename": "E"}}', '{"value": {"dict": [[1]]}, "stdout": []',
    '{"value": ' + "[" * 99_999 + "]" * 99_999 + "}", '{"value": ' + "[" * 200 + "]" * 200 + "}", '{"error": {"ename": "E", "evalue": "", "traceback": 3, "kinds": []}}',
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_what_our_harness_never_sends_is_malformed(text):
    with pytest.raises(wire.Malformed):
        wire.answer(text)


ODD = [
    {"set": [[1]]}, {"dict": [[[1], 2]]}, {"dict": [[1]]}, {"int": "x"}, {"int": 3}, {"Decimal": "x"}, {"Decimal": "1E+99999999"}, {"Fraction": ["0x1", "0x0"]},
    {"range": ["0x0", "0x1", "0x0"]}, {"range": ["0x0", "0xffffffffffffff", "0x1"]}, {"timedelta": [10**12]}, {"date": "x"},
    {"datetime": "x"}, {"complex": []}, {"bytes": "x"}, {"opaque": 3, "text": [], "length": "x"},
]  # fmt: skip


@pytest.mark.parametrize("data", ODD, ids=map(str, ODD))
def test_data_that_does_not_add_up_equals_nothing(data):
    value = wire.answer(json.dumps({"value": data})).value
    assert (
        isinstance(value, Opaque)
        and value != value.type_name
        and judged("f() == 3", Answer(value=value)).outcome == "failed"
    )


@pytest.mark.parametrize(
    "value", [datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc), Decimal("-0.00"), -0.0, math.inf]
)
def test_what_equality_hides_comes_over_too(value):
    assert repr(there_and_back(value)) == repr(value)


def test_an_iterator_is_not_the_list_of_its_items():
    assert judged("f() == [1]", Answer(value=Items([1], more=False))).outcome == "failed"


def test_more_items_than_were_taken_are_missed_only_where_they_are_used():
    answer = Answer(value=Items([1, 2], more=True))
    assert [judged(e, answer).outcome for e in ("next(f()) == 1", "list(f()) == [1, 2]")] == ["passed", "failed"]


def test_an_exception_counts_only_where_the_check_uses_the_value():
    raised = Answer(error=RemoteError(ename="ValueError", evalue="no"))
    assert [judged(e, Answer(value=1), raised).outcome for e in ("f() == 1 or g()", "f() == 2 or g()")] == [
        "passed",
        "error",
    ]


@pytest.mark.parametrize(
    "expression", ["f() == 3", "f() is None", "isinstance(f(), int)", "f() > 3", "f() in [1]", "type(f()) == int"]
)
def test_a_value_that_cannot_cross_is_nothing_that_the_host_knows(expression):
    assert judged(expression, Answer(value=Opaque({"opaque": "candidate.E", "text": "3"}))).outcome == "failed"
