"""``--checks`` and ``--ask`` of ``refine-magic run`` and ``judge``, as processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys

import nbformat
import pytest

GOOD = "def double(x):\n    return 2 * x"
FILES = {
    "a.py": "assert double(4) == 8",
    "test_a.py": "from solution import double\n\n\ndef test_it():\n    assert double(4) == 8\n",
    "a.txt": ">>> double(4)\n8\n",
    "a.md": "# Title\n\n```python\n>>> double(4)\n8\n```\n",
    "a.jsonl": '{"call": "double(4)", "result": 8}\n',
    "pairs.jsonl": '{"input": 4, "output": 8}\n{"input": "a", "output": "aa"}\n',
}


@pytest.fixture
def files(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell("assert double(4) == 8", metadata={"tags": ["hard"]})]
    nbformat.write(made, tmp_path / "nb.ipynb")
    (tmp_path / "prompt.md").write_text("Write double(x).", encoding="utf-8")
    (tmp_path / "candidate.py").write_text(GOOD, encoding="utf-8")
    return tmp_path


@pytest.fixture
def command(files):
    def run(*arguments, stdin=""):
        full = [sys.executable, "-m", "refine_magic.cli", *arguments]
        return subprocess.run(full, cwd=files, input=stdin, capture_output=True, text=True, timeout=60)

    return run


@pytest.mark.parametrize("reference", [*FILES, "nb.ipynb:hard"])
def test_judge_takes_checks_from_anywhere(command, reference):
    assert command("judge", "candidate.py", "--checks", reference, "-e", "double").returncode == 0


@pytest.mark.parametrize("reference", ["a.py", "nb.ipynb:hard"])
def test_judge_says_when_such_checks_fail(command, files, reference):
    (files / "candidate.py").write_text("def double(x):\n    return x")
    assert command("judge", "candidate.py", "--checks", reference).returncode == 1


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("nope", "no checks 'nope'"),
        ("nb.ipynb", "there are: hard"),
        ("pairs.jsonl", "pairs.jsonl, line 1: nothing says which function is called; name it with --entry-point"),
    ],
)
def test_checks_that_cannot_be_used_exit_with_2_and_say_why(command, reference, says):
    done = command("judge", "candidate.py", "--checks", reference)
    assert (done.returncode, says in " ".join(done.stderr.split())) == (2, True)


def test_run_joins_checks_from_several_places(command, tape):
    references = ["--checks", "a.py", "--checks", "a.txt", "--checks", "pairs.jsonl"]
    out = command("run", "prompt.md", "--name", "p", "--model", tape(GOOD), "--json", *references).stdout
    assert [check["source"] for check in json.loads(out)["problem"]["spec"]["checks"]] == [
        "assert double(4) == 8",
        ">>> double(4)\n8",
        "assert double('a') == 'aa'",
    ]


def test_standard_input_can_be_the_checks(command, tape):
    out = command("run", "prompt.md", "--name", "p", "-m", tape(GOOD), "--checks", "-", stdin="assert double(1) == 2")
    assert out.returncode == 0


@pytest.mark.parametrize("arguments", [("-", "--checks", "-"), ("-", "--ask"), ("prompt.md", "--checks", "-", "--ask")])
def test_standard_input_cannot_be_two_things(command, arguments):
    assert command("run", *arguments).returncode == 2


@pytest.fixture
def asked(command, tape):
    def run(stdin, *codes):
        done = command(
            "run", "prompt.md", "--name", "p", "-m", tape(*codes), "-c", "a.py", "--ask", "--json", stdin=stdin
        )
        return done, json.loads(done.stdout)

    return run


def test_code_that_the_user_accepts_passed(asked):
    assert asked("\n", GOOD)[0].returncode == 0


def test_a_hint_is_told_to_the_model(asked):
    messages = asked("no docstring\ny\n", GOOD, f"{GOOD} + 0")[1]["iterations"][1]["candidate"]["messages"]
    assert "The user says: no docstring" in messages[-1]["content"]


def test_the_code_is_shown_to_the_user(asked):
    assert "return 2 * x" in asked("\n", GOOD)[0].stderr.split("accept")[0]


def test_where_nobody_answers_the_run_ends_with_3_and_says_why(asked):
    done, record = asked("", GOOD)
    assert (done.returncode, "needs somebody to ask" in record["message"]) == (3, True)
