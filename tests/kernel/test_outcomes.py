"""Each way a candidate can end is named rightly, and soon."""

from __future__ import annotations

import resource
import time

import pytest

RIGHT = "def f(x):\n    return x + 1\n"
ENDS = {
    "right": (RIGHT, "passed"),
    "wrong": ("def f(x):\n    return x\n", "failed"),
    "exception at top": (RIGHT + "1 / 0", "error"),
    "exception in the function": ("def f(x):\n    return 1 / 0\n", "failed"),
    "wrong arity": ("def f():\n    return 2\n", "failed"),
    "missing entry point": ("def g(x):\n    return 2\n", "invalid"),
    "missing import": ("import no_such_module\n" + RIGHT, "error"),
    "async function": ("async def f(x):\n    return 2\n", "failed"),
    "syntax error": ("def f(:", "invalid"),
    "syntax error of the compiler": ("return 2", "invalid"),
    "empty": ("", "invalid"),
    "NUL byte": ("def f(x): return 2\0", "invalid"),
    "lone surrogate in the source": ("x = '\ud800'\n" + RIGHT, "invalid"),
    "infinite loop": ("def f(x):\n    while True: pass\n", "timeout"),
    "sleep at top": (RIGHT + "import time\ntime.sleep(60)", "timeout"),
    "loop in C": ("def f(x):\n    return len(str(10 ** 10 ** 8))\n", "timeout"),
    "SIGINT ignored": ("import signal\nsignal.signal(2, signal.SIG_IGN)\ndef f(x):\n    while True: pass\n", "timeout"),
    "repr that hangs": (
        "class H:\n    def __repr__(self):\n        while True: pass\ndef f(x): return H()\n",
        "timeout",
    ),
    "os._exit in the function": ("import os\ndef f(x): os._exit(0)\n", "crashed"),
    "os._exit at top": (RIGHT + "import os\nos._exit(0)\n", "crashed"),
    "sys.exit at top": (RIGHT + "import sys\nsys.exit(0)\n", "error"),
    "sys.exit in the function": ("import sys\ndef f(x): sys.exit(0)\n", "failed"),
    "quit": ("def f(x): quit()\n", "failed"),
    "memory at once": ("def f(x): return bytearray(10 ** 12)\n", "memory"),
    "memory bit by bit": ("def f(x):\n    a = []\n    while True: a.append('x' * 10 ** 7)\n", "memory"),
    "memory at top": (RIGHT + "a = [0] * 10 ** 12", "memory"),
    "print flood": ("def f(x):\n    while True: print('x' * 1000)\n", "output_limit"),
    "print of 200 MB": ("def f(x): print('x' * 200_000_000)\n", "output_limit"),
    "flood that goes on": (
        "def f(x):\n    while True:\n        try: print('x' * 10_000)\n        except BaseException: pass\n",
        "timeout",
    ),
    "flood of the descriptor": ("import os\ndef f(x):\n    while True: os.write(1, b'x' * 100_000)\n", "output_limit"),
    "one message of 20 MB": (
        "from IPython.display import publish_display_data as show\n"
        "def f(x):\n    show({'text/plain': 'x' * 20_000_000})\n    return 2\n",
        "output_limit",
    ),
    "endless recursion": ("def f(x): return f(x)\n", "failed"),
    "segmentation fault": ("import ctypes\ndef f(x): return ctypes.string_at(0)\n", "crashed"),
    "result of 10 MB": ("def f(x): return 'x' * 10 ** 7\n", "failed"),
    "cyclic result": ("def f(x):\n    a = []\n    a.append(a)\n    return a\n", "failed"),
    "input": ("def f(x): return int(input())\n", "failed"),
    "kill itself": ("import os\ndef f(x): os.kill(os.getpid(), 9)\n", "crashed"),
    "kill its supervisor": ("import os\ndef f(x): os.kill(os.getppid(), 9)\n", "failed"),
    "every descriptor closed": ("import os\nos.closerange(0, 256)\ndef f(x): return 2\n", "crashed"),
    "own sockets closed": (
        RIGHT + "import gc, time, socket\nfor o in gc.get_objects():\n    if isinstance(o, socket.socket): o.close()\n"
        "time.sleep(60)\n",
        "crashed",
    ),
    "standard streams closed": ("import os\nos.closerange(0, 3)\n" + RIGHT, "passed"),
    "writes to 1 and 2": (
        "import os\ndef f(x):\n    os.write(1, b'a')\n    os.write(2, b'b')\n    return 2\n",
        "passed",
    ),
    "stdout replaced": ("import sys\nsys.stdout = None\n" + RIGHT, "passed"),
    "CRLF": ("def f(x):\r\n    return x + 1\r\n", "passed"),
    "dataclass with string annotations": (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass P:\n    x: int\ndef f(x): return P(x + 1).x\n",
        "passed",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_outcome_is_named_rightly(judged, name):
    code, outcome = ENDS[name]
    assert judged(code).outcome == outcome


@pytest.mark.parametrize(
    "name", ["os._exit in the function", "segmentation fault", "own sockets closed", "one message of 20 MB"]
)
def test_a_kernel_that_cannot_answer_is_known_at_once_not_by_the_timeout(judged, name):
    assert judged(ENDS[name][0]).duration < 2


def test_a_print_flood_costs_the_host_little_memory(judged):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    judged(ENDS["flood of the descriptor"][0])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


def test_the_check_that_hung_is_the_one_marked(judged):
    result = judged(
        "def f(x):\n    while x == 2: pass\n    return x + 1\n", "assert f(1) == 2\nassert f(2) == 3\nassert f(3) == 4"
    )
    assert [check.outcome for check in result.checks] == ["passed", "timeout", "not_run"]


def test_a_timeout_comes_in_time(judged):
    began = time.monotonic()
    judged(ENDS["infinite loop"][0])
    assert time.monotonic() - began < 8


def test_what_was_printed_is_kept_with_a_lone_surrogate_written_out(judged):
    assert judged("print('a\\ud800b')\n" + RIGHT).stdout == "a\\ud800b\n"


def test_an_exception_with_a_lone_surrogate_is_data(judged):
    assert judged(RIGHT + "raise ValueError('\\ud800')").error.evalue == "\\ud800"


def test_the_traceback_shows_the_candidates_own_lines_only(judged):
    lines = "\n".join(judged(RIGHT + "def g():\n    return 1 / 0\ng()").error.traceback)
    assert "return 1 / 0" in lines and "harness" not in lines


def test_a_candidate_may_use_a_class_that_the_checks_define(judged):
    checks = "class Node:\n    def __init__(self, v): self.v = v\nassert f(Node(1)) == 1"
    assert judged("def f(n: Node):\n    assert isinstance(n, Node)\n    return n.v\n", checks).outcome == "passed"
