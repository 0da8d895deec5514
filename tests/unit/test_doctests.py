from __future__ import annotations

import pytest

from refine_magic.core.errors import SpecError
from refine_magic.specs.doctests import parse


def sources(text: str) -> list[str]:
    return [check.source for check in parse(text)[0]]


def test_independent_examples_are_a_check_each() -> None:
    assert sources("Squares:\n\n    >>> f(2)\n    4\n    >>> f(3)\n    9\n") == [">>> f(2)\n4", ">>> f(3)\n9"]


def test_text_without_examples_has_no_checks() -> None:
    assert parse("Write f.") == ([], "")


def test_an_example_of_several_lines_stays_one() -> None:
    assert sources(">>> f(\n...     2)\n4") == [">>> f(\n...     2)\n4"]


def test_imports_are_setup() -> None:
    assert parse(">>> import math\n>>> f(math.pi)\n9")[1] == "import math\n"


def test_an_expected_exception_is_kept() -> None:
    text = ">>> f(-1)\nTraceback (most recent call last):\n  ...\nValueError: no"
    assert sources(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        ">>> x = f(2)\n>>> x\n4",
        ">>> s.push(1)\n>>> s.pop()\n1",
        ">>> def g(): return f(1)\n>>> g()\n1",
        ">>> for x in range(2): print(f(x))\n0\n1",
    ],
)
def test_examples_that_depend_on_each_other_are_one_check(text: str) -> None:
    assert [check.kind for check in parse(text)[0]] == ["program"]


def test_a_comprehension_binds_nothing_outside() -> None:
    assert len(sources(">>> [f(x) for x in (1, 2)]\n[1, 4]\n>>> f(3)\n9")) == 2


def test_the_checks_are_numbered_from_the_first() -> None:
    assert [check.id for check in parse(">>> f(1)\n1\n>>> f(2)\n4", 3)[0]] == ["c3", "c4"]


def test_a_syntax_error_in_the_prompt_is_refused_with_its_line() -> None:
    with pytest.raises(SpecError, match="line 3 of the prompt: syntax error"):
        parse("Write f.\n\n>>> f(2\n4")


def test_a_syntax_error_in_the_checks_is_refused_with_its_line_in_the_cell() -> None:
    with pytest.raises(SpecError, match="line 12: syntax error"):
        parse("\n>>> f(2\n4", origin="user", lines_before=10)


def test_an_example_without_a_blank_is_refused() -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        parse(">>>f(2)\n4")
