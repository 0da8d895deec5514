"""Which files a confined kernel may read: the system's libraries, Python's own, and little else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

HOME = "REFINE_MAGIC_HOME"  # the user's home folder: HOME is the template's own
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
SETTINGS = tuple(
    f"/etc/{name}"
    for name in """ld.so.cache ld.so.conf ld.so.conf.d localtime timezone passwd group nsswitch.conf mime.types
    ssl/certs fonts alternatives os-release matplotlibrc python3 python3.10 python3.11 python3.12 python3.13
    python3.14""".split()
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
OWN_PROCESS = (
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/sys/devices/system/cpu",
    "/sys/devices/system/node",
)  # fmt: skip


def of_python(extra: Iterable[str] = ()) -> list[str]:
    """Return the folders of this Python, of what is on its path, and some more; never the home folder as a whole."""
    home = os.path.realpath(os.environ.get(HOME) or os.path.expanduser("~"))
    prefixes = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    executable = os.path.dirname(os.path.realpath(sys.executable))
    wanted = [*prefixes, executable, *sys.path, *sys.path_importer_cache, *extra]
    found = {path for each in wanted if os.path.isabs(each) for path in (each, os.path.realpath(each))}
    return outermost(path for path in found if os.path.exists(path) and not holds(path, home))


def holds(path: str, other: str) -> bool:
    """Tell whether a path is the other one, or a folder around it."""
    return other == path or other.startswith(path.rstrip("/") + "/")


def outermost(paths: Iterable[str]) -> list[str]:
    """Return the paths without those that lie below another one of them."""
    kept: list[str] = []
    for path in sorted(map(os.path.normpath, paths)):
        if not any(holds(above, path) for above in kept):
            kept.append(path)
    return kept


def readable(extra: Iterable[str] = ()) -> list[str]:
    """Return all that a confined kernel may read, folders and files."""
    return [*SYSTEM, *SETTINGS, *of_python(extra), *DEVICES, *OWN_PROCESS]
