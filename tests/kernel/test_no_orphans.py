"""Whatever a candidate starts, and however the host ends: no process, descriptor, thread or directory is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

import psutil
import pytest

from refine_magic.core.errors import KernelStartError
from refine_magic.core.types import Settings
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.kernels.kernelspecs import find_kernelspec
from refine_magic.execution.kernels.pool import KernelPool
from refine_magic.execution.limits import Limits
from tests.kernel.conftest import execute, spec_of

SPEC = spec_of("assert f(1) == 2")
STARTS = {
    "fork": "if os.fork() == 0: run()",
    "double fork with setsid": "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: run()\n    os._exit(0)",
    "subprocess in a new session": "import subprocess\nsubprocess.Popen(argv, start_new_session=True)",
    "subprocess without environment": "import subprocess\nsubprocess.Popen(argv, env={}, start_new_session=True)",
    "supervisor killed": "import subprocess\nsubprocess.Popen(argv, start_new_session=True)\nos.kill(os.getppid(), 9)",
    "supervisor stopped": "import subprocess\nsubprocess.Popen(argv)\nos.kill(os.getppid(), signal.SIGSTOP)",
    "hundred children": "for _ in range(100):\n    if os.fork() == 0: run()",
}
PREAMBLE = """\
import os, signal, sys, time
argv = [sys.executable, '-S', '-c', "import signal, time\\n"
    "for n in set(signal.Signals) - {{9, 19}}: signal.signal(n, signal.SIG_IGN)\\ntime.sleep(600)", '{mark}']
def run():
    for n in set(signal.Signals) - {{9, 19}}: signal.signal(n, signal.SIG_IGN)
    os.execv(argv[0], argv)
def f(x): time.sleep(0.3); return x + 1
"""


def marked(mark: str) -> list[int]:
    return [
        process.info["pid"]
        for process in psutil.process_iter(["pid", "cmdline"])
        if any(mark in word for word in process.info["cmdline"] or ())
    ]


def gone(mark: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while marked(mark):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("name", STARTS)
def test_nothing_that_a_candidate_starts_outlives_it(name):
    mark = uuid.uuid4().hex
    executor = KernelExecutor(Settings(timeout=5))
    execute(executor, PREAMBLE.format(mark=mark) + STARTS[name], SPEC)
    executor.close()
    assert gone(mark, 0.2)


@pytest.mark.parametrize("name", ["fork", "double fork with setsid"])
def test_a_candidates_processes_do_run_until_the_verdict(name):
    mark = uuid.uuid4().hex
    executor = KernelExecutor(Settings(timeout=5))
    judging = executor.execute(candidate(PREAMBLE.format(mark=mark) + STARTS[name]), SPEC)
    next(judging)
    assert marked(mark)
    judging.close()
    executor.close()


def candidate(code):
    from refine_magic.core.types import Candidate

    return Candidate(code=code, digest="x")


@pytest.fixture
def folder(monkeypatch):
    """A folder for kernels whose path is short enough to hold their sockets."""
    with tempfile.TemporaryDirectory(prefix="t-", dir="/tmp") as made:
        monkeypatch.setattr(tempfile, "tempdir", made)
        yield Path(made)


HOST = """\
import sys, tempfile
tempfile.tempdir = {folder!r}
sys.path.insert(0, {root!r})
from tests.kernel.test_no_orphans import *
executor = KernelExecutor(Settings(timeout=60))
executor.prepare()
code = PREAMBLE.format(mark={mark!r}) + STARTS['double fork with setsid'] + "\\nrun()"
execute(executor, code, SPEC)
"""


def test_all_is_gone_within_two_seconds_of_the_hosts_sigkill(folder):
    mark = uuid.uuid4().hex
    root = str(Path(__file__).parents[2])
    host = subprocess.Popen(
        [sys.executable, "-c", HOST.format(root=root, folder=str(folder), mark=mark[:16] + "' '" + mark[16:])]
    )
    until = time.monotonic() + 20
    while not (below := psutil.Process(host.pid).children(recursive=True)) or not marked(mark):
        assert time.monotonic() < until
        time.sleep(0.05)
    host.send_signal(signal.SIGKILL)
    host.wait()
    left = psutil.wait_procs(below, timeout=2)[1]
    assert (left, gone(mark, 0.1), list(folder.iterdir())) == ([], True, [])


def state() -> tuple[int, int, int, int]:
    return (
        len(psutil.Process().children(recursive=True)),
        len(os.listdir("/proc/self/fd")),
        threading.active_count(),
        len(list(Path(tempfile.gettempdir()).glob("refine-*"))),
    )


def test_thirty_candidates_in_a_row_leave_nothing(executor, folder):
    first = KernelExecutor(Settings(timeout=5))
    execute(first, "def f(x): return 2", SPEC)
    first.close()
    before = state()
    made = KernelExecutor(Settings(timeout=5))
    for number in range(30):
        execute(made, f"def f(x): return {number}", SPEC)
    made.close()
    assert state() == before


def test_closing_while_a_kernel_is_being_born_leaves_nothing(folder):
    before = state()
    for pause in (0, 0.01, 0.05, 0.1, 0.2, 0.3):
        pool = KernelPool(find_kernelspec(None), Limits())
        pool.prepare()
        time.sleep(pause)
        pool.close()
    assert state() == before


def test_an_interrupt_while_waiting_for_a_kernel_loses_no_kernel(folder):
    before = state()
    pool = KernelPool(find_kernelspec(None), Limits())
    threading.Timer(0.02, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        pool.take()
    pool.close()
    assert state() == before


def test_a_kernel_that_died_in_the_pool_is_replaced(tmp_path):
    pool = KernelPool(find_kernelspec(None), Limits())
    first = pool.take()
    pool.discard(first)
    pool.prepare()
    waiting = pool._ready[0].result()
    waiting.kill()
    while waiting.is_alive():
        time.sleep(0.01)
    assert pool.take() is not waiting
    pool.close()


def test_a_closed_pool_lends_nothing():
    pool = KernelPool(find_kernelspec(None), Limits())
    pool.close()
    with pytest.raises(KernelStartError, match="closed"):
        pool.take()


def test_two_executors_in_two_threads_judge_rightly():
    found: dict[int, list[str]] = {}

    def work(number: int) -> None:
        executor = KernelExecutor(Settings(timeout=10))
        codes = [f"def f(x): return x + {n}" for n in (number, 1, 1 - number)]
        found[number] = [execute(executor, code, SPEC).outcome for code in codes]
        executor.close()

    threads = [threading.Thread(target=work, args=[number]) for number in (2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: ["failed", "passed", "failed"] for number in (2, 3)}
