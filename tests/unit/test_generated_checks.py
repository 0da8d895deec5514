from __future__ import annotations

import json
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine_magic.core.types import Check
from refine_magic.specs import generated

A, B, C = "assert f(3) == 9", "assert f(0) == 0", "assert f(-2) == 4"
QUOTED, EMPTY = 'assert f("a") == 1', 'assert f("") == 0'


def clean(*statements: str, given: tuple[str, ...] = (), entry_point: str | None = "f", most: int = 9) -> list[str]:
    there = [Check(id=f"c{n}", source=source) for n, source in enumerate(given, 1)]
    return [check.source for check in generated.clean(statements, there, entry_point, most)]


REPLIES = {
    "JSON": (json.dumps({"checks": [A, B]}), [A, B]),
    "JSON on several lines": (json.dumps({"checks": [A, B]}, indent=2), [A, B]),
    "JSON in a fence": (f"```json\n{json.dumps({'checks': [A]})}\n```", [A]),
    "JSON after prose": (f"Here you are: {json.dumps({'checks': [A]})}", [A]),
    "JSON before prose": (f"{json.dumps({'checks': [A]})}\nThese cover it.", [A]),
    "JSON with braces in a check": (json.dumps({"checks": ["assert f('{}') == {}"]}), ["assert f('{}') == {}"]),
    "JSON with quotes in a check": (json.dumps({"checks": ['assert f("a") == 1']}), ['assert f("a") == 1']),
    "JSON with numbers among the checks": ('{"checks": ["assert f(1)", 2, null]}', ["assert f(1)"]),
    "JSON that is cut off": (f'{{"checks": ["{A}", "{B}", "assert f(', [A, B]),
    "JSON cut off on several lines": (f'{{\n "checks": [\n  "{A}",\n  "{B}",\n  "ass', [A, B]),
    "JSON with a comma too many": (f'{{"checks": ["{A}", "{B}",]}}', [A, B]),
    "another key on one line": (json.dumps({"tests": [A, B]}), [A, B]),
    "JSON with quotes that are not escaped": (f'{{"checks": ["{QUOTED}", "{EMPTY}"]}}', [QUOTED, EMPTY]),
    "broken JSON with quotes that are escaped": ('{"checks": ["assert f(\\"a\\") == 1",}', [QUOTED]),
    "JSON that nests": (json.dumps({"checks": [{"test": A}, {"test": B}]}), [A, B]),
    "a JSON list alone": (json.dumps([A, B]), [A, B]),
    "another key": (json.dumps({"tests": [A]}, indent=1), [A]),
    "plain asserts": (f"{A}\n{B}", [A, B]),
    "asserts in a fence": (f"```python\n{A}\n{B}\n```", [A, B]),
    "asserts in a test function": (f"def test_f():\n    {A}\n    {B}\n", [A, B]),
    "a numbered list": (f"1. `{A}`\n2. `{B}`", [A, B]),
    "a list with dashes": (f"- {A}\n- {B}", [A, B]),
    "windows line ends": (f"{A}\r\n{B}\r\n", [A, B]),
    "prose": ("I would test the edges and assert that it works.", []),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("text", "statements"), REPLIES.values(), ids=REPLIES.keys())
def test_the_statements_of_a_reply_are_found(text: str, statements: list[str]) -> None:
    assert [line.strip() for line in generated.read(text)] == statements


@given(st.one_of(st.text(), st.text(alphabet='{}[]":,`assert f(1)\n\\')))
def test_any_reply_can_be_read_and_cleaned(text: str) -> None:
    assert all(check.trust == "suspect" for check in generated.clean(generated.read(text), [], None, 3))


CLEANED = {
    "does not compile": (["assert f(1 ==", A], [A]),
    "compiles to nothing sensible": (["assert f(1) == (yield)", "assert (return)", A], [A]),
    "no assert": (["f(1)", "print(f(1))", A], [A]),
    "two statements": (["x = 1; assert f(x) == 1", f"{A}\n{B}", A], [A]),
    "no call of the entry point": (["assert g(1) == 1", "assert True", "assert f", A], [A]),
    "another object's method": (["assert x.f(1) == 1", A], [A]),
    "contradicts another": (["assert f(3) == 8", A, B], [B]),
    "contradicts another, spelt differently": (["assert f( 3 )==8", A, B], [B]),
    "two spellings of one value are no contradiction": (
        ['assert f(0) == "b"', "assert f(0) == 'b'"],
        ["assert f(0) == 'b'"],
    ),
    "a duplicate": ([A, A, "assert f( 3 )  ==  9"], [A]),
    "a duplicate but for the message": ([A, f"{A}, 'three'"], [A]),
    "a message": ([f"{A}, 'the square of three'"], [A]),
    "a comment": ([f"{A}  # nine"], [A]),
    "blanks around": ([f"  {A}\n"], [A]),
    "a null byte": (["assert f('\0') == 1", A], [A]),
    "far too deep": (["assert f(" + "(" * 5000 + ")" * 5000 + ")", A], [A]),
}


@pytest.mark.parametrize(("statements", "left"), CLEANED.values(), ids=CLEANED.keys())
def test_what_cannot_be_a_check_is_left_out(statements: list[str], left: list[str]) -> None:
    assert clean(*statements) == left


def test_what_contradicts_the_users_check_is_left_out() -> None:
    assert clean("assert f(3) == 8", B, given=(A,)) == [B]


def test_what_the_user_checks_already_is_left_out() -> None:
    assert clean(A, B, given=(A,)) == [B]


def test_what_a_doctest_of_the_users_says_already_is_left_out() -> None:
    assert clean(A, B, given=(">>> f(3)\n9",)) == [B]


def test_what_contradicts_a_doctest_of_the_users_is_left_out() -> None:
    assert clean("assert f(3) == 8", B, given=(">>> f(3)\n9",)) == [B]


def test_a_contradiction_between_two_spares_neither_but_the_users() -> None:
    assert clean("assert f(3) == 8", A, given=(A,)) == []


def test_no_more_checks_are_kept_than_were_asked_for() -> None:
    assert clean(A, B, C, most=2) == [A, B]


def test_without_an_entry_point_it_is_the_name_most_called() -> None:
    assert clean("assert g(1) == 1", A, B, entry_point=None) == [A, B]


def test_a_builtin_is_no_entry_point() -> None:
    assert clean("assert len(f(1)) == 1", "assert len(f(2)) == 2", "assert len([]) == 0", entry_point=None) == [
        "assert len(f(1)) == 1",
        "assert len(f(2)) == 2",
    ]


def test_the_ids_go_on_after_the_users() -> None:
    made = generated.clean([B, C], [Check(id="c1", source=A)], "f", 9)
    assert [check.id for check in made] == ["c2", "c3"]


def test_the_warnings_of_the_models_checks_are_not_shown() -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        clean("assert f('\\d') is 1", "assert f('\\d') == 1")
    assert shown == []
