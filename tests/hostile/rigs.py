"""An executor at one level, and what its candidates have left behind."""

from __future__ import annotations

import contextlib
import gc
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from refine_magic.core.types import ExecutionResult, Settings
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.kernels.template import Template
from refine_magic.execution.limits import MIB, Limits
from refine_magic.specs.problem import make_problem
from tests.hostile.world import TOKEN
from tests.kernel.conftest import execute

USUAL = Limits(
    wall_seconds=3.0, cpu_seconds=2, memory_bytes=384 * MIB, processes=32, files=128, file_bytes=16 * MIB,
    output_bytes=2 * MIB, result_bytes=128 * 1024,
)  # fmt: skip
HASTY = Limits(wall_seconds=0.8, cpu_seconds=2, memory_bytes=384 * MIB, processes=32, files=128)
PLAIN = "def f(x):\n    return x + 1\n"
LEFT_SECONDS = 10.0


class Rig:
    """An executor with folders of its own, so that whatever is left in them is its candidates'."""

    def __init__(self, level: str, limits: Limits) -> None:
        self.level = level
        self.folder = tempfile.mkdtemp(prefix="ht-", dir="/tmp")
        os.environ[TOKEN] = "a-token-of-the-notebooks-own"
        before, tempfile.tempdir = tempfile.tempdir, self.folder
        try:
            self.executor = KernelExecutor(Settings(isolation=level), limits)  # type: ignore[arg-type]
        except BaseException:
            Path(self.folder).rmdir()
            raise
        finally:
            tempfile.tempdir = before
        template = self.executor._pool.template()
        assert template is not None
        self.template: Template = template
        self.judge(PLAIN)
        self.judge(PLAIN)
        self.settled(lambda: not self.left() and not any(name.startswith("k") for name in self.entries()))
        self.kept = self.entries()
        self.begin()

    def begin(self) -> None:
        """Remember what this process holds, to compare it with afterwards."""
        self.held = held()

    def judge(self, code: str, check: str = "assert f(1) == 2") -> ExecutionResult:
        """Judge a candidate in a kernel that is started for it, so that none waits afterwards."""
        result = execute_only(self.executor, code, check)
        self.settled(lambda: not self.executor._pool._alive)
        return result

    def entries(self) -> set[str]:
        """Return the names in the folder of the template, and beside it."""
        return {entry.name for entry in self.template.base.iterdir()} | set(os.listdir(self.folder))

    def left(self) -> list[str]:
        """Return the processes that the template has started, or that have to do with its folder."""
        zygote = self.template._process.pid
        below = {child.pid for child in psutil.Process(zygote).children(recursive=True)}
        for process in psutil.process_iter():
            if process.pid in (zygote, os.getpid()):
                continue
            with contextlib.suppress(psutil.Error, OSError):
                about = f"/proc/{process.pid}"
                told = Path(about, "environ").read_bytes() + os.fsencode(Path(about, "cwd").readlink())
                if os.fsencode(self.template.base) in told:
                    below.add(process.pid)
        return [words(pid) for pid in below if words(pid)]

    def remains(self) -> dict[str, object]:
        """Return what has not gone a while after the last candidate: processes, files, descriptors, threads."""
        self.settled(lambda: not self.left() and self.entries() <= self.kept and not any(self.more()))
        descriptors, threads = self.more()
        found: dict[str, object] = {"processes": self.left(), "files": sorted(self.entries() - self.kept)}
        found |= {"descriptors": descriptors, "threads": threads}
        return {name: value for name, value in found.items() if value}

    def more(self) -> tuple[int, int]:
        """Return how many more descriptors and threads this process has than at the beginning."""
        now = held()
        return max(0, now[0] - self.held[0]), max(0, now[1] - self.held[1])

    def settled(self, done: Callable[[], bool]) -> bool:
        until = time.monotonic() + LEFT_SECONDS
        while not done():
            if time.monotonic() > until:
                return False
            time.sleep(0.005)
        return True

    def close(self) -> None:
        self.executor.close()
        Path(self.folder).rmdir()


def execute_only(executor: KernelExecutor, code: str, check: str) -> ExecutionResult:
    spec = make_problem("Write it.", check).spec
    executor_prepare, executor.prepare = executor.prepare, lambda: None  # type: ignore[method-assign]
    try:
        return execute(executor, code, spec)
    finally:
        executor.prepare = executor_prepare  # type: ignore[method-assign]


def held() -> tuple[int, int]:
    """Return how many descriptors and threads this process has."""
    gc.collect()
    return len(os.listdir("/proc/self/fd")), threading.active_count()


def words(pid: int) -> str:
    """Return a process in words, or nothing where it is gone or only waits to be collected."""
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        if process.status() != psutil.STATUS_ZOMBIE:
            return f"{pid} {process.status()} {' '.join(process.cmdline())[:80]}"
    return ""
