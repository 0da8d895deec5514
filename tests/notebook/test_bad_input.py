"""Bad input to ``%%refine``: one clear line, nothing lost."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("%%refine\n   \n---\nassert f(1) == 1", "the prompt is empty"),
        ("%%refine\nWrite f.\n---\n# none yet", "there are no checks"),
        ("%%refine --checks nope\nWrite f.", "no checks 'nope'"),
        ("%%refine --ask\nWrite f.", "--ask needs somebody to ask"),
        ("%%refine\nWrite f.\n---\nassert f(1) == 1\nassert f(2 ==", "line 5: the checks have a syntax error"),
        ("%%refine\nWrite f.\n---\nassert 1 == 1", "check 1 calls nothing"),
        ("%%refine -e g\nWrite f.\n---\nassert f(1) == 1", "no check calls g; they call f"),
        ("%%refine --model nowhere:x\nWrite f.\n---\nassert f(1) == 1", "there are: demo, ollama, replay"),
        ("%%refine --strategy guess\nWrite f.\n---\nassert f(1) == 1", "there are: single, tests"),
        ("%%refine --feedback shout\nWrite f.\n---\nassert f(1) == 1", "there are: annotated, raw"),
        ("%%refine --max-iterations 0\nWrite f.\n---\nassert f(1) == 1", "--max-iterations"),
        ("%%refine --isolation moon\nWrite f.\n---\nassert f(1) == 1", "--isolation"),
        ("%%refine -o 1x\nWrite f.\n---\nassert f(1) == 1", "this is no name"),
        ("%%refine --unknown\nWrite f.\n---\nassert f(1) == 1", "unrecognized arguments"),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_is_wrong(notebook, cell, says):
    text = notebook.run(cell).text
    assert says in text
    assert len(text.strip().splitlines()) == 1


def test_no_model_server_is_one_line_with_the_command_that_mends_it(notebook):
    ran = notebook.run("%%refine -m ollama:llama3.2@http://127.0.0.1:9\nWrite f.\n---\nassert f(1) == 1")
    assert ran.of("error")[0]["traceback"] == [
        "ModelUnavailable: no Ollama answers at http://127.0.0.1:9; start it with 'ollama serve'"
    ]


def test_an_unknown_kernelspec_lists_those_that_are_there(notebook, tape):
    ran = notebook.run(f"%%refine p -m {tape('x')} --kernel nope\nWrite f.\n---\nassert f(1) == 1")
    assert "python3" in ran.of("error")[0]["evalue"]


def test_a_level_of_isolation_that_cannot_be_had_runs_nothing(notebook, tape):
    elsewhere = "--executor remote:http://127.0.0.1:9 --isolation namespaces"
    ran = notebook.run(f"%%refine p -m {tape('x')} {elsewhere}\nWrite f.\n---\nassert f(1) == 1")
    assert ran.of("error")[0]["ename"] == "IsolationUnavailable"


def test_an_exhausted_tape_keeps_the_iterations_so_far(refine, tape):
    ran = refine(tape("def double(x):\n    return x"))
    assert (ran.records[-1]["status"], len(ran.records[-1]["iterations"])) == ("error", 1)


def test_a_reply_without_code_uses_up_no_iteration(refine, tape):
    run = refine(tape("```text\nno\n```", "I cannot. ```", "def double(x):\n    return 2 * x"), "-k 1").records[-1]
    assert (run["status"], len(run["iterations"]), len(run["rejections"])) == ("passed", 1, 2)


def test_replies_without_code_end_the_run_after_two_more_requests(refine, tape):
    run = refine(tape(*["```text\nno\n```"] * 3)).records[-1]
    assert (run["stop_reason"], len(run["rejections"])) == ("format", 3)


def test_a_candidate_that_ends_its_kernel_is_an_iteration_like_any_other(refine, tape):
    code = "import os\ndef double(x):\n    os._exit(0)"
    assert refine(tape(code), "-k 1").records[-1]["iterations"][0]["result"]["outcome"] == "crashed"
