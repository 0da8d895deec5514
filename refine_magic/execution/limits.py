"""What a candidate may use, and the environment it sees."""

from __future__ import annotations

import os
import site
import sys
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Limits:
    """Limits of one candidate: seconds, bytes and counts. Where the host enforces one it is said to be so.

    `wall_seconds` and `output_bytes` are the host's; the others are rlimits, which root may escape for processes.
    `start_seconds` is how long a kernel may take until it answers for the first time.
    """

    wall_seconds: float = 10.0
    cpu_seconds: int = 8
    memory_bytes: int = 1024 * MIB
    files: int = 256
    file_bytes: int = 64 * MIB
    output_bytes: int = 4 * MIB
    result_bytes: int = 256 * 1024
    result_depth: int = 50
    start_seconds: float = 60.0

    @property
    def message_bytes(self) -> int:
        """The largest message that is taken from a kernel at all."""
        return self.output_bytes + 16 * self.result_bytes + MIB

    @property
    def answer_bytes(self) -> int:
        """The longest answer that our harness gives: a result, its JSON about it, and what was printed."""
        return 16 * self.result_bytes + MIB

    def rlimits(self) -> dict[str, int]:
        """Return the rlimits by their names in the `resource` module."""
        return {
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_AS": self.memory_bytes,
            "RLIMIT_NOFILE": self.files,
            "RLIMIT_FSIZE": self.file_bytes,
            "RLIMIT_CORE": 0,
        }


def environment(directory: Path) -> dict[str, str]:
    """Return a minimal environment whose home, temporary and IPython folders are the candidate's own directory."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    if sys.platform == "win32":
        kept |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    return kept | {
        "HOME": str(directory),
        "TMPDIR": str(directory),
        "IPYTHONDIR": str(directory / "ipython"),
        "MPLCONFIGDIR": str(directory / "matplotlib"),
        "MPLBACKEND": "Agg",
        "PYTHONUSERBASE": site.getuserbase(),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MALLOC_ARENA_MAX": "2",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
