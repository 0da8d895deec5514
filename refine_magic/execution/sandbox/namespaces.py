"""A world of its own: namespaces, and a root that is built from nothing but read-only folders; Linux only.

The template enters it once (`enter`), each kernel's first process makes the rest for itself (`settle`). The numbers
are those of linux/sched.h and linux/mount.h; `mount_setattr` needs Linux 5.12.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterable

from . import places, system

NEW_MOUNTS, NEW_UTS, NEW_IPC, NEW_USER, NEW_PIDS, NEW_NETWORK = (
    0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, BIND, RECURSIVE, PRIVATE = 1, 2, 4, 8, 4096, 16384, 1 << 18
DETACH = 2
OPEN_TREE_CLONE, MOVE_MOUNT_EMPTY_PATH, AT_RECURSIVE, AT_FDCWD = 1, 4, 0x8000, -100
BASE, OWN = "/base", "/own"
MIB = 1 << 20


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user_namespace")]


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a filesystem, or a folder a second time. Raises OSError."""
    arguments = (source.encode(), target.encode(), kind.encode() or None, ctypes.c_ulong(flags), data.encode() or None)
    system.checked(system.libc.mount(*arguments), f"mount {target}")


def protect(target: str, flags: int, *, below: bool = True) -> None:
    """Make a mount read-only and the like, with all that is mounted below it. Raises OSError."""
    wanted = _Attributes(flags, 0, 0, 0)
    how = AT_RECURSIVE if below else 0
    system.call("mount_setattr", AT_FDCWD, target.encode(), how, ctypes.byref(wanted), ctypes.sizeof(wanted))


def enter(base: str, extra: Iterable[str], *, network: bool) -> bool:
    """Move this process into new namespaces whose root holds what a kernel may read, and the kernels' folders.

    Returns whether it is root in earnest, who can give each kernel a user of its own. Raises OSError.
    """
    paths = [*places.SYSTEM, *places.SETTINGS, *places.of_python(extra)]
    everything = NEW_MOUNTS | NEW_IPC | NEW_UTS | (0 if network else NEW_NETWORK)
    root = os.geteuid() == 0
    uid, gid = os.getuid(), os.getgid()
    try:
        if not root:
            raise PermissionError
        system.unshare(everything)
    except PermissionError:
        root = False
        system.unshare(everything | NEW_USER)
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    build(base, paths)
    return root


def build(base: str, paths: Iterable[str]) -> None:
    """Build the root and make it this process's own. Raises OSError."""
    mount("none", "/", "", RECURSIVE | PRIVATE)
    root = os.path.join(base, "root")
    os.makedirs(root, exist_ok=True)
    mount("tmpfs", root, "tmpfs", NO_SUID, "size=1m,mode=755")
    for name in (BASE, OWN, "/tmp", "/proc", "/dev"):
        os.mkdir(root + name)
    os.symlink("/tmp", root + "/dev/shm")
    os.symlink("/proc/self/fd", root + "/dev/fd")
    for device in places.DEVICES:
        os.close(os.open(root + device, os.O_CREAT))
    for path in paths:
        bind(path, root)
    protect(root, READ_ONLY | NO_SUID | NO_DEVICES)
    for device in places.DEVICES:
        mount(device, root + device, "", BIND)
    mount("/proc", root + "/proc", "", BIND | RECURSIVE)  # only who has one may mount another (mount_too_revealing)
    mount(base, root + BASE, "", BIND)
    os.chdir(root)
    system.call("pivot_root", b".", b".")
    system.checked(system.libc.umount2(b".", DETACH), "umount2")
    os.chdir("/")


def bind(path: str, root: str) -> None:
    """Show a file or folder at the same place below the root, a link as a link; what is not there is left out."""
    target = root + path
    if os.path.lexists(target) or not os.path.lexists(path):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), target)
        return
    if os.path.isdir(path):
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_CREAT))
    mount(path, target, "", BIND | RECURSIVE)


def settle(name: str, room: int, kept: Iterable[str]) -> None:
    """As the first process of a new process namespace: a private /tmp of `room` bytes, /proc, and only its own folder.

    `kept` are folders below /tmp that are to be seen in it, such as a virtual environment's. Raises OSError.
    """
    clone = OPEN_TREE_CLONE | os.O_CLOEXEC
    trees = [(path, system.call("open_tree", AT_FDCWD, path.encode(), clone | AT_RECURSIVE)) for path in kept]
    own = system.call("open_tree", AT_FDCWD, f"{BASE}/{name}".encode(), clone)
    system.checked(system.libc.umount2(BASE.encode(), DETACH), "umount2")
    system.call("move_mount", own, b"", AT_FDCWD, OWN.encode(), MOVE_MOUNT_EMPTY_PATH)
    os.close(own)
    mount("tmpfs", "/tmp", "tmpfs", NO_SUID | NO_DEVICES, f"size={room},mode=1777")
    for path, tree in trees:
        os.makedirs(path, exist_ok=True)
        system.call("move_mount", tree, b"", AT_FDCWD, path.encode(), MOVE_MOUNT_EMPTY_PATH)
        os.close(tree)
    mount("proc", "/proc", "proc", NO_SUID | NO_DEVICES | NO_EXEC)


def seal() -> None:
    """Make the kernel's own folder read-only, once its channels are there."""
    with contextlib.suppress(OSError):
        protect(OWN, READ_ONLY, below=False)
