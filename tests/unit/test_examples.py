from __future__ import annotations

import pytest

from refine_magic.specs.examples import parse
from refine_magic.specs.problem import make_problem


def sources(prompt: str) -> list[str]:
    return [check.source for check in parse(prompt)[0]]


@pytest.mark.parametrize(
    ("line", "check"),
    [
        ("fibonacci(5) -> [0, 1, 1, 2, 3]", "assert fibonacci(5) == [0, 1, 1, 2, 3]"),
        ("f(2) → 4", "assert f(2) == 4"),
        ("f(2) => 4", "assert f(2) == 4"),
        ("f(2) == 4", "assert f(2) == 4"),
        ("f(2) = 4", "assert f(2) == 4"),
        ("f(2) returns 4.", "assert f(2) == 4"),
        ("f(2) should return 4", "assert f(2) == 4"),
        ("f(2) must be 4", "assert f(2) == 4"),
        ("- `f(2)` gives `4`", "assert f(2) == 4"),
        ("* `f(2) -> 4`", "assert f(2) == 4"),
        ("Write f(n), for example f(2) -> 4.", "assert f(2) == 4"),
        ("    f(2) -> 4  # two squared", "assert f(2) == 4"),
        ("f(2) -> 4 (two squared)", "assert f(2) == 4"),
        ("f(2) -> 4 because 2 * 2 is 4", "assert f(2) == 4"),
        ("f(0.5) -> -1.5e3", "assert f(0.5) == -1500.0"),
        ("f('a -> b') -> 'c(d)'", "assert f('a -> b') == 'c(d)'"),
        ("f((1, 2), key=[3]) -> (1, 2)", "assert f((1, 2), key=[3]) == (1, 2)"),
        ("f({'a': 1}) -> {'a': {1, 2}}", "assert f({'a': 1}) == {'a': {1, 2}}"),
        ("f(-1) -> None", "assert f(-1) is None"),
        ("f(1) -> True", "assert f(1) == True"),
        ("sorted(f([2, 1])) -> [1, 2]", "assert sorted(f([2, 1])) == [1, 2]"),
        ("Stack().size() -> 0", "assert Stack().size() == 0"),
        ("f(-1) raises ValueError", "with pytest.raises(ValueError):\n    f(-1)"),
        ("f(-1) -> ValueError", "with pytest.raises(ValueError):\n    f(-1)"),
        ("f(-1) raises a ValueError, and so on", "with pytest.raises(ValueError):\n    f(-1)"),
        ("二乗(2) → 4", "assert 二乗(2) == 4"),
    ],
)
def test_a_call_and_its_result_in_the_prompt_are_a_check(line: str, check: str) -> None:
    assert sources(line) == [check]


@pytest.mark.parametrize("line", ["f(2) -> 4 and f(3) -> 9", "f(2) -> 4, f(3) -> 9", "`f(2) -> 4`; `f(3) -> 9`"])
def test_several_examples_in_a_line_are_a_check_each(line: str) -> None:
    assert sources(line) == ["assert f(2) == 4", "assert f(3) == 9"]


@pytest.mark.parametrize(
    "line",
    [
        "Write f(n).",
        "f(n) -> 4",
        "f(2) -> n",
        "f(2) -> 2 * n",
        "f(2) -> 4 apples",
        "f(2) -> 1, 2",
        "f(2) -> int",
        "f() -> None",
        "def f(x=2) -> None: ...",
        "Write `def f(x=2) -> None`.",
        "    return f(2) == 4",
        "    if f(2) == 4:",
        "f(2) must not return 4",
        "f(2) is not == 4",
        "not f(2) == 4",
        "len([1, 2]) -> 2",
        "print(f(2)) -> 4",
        "f(2, x) -> 4",
        "x = f(2) == 4",
        "f(2) == f(3) == 4",
        ">>> f(2) == 4",
        "assert f(2) == 4",
        "f(2 -> 4",
        "f(" * 200 + "2" + ")" * 200 + " -> 4",
        f"f({'9' * 600}) -> 4",
        "f('\\ud800') -> \0",
    ],
)
def test_what_only_looks_like_an_example_is_no_check(line: str) -> None:
    assert sources(line) == []


def test_an_example_that_is_written_twice_is_one_check() -> None:
    assert sources("f(2) -> 4\n\n- `f(2)` returns 4") == ["assert f(2) == 4"]


def test_an_example_says_where_it_comes_from() -> None:
    assert [check.origin for check in parse("f(2) -> 4")[0]] == ["example"]


def test_what_must_raise_needs_pytest() -> None:
    assert parse("f(-1) raises ValueError")[1] == "import pytest"


def test_examples_alone_make_a_problem_with_its_entry_point() -> None:
    assert make_problem("Write it: fibonacci(5) -> [0, 1, 1, 2, 3]").entry_point == "fibonacci"


def test_an_example_that_stands_below_too_is_kept_once() -> None:
    spec = make_problem("Write f. f(2) -> 4", "assert f(2)==4").spec
    assert [(check.id, check.origin) for check in spec.checks] == [("c1", "example")]
