"""Landlock: from here on, this process reaches only the files it was given, and no TCP port. Linux 5.13 and later.

https://docs.kernel.org/userspace-api/landlock.html; the numbers are those of linux/landlock.h.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
from collections.abc import Iterable

from . import system

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15
READ = EXECUTE | READ_FILE | READ_DIR
FILE_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}  # from 5 on: 16 rights
TCP = 0b11  # bind and connect; from version 4 on
SCOPES = 0b11  # abstract sockets and signals; from version 6 on
RULE_PATH_BENEATH = 1
O_PATH = getattr(os, "O_PATH", 0)


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """Return the version of Landlock's interface that this kernel has. Raises OSError where it has none."""
    return system.call("landlock_create_ruleset", None, ctypes.c_size_t(0), 1)


def restrict(readable: Iterable[str], writable: Iterable[str], *, network: bool, abi: int) -> None:
    """Allow reading below some paths, all below others, and no TCP without `network`; needs no_new_privs.

    What it restricts holds for this thread and all that comes of it. A path that is not there is left out.
    Raises OSError.
    """
    every = FILE_RIGHTS_BY_ABI.get(abi, (1 << 16) - 1)
    ruleset = _Ruleset(every, TCP if abi >= 4 and not network else 0, SCOPES if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    rules = system.call("landlock_create_ruleset", ctypes.byref(ruleset), ctypes.c_size_t(size), 0)
    try:
        for path in readable:
            allow(rules, path, READ)
        for path in writable:
            allow(rules, path, every)
        system.call("landlock_restrict_self", rules, 0)
    finally:
        os.close(rules)


def allow(rules: int, path: str, rights: int) -> None:
    """Allow some rights below a path, as far as they make sense for it."""
    with contextlib.suppress(FileNotFoundError, PermissionError, NotADirectoryError):
        parent = os.open(path, O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(parent).st_mode):
                rights &= OF_A_FILE
            system.call("landlock_add_rule", rules, RULE_PATH_BENEATH, ctypes.byref(_PathBeneath(rights, parent)), 0)
        finally:
            os.close(parent)
