"""What a stub in the judge's kernel may ask the host for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from refine_magic.execution.judging.second import MOST_CALLS, Second


class Candidate:
    """A candidate's side that answers everything with the same reply, and keeps what it was asked."""

    deadline = 0.0

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def need(self, names: tuple[str, ...]) -> None:
        pass

    def cross(self, message: str) -> dict[str, Any]:
        self.asked.append(json.loads(message))
        return {"value": 2, "states": [], "stdout": "", "stderr": "", "passed": True, "error": None}


def nobody() -> Any:
    raise AssertionError("no kernel is needed")


def relay(prompt: str, calls: int = 0) -> tuple[dict[str, Any], Candidate]:
    candidate = Candidate()
    second = Second(nobody, candidate, calls=calls, names=frozenset({"f"}))
    return json.loads(second.relay(prompt)), candidate


CALL = {"do": "call", "of": "f", "args": [], "kwargs": [], "states": [], "forget": [], "fresh": True}


def test_a_call_is_passed_on_as_it_is() -> None:
    assert relay(json.dumps(CALL))[1].asked == [CALL]


def test_only_the_parts_of_a_reply_that_a_stub_needs_go_back() -> None:
    assert relay(json.dumps(CALL))[0] == {"value": 2, "states": [], "stdout": "", "stderr": ""}


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "7",
        "[]",
        "{}",
        json.dumps(CALL | {"do": "eval"}),
        json.dumps(CALL | {"of": "g"}),
        json.dumps(CALL | {"of": []}),
    ],
)
def test_anything_else_is_refused(prompt: str) -> None:
    reply, candidate = relay(prompt)
    assert (list(reply), candidate.asked) == (["broken"], [])


def test_so_many_calls_are_enough() -> None:
    reply, candidate = relay(json.dumps(CALL), MOST_CALLS)
    assert (reply, candidate.asked) == ({"broken": f"more than {MOST_CALLS} calls in one check"}, [])
