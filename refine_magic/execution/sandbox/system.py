"""The few system calls that Python does not offer, by number or through the C library; Linux only."""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Any

MACHINE = platform.machine()
NUMBERS: dict[str, dict[str, int]] = {
    "x86_64": {"clone": 56, "capset": 126, "pivot_root": 155},
    "aarch64": {"clone": 220, "capset": 91, "pivot_root": 41},
}
SAME_EVERYWHERE = {
    "open_tree": 428,
    "move_mount": 429,
    "mount_setattr": 442,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
}
SIGCHLD = 17

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_SECCOMP = 1, 4, 8, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47
PR_CAP_AMBIENT_RAISE = 2
CAP_DAC_READ_SEARCH, CAP_SETUID = 2, 7
CAPABILITY_VERSION = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """Return the result of a call. Raises OSError where it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def call(name: str, *arguments: Any) -> int:
    """Make a system call by name. Raises OSError, also on a machine whose numbers are not known here."""
    number = SAME_EVERYWHERE.get(name) or NUMBERS.get(MACHINE, {}).get(name)
    if number is None:
        raise OSError(38, f"{name}: not known for {MACHINE}")
    return checked(libc.syscall(number, *arguments), name)


def prctl(option: int, value: int = 0, third: int = 0) -> None:
    """Set an attribute of this process. Raises OSError."""
    checked(libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(third), 0, 0), f"prctl {option}")


def clone(flags: int) -> int:
    """Fork into new namespaces; return as `os.fork` does. Raises OSError, and then there is no child."""
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid: int = libc.syscall(NUMBERS.get(MACHINE, {}).get("clone", -1), flags | SIGCHLD, 0, 0, 0, 0)
    number = ctypes.get_errno()
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return 0
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(number, f"clone: {os.strerror(number)}")
    return pid


def unshare(flags: int) -> None:
    """Move this process into new namespaces. Raises OSError."""
    checked(libc.unshare(flags), "unshare")


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Capabilities(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]


def keep_capabilities(*kept: int) -> None:
    """Give up all capabilities but these, which programs that are started inherit. Raises OSError."""
    mask = sum(1 << capability for capability in kept)
    sets = (_Capabilities * 2)()
    sets[0] = _Capabilities(mask, mask, mask)
    call("capset", ctypes.byref(_Header(CAPABILITY_VERSION, 0)), ctypes.byref(sets))
    for capability in kept:
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability)
