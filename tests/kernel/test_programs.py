"""Whole programs: their input, their output, their end."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

import json

import pytest

from refine_magic.specs.gather import Text
from refine_magic.specs.problem import make_problem

GOOD = {
    "input": ("print(int(input()) * 2)", "2\n", "4\n"),
    "input with a prompt": ("print(int(input('n? ')) * 2)", "2\n", "n? 4\n"),
    "no line end at the end": ("print(input() * 2)", "ab", "abab"),
    "sys.stdin.read": ("import sys\nprint(len(sys.stdin.read()))", "a\nb\n", "4"),
    "lines": ("import sys\nfor line in sys.stdin: print(line.strip()[::-1])", "ab\ncd\n", "ba\ndc\n"),
    "sys.stdin.buffer": ("import sys\nprint(sum(map(int, sys.stdin.buffer.read().split())))", "1 2\n3", "6"),
    "open(0)": ("a, b = open(0).read().split()\nprint(b, a)", "1 2", "2 1"),
    "sys.stdout.write": ("import sys\nsys.stdout.write('a'); sys.stdout.write('b\\n')", "", "ab\n"),
    "sys.stdout.buffer": ("import sys\nsys.stdout.buffer.write(b'ab')", "", "ab"),
    "os.write": ("import os\nos.write(1, b'ab\\n')", "", "ab"),
    "a child's output": ("import subprocess, sys\nsubprocess.run(['echo', 'ab'])", "", "ab\n"),
    "sys.exit at the end": ("import sys\nprint(1)\nsys.exit(0)", "", "1"),
    "exit at the end": ("print(1)\nexit()", "", "1"),
    "os._exit at the end": ("import os\nprint(1, flush=True)\nos._exit(0)", "", "1"),
    "a main guard": ("def main():\n    print(int(input()) + 1)\nif __name__ == '__main__':\n    main()", "1", "2"),
    "atexit": ("import atexit\natexit.register(print, 'bye')\nprint('hi')", "", "hi\nbye"),
    "a thread": ("import threading\nthreading.Thread(target=print, args=('ab',)).start()", "", "ab"),
    "end of the input": ("try:\n    while True: print(input())\nexcept EOFError: print('end')", "a\nb", "a\nb\nend"),
    "blanks at the ends of lines": ("print('a  ')\nprint('b')\nprint()", "", "a\nb"),
    "Unicode": ("print(input()[::-1])", "äß😀", "😀ßä"),
    "much input and output": ("import sys\nsys.stdout.write(sys.stdin.read() * 2)", "x" * 300_000, "x" * 600_000),
    "what is left unread": ("print(1)", "x" * 300_000, "1"),
    "stderr": ("import sys\nprint('log', file=sys.stderr)\nprint(1)", "", "1"),
    "a process left behind": ("import os, time\nif os.fork() == 0: time.sleep(60)\nelse: print(1)", "", "1"),
    "a dataclass": ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: 'int'\nprint(P(1))", "", "P(x=1)"),
}  # fmt: skip
BAD = {
    "another output": ("print(5)", "failed", ""),
    "no output": ("x = 1", "failed", ""),
    "an inner blank": ("print('4 ')\nprint(' 4')", "failed", ""),
    "an exception": ("print(4)\n1 / 0", "error", "ZeroDivisionError: division by zero"),
    "past the end": ("print(4)\ninput(); input()", "error", "EOFError: EOF when reading a line"),
    "a status": ("import sys\nprint(4)\nsys.exit(3)", "error", "SystemExit: 3"),
    "a status as text": ("import sys\nprint(4)\nsys.exit('no')", "error", "SystemExit: 1"),
    "a signal": ("import os\nprint(4, flush=True)\nos.kill(os.getpid(), 11)", "error", "Killed: SIGSEGV"),
    "a forged exception": ("import os\nos.write(3, b'[]')", "failed", ""),
    "a killed parent": ("import os\nos.kill(os.getppid(), 9)", None, None),
}


def programs(*cases: tuple[str, str]):
    lines = [json.dumps({"stdin": stdin, "stdout": stdout}) for stdin, stdout in cases]
    return make_problem("Write it.", more=[Text("\n".join(lines), "recorded")]).spec


@pytest.mark.parametrize("name", GOOD)
def test_a_right_program_passes_on_the_host(judged, name):
    code, stdin, stdout = GOOD[name]
    result = judged(code, programs((stdin, stdout)))
    assert [(c.outcome, c.judged, c.message) for c in result.checks] == [("passed", "host", "")]


@pytest.mark.parametrize("name", [name for name, (_, outcome, _) in BAD.items() if outcome])
def test_a_wrong_program_fails_in_plain_words(judged, name):
    code, outcome, message = BAD[name]
    check = judged(code, programs(("2\n", "4\n"))).checks[0]
    assert (check.outcome, check.message) == (outcome, message)


def test_a_program_that_kills_its_kernel_does_not_pass(judged):
    assert judged(BAD["a killed parent"][0], programs(("2\n", "4\n"))).outcome == "crashed"


def test_the_output_is_shown_beside_what_is_expected(judged):
    check = judged("print(5)", programs(("2\n", "4\n"))).checks[0]
    assert (check.expected, check.observed) == ("'4\\n'", "'5\\n'")


def test_the_traceback_shows_the_programs_own_line(judged):
    error = judged("x = 0\nprint(1 / x)", programs(("", "1"))).checks[0].error
    assert error is not None and "print(1 / x)" in "\n".join(error.traceback) and "harness" not in str(error.traceback)


def test_programs_do_not_see_each_other(judged):
    code = "import sys, os\nprint(getattr(sys, 'seen', 0), os.environ.get('SEEN', 0))\nsys.seen = 1\nos.environ['SEEN'] = '1'"
    assert judged(code, programs(("1", "0 0"), ("2", "0 0"))).outcome == "passed"


def test_a_program_is_not_run_when_it_is_loaded(judged):
    assert judged("print(input())", programs(("a", "a"))).stdout == ""


def test_a_program_with_a_syntax_error_is_invalid(judged):
    assert judged("print(", programs(("a", "a"))).outcome == "invalid"


def test_a_program_that_never_ends_is_a_timeout(judged):
    assert judged("while True: pass", programs(("a", "a"))).outcome == "timeout"


def test_a_program_that_floods_its_output_reaches_its_limit(judged):
    assert judged("while True: print('x' * 10000)", programs(("a", "a"))).outcome == "output_limit"


def test_a_program_that_asks_for_too_much_memory_says_so(judged):
    assert judged("x = bytearray(10 ** 12)", programs(("a", "a"))).outcome == "memory"


def test_calls_and_programs_are_judged_side_by_side(judged):
    spec = make_problem("w", "assert f(1) == 2", more=[Text('{"stdin": "1", "stdout": "2"}', "recorded")]).spec
    code = "def f(x): return x + 1\nif __name__ == '__main__':\n    print(f(int(input())))"
    assert judged(code, spec).outcome == "passed"
