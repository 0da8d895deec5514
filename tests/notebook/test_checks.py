"""``%%checks``, ``--checks`` and ``--ask`` in a real kernel."""

from __future__ import annotations

import time

import nbformat
import pytest

GOOD = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return x * x"


def sources(ran):
    return [check["source"] for check in ran.records[-1]["problem"]["spec"]["checks"]]


@pytest.fixture
def prompt(notebook, tape):
    """Run a ``%%refine`` cell without checks of its own."""

    def run(arguments, *codes):
        return notebook.run(f"%%refine p --model {tape(*(codes or [GOOD]))} {arguments}\nWrite double(x).")

    return run


def test_kept_checks_are_used_by_their_name(notebook, prompt):
    notebook.run("%%checks twice\nassert double(4) == 8\nassert double(1) == 2")
    assert sources(prompt("--checks twice")) == ["assert double(4) == 8", "assert double(1) == 2"]


def test_what_is_kept_is_said(notebook):
    assert "1 check kept as 'one'" in notebook.run("%%checks one\nassert double(4) == 8").text


def test_kept_checks_may_be_doctest_examples(notebook, prompt):
    notebook.run("%%checks shown\n>>> double(4)\n8")
    assert sources(prompt("--checks shown")) == [">>> double(4)\n8"]


def test_a_name_that_is_given_again_stands_for_the_new_checks(notebook, prompt):
    notebook.run("%%checks again\nassert double(4) == 8")
    notebook.run("%%checks again\nassert double(5) == 10")
    assert sources(prompt("-c again")) == ["assert double(5) == 10"]


def test_several_references_are_joined(notebook, prompt, tmp_path):
    notebook.run("%%checks first\nassert double(4) == 8")
    (tmp_path / "more.py").write_text("from solution import double\n\n\ndef test_it():\n    assert double(1) == 2\n")
    assert len(sources(prompt(f"--checks first --checks {tmp_path}/more.py"))) == 2


def test_a_reference_may_be_quoted(prompt, tmp_path):
    (tmp_path / "my checks.py").write_text("assert double(1) == 2")
    assert sources(prompt(f"--checks '{tmp_path}/my checks.py'")) == ["assert double(1) == 2"]


def test_the_names_are_listed(notebook):
    notebook.run("%%checks listed\nassert double(4) == 8\nassert double(5) == 10")
    assert "listed: 2 checks" in notebook.run("%checks").text.splitlines()


def test_a_names_checks_are_shown(notebook):
    notebook.run("%%checks showing\nassert double(4) == 8")
    assert notebook.run("%checks showing").text.strip() == "assert double(4) == 8"


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("%%checks bad\nassert double(1)\nassert double(2 ==", "line 3: the checks have a syntax error"),
        ("%%checks bad\nassert 1 == 1", "check 1 calls nothing"),
        ("%%checks bad\nimport math", "there are no checks"),
        ("%%checks\nassert double(1) == 2", "give the checks a name"),
        ("%%checks two words\nassert double(1) == 2", "give the checks a name"),
        ("%%checks bad\n", "the cell body is empty"),
        ("%checks nowhere", "no checks are kept as 'nowhere'"),
        ("%%refine --checks nowhere\nWrite f.", "no checks 'nowhere'"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_is_wrong(notebook, cell, says):
    text = notebook.run(cell).text
    assert (says in text, len(text.strip().splitlines())) == (True, 1)


def test_checks_with_a_mistake_are_not_kept(notebook):
    notebook.run("%%checks broken\nassert double(2 ==")
    assert "broken" not in notebook.run("%checks").text


def test_a_tag_is_one_of_this_notebooks_own(notebook, prompt, tmp_path):
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell("assert double(7) == 14", metadata={"tags": ["tagged"]})]
    nbformat.write(made, tmp_path / "own.ipynb")
    notebook.run(f"import os; os.environ['JPY_SESSION_NAME'] = {str(tmp_path / 'own.ipynb')!r}")
    found = sources(prompt("--checks tagged"))
    notebook.run("del os.environ['JPY_SESSION_NAME']")
    assert found == ["assert double(7) == 14"]


@pytest.fixture
def asked(notebook, tape):
    """Run a ``%%refine --ask`` cell in a front end that answers one line each time it is asked."""

    def run(codes, answers, checks="---\nassert double(2) == 4"):
        message = notebook.client.session.msg(
            "execute_request",
            {
                "code": f"%%refine p --model {tape(*codes)} --ask\nWrite double(x).\n{checks}",
                "silent": False,
                "store_history": True,
                "user_expressions": {},
                "allow_stdin": True,
                "stop_on_error": True,
            },
        )
        notebook.client.shell_channel.send(message)
        questions = []
        for answer in answers:
            questions.append(notebook.client.get_stdin_msg(timeout=60)["content"]["prompt"])
            notebook.client.input(answer)
        return notebook.listen(message["header"]["msg_id"]), questions

    return run


def test_code_that_the_user_accepts_passed(asked):
    assert asked([GOOD], [""])[0].records[-1]["status"] == "passed"


def test_the_user_is_asked_to_accept_the_code(asked):
    assert "accept this code" in asked([GOOD], ["y"])[1][0]


def test_a_hint_is_told_to_the_model(asked):
    ran, _ = asked([GOOD, f"{GOOD} + 0"], ["no docstring", "y"])
    again = ran.records[-1]["iterations"][1]["candidate"]["messages"]
    assert "The user says: no docstring" in again[-1]["content"]


def test_the_user_is_asked_about_code_that_passes_the_checks_only(asked):
    assert len(asked([WRONG, "def double(x):\n    return x + 1", GOOD], ["y"], "---\nassert double(4) == 8")[1]) == 1


def test_the_user_can_be_the_only_check(asked):
    ran, _ = asked([WRONG, GOOD], ["it squares", "y"], "")
    assert [it["result"]["outcome"] for it in ran.records[-1]["iterations"]] == ["failed", "passed"]


def test_an_interrupt_while_the_user_is_asked_is_recorded(notebook, tape):
    code = f"%%refine p --model {tape(GOOD)} --ask\nWrite double(x).\n---\nassert double(2) == 4"
    message = notebook.client.session.msg("execute_request", {"code": code, "silent": False, "allow_stdin": True})
    notebook.client.shell_channel.send(message)
    notebook.client.get_stdin_msg(timeout=60)
    time.sleep(0.2)
    notebook.manager.interrupt_kernel()
    assert notebook.listen(message["header"]["msg_id"]).records[-1]["status"] == "interrupted"
