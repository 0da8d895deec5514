"""What a candidate may use, and the environment it sees."""

from __future__ import annotations

import math
import os
import site
import sys
from dataclasses import dataclass

from refine_magic.core.types import Settings

MIB = 1 << 20
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Limits:
    """Limits of one candidate: seconds, bytes and counts.

    `wall_seconds` and `output_bytes` are the host's to enforce, `memory_bytes` holds for each process and for all of
    them together, `disk_bytes` for all files together, the others are rlimits. `start_seconds` is how long a kernel
    may take until it answers for the first time.
    """

    wall_seconds: float = 10.0
    cpu_seconds: int = 5
    memory_bytes: int = 1024 * MIB
    processes: int = 64
    files: int = 256
    file_bytes: int = 64 * MIB
    output_bytes: int = 4 * MIB
    result_bytes: int = 256 * 1024
    result_depth: int = 50
    network: bool = False
    start_seconds: float = 60.0

    @property
    def message_bytes(self) -> int:
        """The largest message that is taken from a kernel at all."""
        return self.output_bytes + 16 * self.result_bytes + MIB

    @property
    def answer_bytes(self) -> int:
        """The longest answer that our harness gives: a result, its JSON about it, and what was printed."""
        return 16 * self.result_bytes + MIB

    @property
    def disk_bytes(self) -> int:
        """The most that all the files of a candidate may hold together."""
        return 2 * self.file_bytes

    def rlimits(self) -> dict[str, int]:
        """Return the rlimits by their names in the `resource` module."""
        return {
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_AS": self.memory_bytes,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_NOFILE": self.files,
            "RLIMIT_FSIZE": self.file_bytes,
            "RLIMIT_CORE": 0,
        }

    def of_the_tree(self) -> dict[str, int]:
        """Return what all the processes of a candidate may use together."""
        return {
            "memory": self.memory_bytes,
            "processes": self.processes,
            "disk": self.disk_bytes,
            "output": self.output_bytes,
        }


def limits_of(settings: Settings) -> Limits:
    """Return the limits that a run's settings ask for; a longer timeout allows as much CPU time."""
    asked = settings.limits
    usual = Limits.cpu_seconds if settings.timeout <= Limits.wall_seconds else math.ceil(settings.timeout)
    return Limits(
        wall_seconds=settings.timeout,
        cpu_seconds=asked.cpu or usual,
        memory_bytes=asked.memory,
        processes=asked.processes,
        files=asked.files,
        file_bytes=asked.file_size,
        output_bytes=asked.output,
        result_bytes=asked.result,
        result_depth=asked.depth,
        network=asked.network,
    )


def environment(folder: str, work: str) -> dict[str, str]:
    """Return a minimal environment whose home, temporary and IPython folders are the candidate's own."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    if sys.platform == "win32":
        kept |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    return kept | {
        "HOME": work,
        "TMPDIR": work,
        "IPYTHONDIR": os.path.join(work, ".ipython"),
        "MPLCONFIGDIR": os.path.join(work, ".matplotlib"),
        "MPLBACKEND": "Agg",
        "PYTHONUSERBASE": site.getuserbase(),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MALLOC_ARENA_MAX": "2",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
