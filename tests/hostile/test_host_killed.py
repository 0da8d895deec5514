"""However the host ends, and at every level: no process and no directory is left."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import psutil
import pytest

from tests.hostile.case import LEVELS
from tests.kernel.test_no_orphans import gone, marked

HOST = """\
import sys, tempfile
tempfile.tempdir = {folder!r}
sys.path.insert(0, {root!r})
from tests.kernel.test_no_orphans import *
executor = KernelExecutor(Settings(timeout=60, isolation={level!r}))
code = PREAMBLE.format(mark={mark!r}) + STARTS['double fork with setsid'] + "\\nrun()"
executor.prepare()
execute(executor, code, SPEC)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("level", LEVELS)
def test_all_is_gone_within_two_seconds_of_the_hosts_end(rig_at, level, number):
    rig_at(level)  # skips a level that is not to be had
    mark = uuid.uuid4().hex
    folder = Path(tempfile.mkdtemp(prefix="hk-", dir="/tmp"))  # a longer path would not be taken
    words = HOST.format(
        root=str(Path(__file__).parents[2]), folder=str(folder), level=level, mark=mark[:16] + "' '" + mark[16:]
    )
    host = subprocess.Popen([sys.executable, "-c", words])
    try:
        until = time.monotonic() + 30
        while not (below := psutil.Process(host.pid).children(recursive=True)) or not marked(mark):
            assert time.monotonic() < until
            time.sleep(0.05)
        host.send_signal(number)
        host.wait()
        left = psutil.wait_procs(below, timeout=2)[1]
        assert (left, gone(mark, 0.1), list(folder.iterdir())) == ([], True, [])
    finally:
        host.kill()
        host.wait()
        shutil.rmtree(folder)
