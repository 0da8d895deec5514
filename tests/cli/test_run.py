"""``refine-magic run`` as a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import psutil
import pytest

GOOD = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return x * x"
PROMPT = "Write double(x).\n\n>>> double(4)\n8\n---\nassert double(1) == 2\n"


@pytest.fixture
def start(tmp_path):
    def run(model, *arguments, prompt=PROMPT):
        (tmp_path / "prompt.md").write_text(prompt, encoding="utf-8")
        command = [sys.executable, "-m", "refine_magic.cli", "run", str(tmp_path / "prompt.md"), "--name", "p"]
        return subprocess.Popen(
            [*command, "--model", model, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    return run


@pytest.fixture
def finish(start):
    def run(*arguments, **more):
        process = start(*arguments, **more)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    return run


def test_a_run_that_passes_exits_with_0(finish, tape):
    assert finish(tape(WRONG, GOOD))[0] == 0


def test_a_run_that_passes_ends_with_its_code(finish, tape):
    assert finish(tape(GOOD))[1].rstrip().endswith(GOOD)


def test_a_run_that_does_not_pass_exits_with_1(finish, tape):
    assert finish(tape(WRONG), "-k", "1")[0] == 1


def test_every_iteration_is_shown(finish, tape):
    out = finish(tape(WRONG, GOOD))[1]
    assert "Iteration 1 · 0 of 2 checks" in out and "Iteration 2 · 2 of 2 checks" in out


def test_json_is_one_document_on_standard_output(finish, tape):
    assert json.loads(finish(tape(WRONG, GOOD), "--json")[1])["status"] == "passed"


def test_json_of_a_run_whose_model_failed_holds_the_iterations_so_far(finish, tape):
    status, out, _ = finish(tape(WRONG), "--json")
    assert (status, len(json.loads(out)["iterations"])) == (3, 1)


def test_a_model_that_cannot_be_reached_exits_with_3_and_says_the_command(finish):
    status, out, err = finish("ollama:llama3.2@http://127.0.0.1:9")
    assert (status, "ollama serve" in out + err) == (3, True)


def test_checks_come_from_a_file_too(finish, tape, tmp_path):
    (tmp_path / "more.py").write_text("assert double(10) == 20")
    out = finish(tape(GOOD), "--json", "--checks", str(tmp_path / "more.py"))[1]
    assert len(json.loads(out)["problem"]["spec"]["checks"]) == 3


def test_single_judges_one_candidate_only(finish, tape):
    out = finish(tape(WRONG, GOOD), "--json", "--strategy", "single")[1]
    assert len(json.loads(out)["iterations"]) == 1


@pytest.mark.parametrize("option", ["--strategy", "--feedback"])
def test_an_unknown_name_exits_with_2(finish, tape, option):
    status, _, err = finish(tape(GOOD), option, "nope")
    assert (status, "there are:" in err) == (2, True)


def test_an_empty_prompt_exits_with_2(finish, tape):
    assert finish(tape(GOOD), prompt="\n")[0] == 2


@pytest.fixture
def interrupted(start, tape):
    process = start(tape("def double(x):\n    while True: pass"), "--json", "--timeout", "60")
    until = time.monotonic() + 20
    while not has_candidate(process.pid) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(1.5)
    below = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    return process.returncode, json.loads(out), below


def has_candidate(pid):
    return len(psutil.Process(pid).children(recursive=True)) >= 3  # the template, a keeper, the candidate's kernel


def test_ctrl_c_exits_with_130(interrupted):
    assert interrupted[0] == 130


def test_ctrl_c_still_prints_the_record(interrupted):
    assert interrupted[1]["status"] == "interrupted"


def test_ctrl_c_leaves_no_process(interrupted):
    assert not [process for process in interrupted[2] if process.is_running()]


RIGHT = [GOOD, "def double(x):\n    return x + x", "def double(x):\n    return x * 2"]


def test_a_pass_on_generated_checks_alone_exits_with_4(finish, tape):
    model = tape(*RIGHT, checks=("assert double(4) == 8", "assert double(1) == 3"))
    assert finish(model, prompt="Write double(x).")[0] == 4


def test_a_pass_on_generated_checks_alone_says_so(finish, tape):
    model = tape(*RIGHT, checks=("assert double(4) == 8",))
    assert "unverified" in finish(model, prompt="Write double(x).")[1]


@pytest.mark.parametrize("feedback", ["raw", "annotated", "summary", "trace"])
def test_show_prompts_prints_what_the_model_is_told_with_each_feedback(finish, tape, feedback):
    out = finish(tape(WRONG, GOOD), "--show-prompts", "--feedback", feedback)[1]
    assert "user, for iteration 2" in out and "That code is not right yet" in out


def test_held_out_checks_are_reported_apart(finish, tape):
    assert "1 of 1 held out" in finish(tape(GOOD), "--holdout", "0.5")[1]


def test_samples_are_judged_before_any_is_refined(finish, tape):
    codes = [f"def double(x):\n    return x + {n}" for n in range(3)]
    run = json.loads(finish(tape(*codes), "--samples", "3", "-k", "3", "--json")[1])
    assert [iteration["candidate"]["move"]["kind"] for iteration in run["iterations"]] == ["sample"] * 3
