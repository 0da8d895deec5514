from __future__ import annotations

import pytest

from refine_magic.specs.cell import split


def test_without_a_separator_everything_is_the_prompt() -> None:
    assert split("Write f.\nIt adds.\n") == ("Write f.\nIt adds.", "", 0)


def test_the_checks_stand_below_three_dashes() -> None:
    assert split("Write f.\n---\nassert f(1)\n")[:2] == ("Write f.", "assert f(1)")


@pytest.mark.parametrize("line", ["---", "----------", "---  ", "---\t"])
def test_a_line_of_dashes_separates(line: str) -> None:
    assert split(f"p\n{line}\nc")[:2] == ("p", "c")


@pytest.mark.parametrize("line", ["--", " ---", "--- x", "- - -", "—", "|---|"])
def test_any_other_line_is_text(line: str) -> None:
    assert split(f"p\n{line}\nc")[1] == ""


def test_only_the_first_separator_counts() -> None:
    assert split("p\n---\na\n---\nb")[1] == "a\n---\nb"


def test_windows_line_ends_separate_too() -> None:
    assert split("p\r\n---\r\nassert f(1)\r\n")[:2] == ("p", "assert f(1)")


@pytest.mark.parametrize("text", ["p\n---\nCHECK", "p\n\nq\n---\n\n\nCHECK", "---\nCHECK", "p\r\n---\r\n\r\nCHECK"])
def test_the_lines_before_the_checks_are_counted(text: str) -> None:
    assert text.split("\n")[split(text)[2]] == "CHECK"


def test_nothing_below_the_separator_is_no_checks() -> None:
    assert split("p\n---")[:2] == ("p", "")
