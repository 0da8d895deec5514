from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine_magic.feedback.difference import difference

LITERALS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("expected", "observed", "words"),
    [
        ("4", "4", ""),
        ("4", "5", "off by +1"),
        ("123456789012", "123456789010", "off by -2"),
        ("0.5", "0.25", "off by -0.25"),
        ("4", "4.5", "off by +0.5"),
        ("True", "2", "expected a bool, got an int"),
        ("True", "False", ""),
        ("None", "1", "expected None, got an int"),
        ("[1]", "(1,)", "expected a list, got a tuple"),
        ("[1, 2, 3]", "[1, 5, 3]", "at [1]: off by +3"),
        ("[1, 2]", "[1.0, 3]", "at [1]: off by +1"),
        ("[1, 2]", "[1]", "expected 2 items, got 1"),
        ("[1]", "[1, 2]", "expected 1 item, got 2"),
        ("[1, 2]", "[3]", "at [0]: off by +2; expected 2 items, got 1"),
        ("[[1], [2]]", "[[1], [3]]", "at [1][0]: off by +1"),
        ("[[1], []]", "[[1], [2]]", "at [1]: expected 0 items, got 1"),
        ("[True]", "[False]", "at [0]: expected True, got False"),
        ("{'a': [1]}", "{'a': [2]}", "at ['a'][0]: off by +1"),
        ("{'a': True}", "{'a': False}", "at ['a']: expected True, got False"),
        ("{'a': 1}", "{'b': 1}", "missing keys 'a'; extra keys 'b'"),
        ("{'a': 1, 'b': 2}", "{'a': 1}", "missing keys 'b'"),
        ("{1, 2}", "{2, 3}", "missing 1; extra 3"),
        ("{0}", "{0, 1, 2, 3, 4, 5, 6}", "extra 1, 2, 3, 4, 5, and 1 more"),
        ("'abc'", "'abd'", "differs from character 2: expected 'c', got 'd'"),
        ("'ab'", "'abc'", "differs from character 2: expected '', got 'c'"),
        ("b'a'", "b'b'", "differs from character 0: expected b'a', got b'b'"),
        ("f(2)", "4", ""),
        ("4", None, ""),
        (None, "4", ""),
        ("[1, 2, ...", "[1, 2]", ""),
    ],
)
def test_the_first_difference_is_said(expected: str | None, observed: str | None, words: str) -> None:
    assert difference(expected, observed) == words


@pytest.mark.parametrize(("expected", "observed"), [(str(10**400), "0"), ("1.5", str(10**400)), ("1e308", "-1e308")])
def test_numbers_beyond_a_float_are_no_error(expected: str, observed: str) -> None:
    assert difference(expected, observed).startswith("off by")


@pytest.mark.parametrize("text", ["(" * 5000, "-" * 5000 + "1", "9" * 5000, "'\ud800'", "\0", "{[]: 1}", "  1"])
def test_a_text_that_is_no_literal_is_no_error(text: str) -> None:
    assert isinstance(difference(text, "1"), str)


@given(LITERALS, LITERALS)
def test_any_two_literals_can_be_compared(expected: object, observed: object) -> None:
    words = difference(repr(expected), repr(observed))
    assert "\n" not in words and not words.endswith(": ")


@given(LITERALS)
def test_a_literal_does_not_differ_from_itself(value: object) -> None:
    assert difference(repr(value), repr(value)) == ""
