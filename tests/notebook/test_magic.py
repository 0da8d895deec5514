"""``%%refine`` in a real kernel."""

from __future__ import annotations

GOOD = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return x * x"


def test_a_run_that_passes_puts_its_code_into_a_new_cell(refine, tape):
    assert refine(tape(GOOD)).inserted == [GOOD]


def test_code_that_passed_is_not_run_in_the_notebook(refine, tape, notebook):
    refine(tape("def double(x):\n    return 2 * x\nnever_here = 1"))
    assert notebook.run("never_here").reply["ename"] == "NameError"


def test_run_also_runs_the_code_in_the_notebook(refine, tape, notebook):
    refine(tape("def double(x):\n    return 2 * x\nhere = 17"), "--run")
    assert notebook.run("assert here == 17").reply["status"] == "ok"


def test_the_same_cell_run_again_does_not_pile_up_cells(refine, tape):
    refine(tape(GOOD), cell_id="cell-1")
    assert refine(tape(GOOD), cell_id="cell-1").inserted == []


def test_the_same_cell_run_again_says_where_the_code_is(refine, tape):
    refine(tape(GOOD), cell_id="cell-2")
    assert "cell below" in str(refine(tape(GOOD), cell_id="cell-2").of("update_display_data")[-1]["data"]["text/html"])


def test_the_same_cell_with_other_code_puts_that_below(refine, tape):
    refine(tape(GOOD), cell_id="cell-3")
    assert len(refine(tape("def double(x):\n    return x + x"), cell_id="cell-3").inserted) == 1


def test_there_is_one_display_that_is_updated_in_place(refine, tape):
    assert len(refine(tape(WRONG, GOOD)).of("display_data")) == 1


def test_every_iteration_is_in_the_last_record(refine, tape):
    assert [it["result"]["outcome"] for it in refine(tape(WRONG, GOOD)).records[-1]["iterations"]] == [
        "failed",
        "passed",
    ]


def test_the_record_shows_expected_and_observed(refine, tape):
    check = refine(tape(WRONG, GOOD)).records[-1]["iterations"][0]["result"]["checks"][0]
    assert (check["expected"], check["observed"]) == ("8", "16")


def test_doctests_in_the_prompt_are_checks(notebook, tape):
    cell = f"%%refine p --model {tape(GOOD)}\nWrite double(x).\n\n>>> double(3)\n6\n>>> double('a')\n'aa'"
    checks = notebook.run(cell).records[-1]["problem"]["spec"]["checks"]
    assert [check["source"] for check in checks] == [">>> double(3)\n6", ">>> double('a')\n'aa'"]


def test_a_run_that_does_not_pass_ends_quietly(refine, tape):
    assert refine(tape(WRONG), "-k 1").reply["status"] == "ok"


def test_strict_raises_for_a_run_that_does_not_pass(refine, tape):
    assert refine(tape(WRONG), "-k 1 --strict").reply["ename"] == "RefinementFailed"


def test_a_run_that_does_not_pass_inserts_nothing(refine, tape):
    assert refine(tape(WRONG), "-k 1").inserted == []


def test_output_binds_the_trajectory(refine, tape, notebook):
    refine(tape(GOOD), "-o run")
    assert notebook.run("assert run.status == 'passed'").reply["status"] == "ok"


def test_output_is_bound_where_the_model_fails_too(refine, tape, notebook):
    refine(tape(WRONG), "-o broken")
    assert notebook.run("assert broken.stop_reason == 'model_error'").reply["status"] == "ok"


def test_a_trait_is_the_default_of_its_argument(refine, tape, notebook):
    notebook.run("%config RefineMagics.max_iterations = 1")
    ended = refine(tape(WRONG, GOOD)).records[-1]["status"]
    notebook.run("%config RefineMagics.max_iterations = 5")
    assert ended == "not_passed"


def test_a_candidate_runs_in_another_process(refine, tape, notebook):
    code = "import os\ndef double(x):\n    return os.getpid()"
    observed = refine(tape(code), "-k 1").records[-1]["iterations"][0]["result"]["checks"][0]["observed"]
    assert int(observed) != notebook.process.pid


def test_two_candidates_run_in_two_processes(refine, tape):
    code = "import sys\nsys.seen = getattr(sys, 'seen', 0) + 1\ndef double(x):\n    return sys.seen"
    run = refine(tape(code, f"{code} + 0"), "-k 2").records[-1]
    assert [iteration["result"]["checks"][0]["observed"] for iteration in run["iterations"]] == ["1", "1"]


def test_no_process_is_left_after_a_run(refine, tape, notebook):
    refine(tape(GOOD))
    assert notebook.children() == []
