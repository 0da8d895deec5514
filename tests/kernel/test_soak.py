"""Two thousand candidates in a row, and all of MBPP eight at a time: ``pytest -m soak``."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Settings
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.limits import Limits
from tests.contracts.mbpp import spec_of as mbpp_spec
from tests.contracts.mbpp import tasks
from tests.kernel.conftest import execute, spec_of

pytestmark = pytest.mark.soak

CANDIDATES = 2_000
SPEC = spec_of("assert f(1) == 2")
LIMITS = Limits(wall_seconds=20.0, memory_bytes=512 << 20)
CODES = {
    "def f(x): return x + 1": "passed",
    "def f(x): return x": "failed",
    "def f(x): return 1 / 0": "failed",
    "import os\ndef f(x): os._exit(0)": "crashed",
    "import os\nos.fork()\ndef f(x): return x + 1": "passed",
    "import subprocess, sys\nsubprocess.Popen(['sleep', '60'])\ndef f(x): return x + 1": "passed",
    "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\ndef f(x): return 2": "passed",
    "open('kept', 'w').write('x' * 100_000)\ndef f(x): return x + 1": "passed",
    "import socket\na, b = socket.socketpair()\ndef f(x): return x + 1": "passed",
    "def f(x): return 'x' * 10**6": "failed",
}


def left() -> dict[str, object]:
    gc.collect()
    here = psutil.Process()
    return {
        "processes": {child.pid for child in here.children(recursive=True)},
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "folders": sorted(path.name for path in Path(tempfile.gettempdir()).glob("refine-*")),
        "users": {process.pid for process in psutil.process_iter() if own_user(process)},
    }


def own_user(process: psutil.Process) -> bool:
    try:
        return process.uids().real >= 1_800_000_000
    except psutil.Error:
        return False


@pytest.mark.parametrize("level", ["namespaces", "landlock", "limits"])
def test_two_thousand_candidates_leave_nothing(level, record_property):
    before, names = left(), list(CODES)
    try:
        executor = KernelExecutor(Settings.model_validate({"isolation": level}), LIMITS)
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    outcomes = []
    for number in range(CANDIDATES):
        if number == 100:
            memory = psutil.Process().memory_info().rss
        outcomes.append(execute(executor, names[number % len(names)], SPEC).outcome)
    grown = psutil.Process().memory_info().rss - memory
    record_property("grown_mb", grown / 1e6)
    executor.close()
    wrong = {names[n % len(names)]: found for n, found in enumerate(outcomes) if found != CODES[names[n % len(names)]]}
    assert (wrong, left(), grown < 50e6) == ({}, before, True)


@pytest.mark.parametrize("together", [1, 8])
def test_every_reference_solution_of_mbpp_passes(together):
    executor = KernelExecutor(Settings(), spare=min(together, 3))
    with ThreadPoolExecutor(together) as threads:
        results = threads.map(
            lambda task: (task.number, execute(executor, task.code, mbpp_spec(task))), tasks().values()
        )
        wrong = {number: result.outcome for number, result in results if result.outcome != "passed"}
    executor.close()
    assert (len(tasks()), wrong) == (974, {})
