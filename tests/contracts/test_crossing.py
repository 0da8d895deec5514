"""The table of shared objects: what one side encodes the other decodes, and nothing forged is taken."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter, OrderedDict, deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

for _name in ("encoder", "decoder", "contents"):
    sys.modules[f"_refine_{_name}"] = importlib.import_module(f"refine_magic.execution.inside.{_name}")
crossing = importlib.import_module("refine_magic.execution.inside.crossing")
Malformed = importlib.import_module("refine_magic.execution.inside.decoder").Malformed


def side(first: int) -> Any:
    return crossing.Crossing(1 << 20, 50, first=first, opaque=lambda number, data: object())


def sent(value: Any, sender: Any, receiver: Any) -> Any:
    sender.begin()
    return receiver.decode(json.loads(json.dumps(sender.encode(value))))


def states(sender: Any, receiver: Any) -> None:
    sender.begin()
    receiver.apply(json.loads(json.dumps(sender.states())))


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.decimals(allow_nan=False, places=3)
    | st.dates()
)
HASHABLE = st.recursive(LEAVES, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5)
DATA = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.tuples(inner) | st.dictionaries(HASHABLE, inner, max_size=3) | st.sets(HASHABLE, max_size=3), max_leaves=12)  # fmt: skip


@given(DATA)
def test_plain_data_come_over_exactly(value: Any) -> None:
    found = sent(value, side(1), side(2))
    assert (found, type(found)) == (value, type(value))


@given(st.lists(DATA, max_size=4), st.lists(DATA, max_size=4))
def test_a_change_comes_over_in_place(before: list[Any], after: list[Any]) -> None:
    one, two = side(1), side(2)
    thing = list(before)
    copy = sent(thing, one, two)
    thing[:] = after
    states(one, two)
    assert copy == after


def test_what_did_not_change_is_not_sent_again() -> None:
    one, two = side(1), side(2)
    sent([[1], {"a": {2}}], one, two)
    assert one.states() == []


def test_an_object_that_comes_back_is_the_same_one() -> None:
    one, two = side(1), side(2)
    thing = [1]
    assert sent(sent(thing, one, two), two, one) is thing


def test_only_what_nobody_else_holds_is_forgotten() -> None:
    one = side(1)
    kept = [1]
    one.encode([kept, [2]])
    one.unheld()
    assert list(one.things.values()) == [kept]


@pytest.mark.parametrize(
    "value", [Counter("aab"), OrderedDict([("b", 1), ("a", 2)]), deque([1, 2], 2), bytearray(b"a")]
)
def test_a_container_keeps_its_kind(value: Any) -> None:
    found = sent(value, side(1), side(2))
    assert (found, type(found)) == (value, type(value))


FORGED = [
    {"ref": 7}, {"ref": "x"}, {"ref": [1]}, {"handle": 2}, {"handle": 4}, {"handle": 3.0}, {"handle": True}, {"handle": "3"},
    {"list": [], "id": 2}, {"list": [], "id": 4}, {"list": [], "id": None}, {"list": 3, "id": 3}, {"list": {}, "id": 3},
    {"dict": [[1]], "id": 3}, {"dict": [[{"list": [], "id": 1}, 1]], "id": 3}, {"set": [{"list": [], "id": 1}], "id": 3},
    {"namedtuple": [1], "name": "P", "fields": [], "id": 3}, {"namedtuple": [1], "name": "P", "fields": [1], "id": 3},
    {"namedtuple": [], "name": 3, "fields": [], "id": 3}, {"deque": [], "maxlen": "x", "id": 3}, {"id": 3}, {},
    {"builtin": "eval"}, {"builtin": "__import__"}, {"builtin": "open"}, {"builtin": 3}, {"code": 1}, {"int": 3}, {"int": "zz"},
    {"a": 1, "b": 2}, [1], {"range": ["0x0", "0xffffffffff", "0x1"]}, {"Decimal": "1E+9999999"}, {"datetime": "yesterday"},
]  # fmt: skip


@pytest.mark.parametrize("data", FORGED, ids=str)
def test_forged_data_are_refused(data: Any) -> None:
    mine = side(2)
    mine.encode([1])  # number 2 is one of mine
    with pytest.raises(Malformed):
        mine.decode(data)


@pytest.mark.parametrize(
    "forged", [7, [[2]], [[4, {"list": []}]], [[2, {"dict": []}]], [[2, {}]], [[2, {"list": 3}]]], ids=str
)
def test_forged_states_are_refused(forged: Any) -> None:
    mine = side(2)
    kept = [1]
    mine.encode(kept)
    with pytest.raises(Malformed):
        mine.apply(forged)
