"""``refine-magic continue``: a record is taken up again by another process."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

GOOD = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return x * x"


@pytest.fixture
def command(tmp_path):
    def run(*arguments, stdin=None):
        whole = [sys.executable, "-m", "refine_magic.cli", *arguments]
        return subprocess.run(whole, input=stdin, capture_output=True, text=True, timeout=60, cwd=tmp_path)

    return run


@pytest.fixture
def record(command, tape, tmp_path):
    (tmp_path / "prompt.md").write_text("Write double(x).\n---\nassert double(2) == 4\nassert double(4) == 8\n")
    done = command("run", "prompt.md", "--name", "p", "-m", tape(WRONG, GOOD), "-k", "1", "--json")
    (tmp_path / "run.json").write_text(done.stdout)
    return "run.json"


def test_a_run_is_taken_up_where_it_ended(command, record):
    done = command("continue", record, "--json")
    assert (done.returncode, len(json.loads(done.stdout)["iterations"])) == (0, 2)


def test_standard_input_can_be_the_record(command, record, tmp_path):
    assert command("continue", "-", stdin=(tmp_path / record).read_text()).returncode == 0


def test_a_hint_reaches_the_model(command, record):
    assert "mind the sign" in command("continue", record, "--hint", "mind the sign", "--show-prompts").stdout


def test_a_struck_check_counts_no_more(command, record):
    run = json.loads(command("continue", record, "--strike", "2", "--json").stdout)
    assert (run["status"], len(run["iterations"])) == ("passed", 1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--from", "9"), "there is no iteration 9"),
        (("--strike", "9"), "there is no check '9'"),
        (("--more", "0"), "--more"),
    ],
)
def test_what_cannot_go_on_exits_with_2(command, record, arguments, says):
    done = command("continue", record, *arguments)
    assert (done.returncode, says in done.stderr) == (2, True)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 99}', "no JSON"])
def test_what_is_no_record_exits_with_2(command, text):
    assert command("continue", "-", stdin=text).returncode == 2
