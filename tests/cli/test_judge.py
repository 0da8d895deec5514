"""``refine-magic judge`` as a process of its own: what it prints and how it exits."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

RIGHT = "def double(x):\n    return 2 * x\n"
CHECKS = "assert double(4) == 8\nassert double('a') == 'aa'\n"


@pytest.fixture
def judge(tmp_path):
    def run(code, *arguments, checks=CHECKS, stdin=None):
        (tmp_path / "code.py").write_bytes(code.encode("utf-8", "surrogatepass"))
        (tmp_path / "checks.py").write_text(checks, encoding="utf-8")
        command = [sys.executable, "-m", "refine_magic.cli", "judge"]
        files = ["-" if stdin else str(tmp_path / "code.py"), "--checks", str(tmp_path / "checks.py")]
        return subprocess.run([*command, *files, *arguments], input=stdin, capture_output=True, text=True, timeout=60)

    return run


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        (RIGHT, 0, "passed"),
        ("def double(x):\n    return x * x\n", 1, "failed"),
        ("def double(x):\n    while True: pass\n", 1, "timeout"),
        (RIGHT + "import os\nos._exit(0)\n", 1, "crashed"),
        ("import os\ndef double(x):\n    os.kill(os.getpid(), 9)\n", 1, "crashed"),
        (RIGHT + "import sys\nsys.exit(0)\n", 1, "error"),
        ("def double(x) return 2\n", 1, "invalid"),
        ("", 1, "invalid"),
        (RIGHT + "1 / 0\n", 1, "error"),
    ],
    ids=["right", "wrong", "hanging", "exiting", "dying", "sys-exit", "syntax-error", "empty", "raising"],
)
def test_the_verdict_and_the_exit_status(judge, code, status, outcome):
    done = judge(code, "--json", "--timeout", "2")
    assert (done.returncode, json.loads(done.stdout)["outcome"]) == (status, outcome)


def test_standard_input_is_the_code(judge):
    assert judge("", stdin=RIGHT).returncode == 0


def test_the_table_shows_what_was_expected_and_observed(judge):
    shown = judge("def double(x):\n    return x * 3\n").stdout
    assert "8" in shown and "12" in shown


@pytest.mark.parametrize(
    ("arguments", "checks", "says"),
    [
        ((), "", "there are no checks"),
        ((), "assert double(1 ==", "line 1"),
        ((), "assert 1 == 1", "check 1 calls nothing"),
        (("--entry-point", "triple"), CHECKS, "no check calls triple"),
        (("--timeout", "0"), CHECKS, "--timeout"),
        (("--isolation", "moon"), CHECKS, "--isolation"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_why(judge, arguments, checks, says):
    done = judge(RIGHT, *arguments, checks=checks)
    assert (done.returncode, says in done.stderr) == (2, True)


def test_a_file_that_is_not_there_exits_with_2(judge, tmp_path):
    command = [sys.executable, "-m", "refine_magic.cli", "judge", str(tmp_path / "no.py"), "--checks", "-"]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=60)
    assert (done.returncode, "cannot be read" in done.stderr) == (2, True)


WITHOUT_NAMESPACES = 'for most in /proc/sys/user/max_*_namespaces; do echo 0 > "$most"; done; exec "$0" "$@"'


@pytest.fixture
def confined(judge, monkeypatch):
    """Judge where the system allows no namespaces."""
    enter = ["unshare", "-Ur", "bash", "-c", WITHOUT_NAMESPACES]
    if shutil.which("unshare") is None or subprocess.run([*enter, "true"], capture_output=True).returncode:
        pytest.skip("no user namespace in which to forbid namespaces")
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda command, **more: run([*enter, *command], **more))
    return judge


def test_a_level_that_cannot_be_had_exits_with_3(confined):
    assert confined(RIGHT, "--isolation", "namespaces").returncode == 3


def test_a_level_that_cannot_be_had_is_named_with_what_to_do(confined):
    said = confined(RIGHT, "--isolation", "namespaces").stderr
    assert ("cannot be had here" in said, "--isolation auto" in said) == (True, True)


def test_auto_takes_the_next_level_and_says_so(confined):
    assert "isolation: namespaces" not in confined(RIGHT).stdout


def test_an_unknown_kernelspec_exits_with_3(judge):
    done = judge(RIGHT, "--kernel", "nope")
    assert (done.returncode, "no kernelspec is named 'nope'" in done.stderr) == (3, True)
