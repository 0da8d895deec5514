"""Checks that the model writes, in a real kernel."""

from __future__ import annotations

import pytest

RIGHT = ["def double(x):\n    return 2 * x", "def double(x):\n    return x + x", "def double(x):\n    return x * 2"]
WRITTEN = ("assert double(4) == 8", "assert double(1) == 3", "assert triple(1) == 3", "assert double(")


@pytest.fixture
def run(notebook, tape):
    def go(*codes, arguments="", checks=""):
        model = tape(*codes, checks=WRITTEN)
        return notebook.run(f"%%refine p -m {model} {arguments}\nWrite double(x).{checks}").records[-1]

    return go


def test_without_checks_the_model_writes_some(run):
    assert [check["source"] for check in run(*RIGHT)["problem"]["spec"]["checks"]] == list(WRITTEN[:2])


def test_a_pass_on_the_model_s_own_checks_is_unverified(run):
    assert run(*RIGHT)["status"] == "passed_unverified"


def test_the_check_that_no_candidate_passes_is_suspect(run):
    trust = {check["source"]: check["trust"] for check in run(*RIGHT)["problem"]["spec"]["checks"]}
    assert trust == {WRITTEN[0]: "corroborated", WRITTEN[1]: "suspect"}


def test_the_page_says_unverified_in_words(notebook, tape):
    ran = notebook.run(f"%%refine p -m {tape(*RIGHT, checks=WRITTEN)}\nWrite double(x).")
    assert "Passed, unverified" in ran.of("update_display_data")[-1]["data"]["text/html"]


def test_a_pass_on_the_user_s_checks_too_is_a_pass(run):
    more = run(*RIGHT, arguments="--generate-checks 4", checks="\n---\nassert double(3) == 6")
    assert more["status"] == "passed"


def test_a_tape_without_checks_is_one_clear_line(notebook, tape):
    ran = notebook.run(f"%%refine p -m {tape(*RIGHT)}\nWrite double(x).")
    assert "there are no checks" in ran.of("error")[0]["traceback"][0]
