from __future__ import annotations

import json
from pathlib import Path

import pytest

from refine_magic.core.errors import ReplayError
from refine_magic.core.protocols import Options
from refine_magic.models.replay import open_model, read_tape, shipped

HEAD = '{"tape": 1, "note": "a note"}\n'


def recorded(reply: str = "Hello world.\n", request: int = 0, problem: str = "p") -> str:
    return json.dumps({"problem": problem, "request": request, "reply": reply}, ensure_ascii=False) + "\n"


def played(text: str, request: int = 0, problem: str = "p") -> str:
    return "".join(read_tape(text, "t.jsonl").generate((), Options(problem=problem, request=request)))


@pytest.mark.parametrize(
    "reply", ["Hello world.\n", "  a\n\n  b  \n", "", " ", "\n", "é ☃ 😀", "a\u2028b\x85c\x0bd", "a\r\nb"]
)
def test_a_reply_is_played_as_it_was_recorded(reply: str) -> None:
    assert played(HEAD + recorded(reply)) == reply


def test_a_reply_comes_in_pieces() -> None:
    stream = read_tape(HEAD + recorded(), "t").generate((), Options(problem="p"))
    assert list(stream) == ["Hello", " world.", "\n"]


def test_a_reply_is_found_by_its_request() -> None:
    assert played(HEAD + recorded("a") + recorded("b", 1), request=1) == "b"


def test_a_reply_is_found_by_its_problem() -> None:
    assert played(HEAD + recorded("a") + recorded("b", problem="q"), problem="q") == "b"


def test_the_name_shows_the_note() -> None:
    assert read_tape(HEAD, "t.jsonl").name == "replay:t.jsonl (a note)"


def test_the_cost_is_an_estimate() -> None:
    stream = read_tape(recorded(), "t").generate((), Options(problem="p"))
    list(stream)
    assert stream.usage.estimated and stream.usage.finish_reason == "stop"


def test_an_exhausted_tape_says_so() -> None:
    with pytest.raises(ReplayError, match="no reply 2 for the problem 'p'"):
        played(recorded(), request=1)


def test_an_unknown_problem_lists_those_that_the_tape_knows() -> None:
    with pytest.raises(ReplayError, match="does not know 'x'; it knows: p, q"):
        played(recorded() + recorded(problem="q"), problem="x")


def test_an_empty_tape_knows_nothing() -> None:
    with pytest.raises(ReplayError, match="it knows: nothing"):
        played("")


@pytest.mark.parametrize(
    "broken", ["{", "text", "5", "[]", "null", '"a tape"', "{}", '{"problem": "p"}', recorded()[:-3] + ', "x": 1}']
)
def test_a_broken_line_is_refused_with_its_number(broken: str) -> None:
    with pytest.raises(ReplayError, match=r"t\.jsonl, line 3: this is no tape"):
        read_tape(HEAD + recorded() + broken + "\n", "t.jsonl")


def test_a_tape_of_another_version_is_refused() -> None:
    with pytest.raises(ReplayError, match="version 2; this refine-magic reads 1"):
        read_tape('{"tape": 2}', "t")


def test_empty_lines_are_passed_over() -> None:
    assert played(f"\n{HEAD}\n\r\n{recorded('a')}\n") == "a"


def test_windows_line_ends_make_no_difference() -> None:
    assert played((HEAD + recorded("a")).replace("\n", "\r\n")) == "a"


def test_a_tape_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(HEAD + recorded("é"), encoding="utf-8")
    assert "".join(open_model(str(file)).generate((), Options(problem="p"))) == "é"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="No such file"):
        open_model(str(tmp_path / "none.jsonl"))


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="cannot be read"):
        open_model(str(tmp_path))


def test_no_file_at_all_is_refused() -> None:
    with pytest.raises(ReplayError, match="no file given"):
        open_model("")


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReplayError, match="not text"):
        open_model(str(file))


@pytest.mark.parametrize("name", ["a\0b", "~nosuchuser-x/t.jsonl"])
def test_a_name_that_can_be_no_file_is_refused(name: str) -> None:
    with pytest.raises(ReplayError, match="cannot be read"):
        open_model(name)


def test_the_shipped_tape_says_that_it_is_scripted() -> None:
    assert "no model ran" in shipped("fibonacci").name


def test_a_tape_that_is_not_shipped_is_refused() -> None:
    with pytest.raises(ReplayError, match="there are: fibonacci"):
        shipped("../tapes/fibonacci")
