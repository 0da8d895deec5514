"""``%refine --continue`` in a real kernel: the same run, the same output."""

from __future__ import annotations

import json
import os

import nbformat
import pytest

from refine_magic.core.types import MIME_TYPE

GOOD = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return x * x"


@pytest.fixture
def unfinished(refine, tape):
    """A run that ended after its first candidate, which is wrong; its model has a right one to give."""
    return refine(tape(WRONG, GOOD), "-k 1").records[-1]["id"]


def test_the_last_run_goes_on(notebook, unfinished):
    assert notebook.run("%refine --continue").records[-1]["status"] == "passed"


def test_the_run_keeps_its_iterations(notebook, unfinished):
    assert len(notebook.run("%refine --continue").records[-1]["iterations"]) == 2


def test_the_same_output_is_updated(notebook, unfinished):
    ran = notebook.run("%refine --continue")
    assert not ran.of("display_data")
    assert {content["transient"]["display_id"] for content in ran.of("update_display_data")} == {unfinished}


def test_the_cell_says_where_to_look(notebook, unfinished):
    assert unfinished[:8] in notebook.run("%refine --continue").text


def test_a_run_is_named_by_the_beginning_of_its_id(notebook, unfinished, refine, tape):
    refine(tape(GOOD))
    assert notebook.run(f"%refine --continue {unfinished[:8]}").records[-1]["id"] == unfinished


def test_a_hint_is_part_of_what_the_model_is_told(notebook, unfinished):
    run = notebook.run("%refine --continue --hint 'think of the sign'").records[-1]
    assert "think of the sign" in run["iterations"][1]["candidate"]["messages"][-1]["content"]


def test_a_branch_refines_the_iteration_that_is_named(notebook, refine, tape):
    code = "def double(x):\n    return x + 5"
    refine(tape(WRONG, code, GOOD), "-k 2")
    assert notebook.run("%refine --continue --from 2").records[-1]["iterations"][2]["candidate"]["parent"] == 2


def test_a_struck_check_counts_no_more(notebook, refine, tape):
    refine(tape(WRONG), "-k 1", checks="assert double(2) == 4\nassert double(4) == 8")
    assert notebook.run("%refine --continue --strike c2").records[-1]["status"] == "passed"


def test_more_is_the_most_that_is_judged(notebook, refine, tape):
    codes = [f"def double(x):\n    return x + {n}" for n in range(10, 16)]
    refine(tape(*codes), "-k 1")
    assert len(notebook.run("%refine --continue --more 2").records[-1]["iterations"]) == 3


def test_code_that_passes_then_is_put_below(notebook, unfinished):
    assert notebook.run("%refine --continue").inserted == [GOOD]


def test_a_new_kernel_takes_a_run_up_from_the_saved_notebook(notebook, unfinished, tmp_path):
    record = notebook.run("%refine --continue --more 1 --hint x").records[0]
    record["id"] = "other" + record["id"]
    output = nbformat.v4.new_output("display_data", data={MIME_TYPE: record})
    file = tmp_path / "saved.ipynb"
    file.write_text(json.dumps(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output])])))
    notebook.run(f"import os; os.environ['JPY_SESSION_NAME'] = {os.fspath(file)!r}")
    ran = notebook.run(f"%refine --continue {record['id'][:9]}")
    assert ran.of("display_data") and ran.records[-1]["status"] == "passed"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("%refine", "%%refine"),
        ("%refine --continue zzzzzz", "there is no run 'zzzzzz'"),
        ("%refine --continue --from 9", "there is no iteration 9"),
        ("%refine --continue --strike c9", "there is no check 'c9'"),
        ("%refine --continue --more 0", "--more: at least one"),
    ],
)
def test_what_cannot_go_on_is_one_line(notebook, unfinished, line, says):
    text = notebook.run(line).text
    assert says in text and len(text.strip().splitlines()) == 1
