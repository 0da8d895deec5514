"""From a forked child to a confined kernel: its limits, its user, its environment, what it may reach."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from dataclasses import dataclass, field

from . import landlock, places, seccomp, system

FIRST_USER = 1_800_000_000  # far above any user or container range; each kernel gets a user of its own
USERS = 100_000_000


@dataclass(frozen=True)
class Cell:
    """Where and how one kernel is kept: the level, its folder as it sees it, and what it may use.

    `own_user` says that the template is root and can drop to a user of the kernel's own, who `reads_all` that root can
    where Python itself lies in a folder of root's; `abi` is Landlock's version, and `others` the threads of this user.
    """

    level: str
    folder: str
    work: str
    limits: dict[str, int] = field(default_factory=dict)
    network: bool = False
    own_user: bool = False
    abi: int = 0
    readable: tuple[str, ...] = ()
    reads_all: bool = False
    others: int = 0

    @property
    def in_namespaces(self) -> bool:
        """Whether the kernel has a world of its own."""
        return self.level == "namespaces"


def user_of(pid: int) -> int:
    """Return the user id that is a kernel's own, from the id of its keeper."""
    return FIRST_USER + pid % USERS


def settle_in(cell: Cell, environment: dict[str, str], printer: int) -> None:
    """Make this process the kernel's: a session, streams and an environment of its own. Raises OSError."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for usual in (signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP):
        signal.signal(usual, signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(printer, 1)
    os.dup2(printer, 2)
    os.close(null)
    os.close(printer)
    environment.pop("JPY_PARENT_PID", None)  # ipykernel compares it with its parent, which is the keeper
    there = dict(os.environ)
    for name in there.keys() - environment.keys():
        del os.environ[name]
    for name in (name for name, value in environment.items() if there.get(name) != value):
        os.environ[name] = environment[name]
    os.chdir(cell.work)


def restrict(cell: Cell, keeper: int, user: int | None) -> None:
    """Set the limits, become the kernel's own user, and give up what it does not need.

    Raises OSError. `keeper` is the parent as this process sees it; should it be gone, this process ends.
    """
    apply(cell.limits, cell.others if user is None else 0)
    if sys.platform != "linux":
        return
    if user is not None:
        become(user, reads_all=cell.reads_all)
    elif cell.in_namespaces:
        system.keep_capabilities()
    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(1)
    if cell.level == "limits":
        return
    system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
    if cell.level == "landlock":
        own = (cell.folder, "/dev/null", "/dev/zero", "/dev/full")
        landlock.restrict(cell.readable, own, network=cell.network, abi=cell.abi)


def close_in(cell: Cell, *, bound: bool = True) -> None:
    """Refuse system calls that no candidate needs; a kernel whose channels are not `bound` yet keeps local sockets.

    Raises OSError.
    """
    if cell.level in ("landlock", "namespaces"):
        alone = cell.in_namespaces
        sockets = "all" if cell.network or alone else "none" if bound else "local"
        seccomp.restrict(
            sockets=sockets,
            signals=alone or cell.abi >= 6,
            others=alone,
            rights=alone or cell.own_user,
            lengths=alone or cell.abi >= 3,
        )


def apply(limits: dict[str, int], others: int) -> None:
    """Set each rlimit, such as ``RLIMIT_AS``, without going above what this process may have.

    RLIMIT_NPROC counts every process and thread of a user, so that the `others` are added to it.
    """
    for name, value in limits.items():
        which = getattr(resource, name, None)
        if which is None:
            continue
        value += others if name == "RLIMIT_NPROC" else 0
        _, hard = resource.getrlimit(which)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        soft = most
        if name == "RLIMIT_CPU" and hard in (resource.RLIM_INFINITY,):
            most += 1  # the soft limit sends SIGXCPU, which says what it was; the hard one kills
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(which, (soft, most))


def become(user: int, *, reads_all: bool) -> None:
    """Become another user, who may read all that root can, or only what any user may. Raises OSError."""
    system.prctl(system.PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    system.keep_capabilities(*([system.CAP_DAC_READ_SEARCH] if reads_all else []))


def python_is_hidden() -> bool:
    """Tell whether some folder of this Python's can be read by root only."""
    return not all(map(is_open_to_all, places.of_python()))


def is_open_to_all(path: str) -> bool:
    """Tell whether any user can go through every folder on the way to a path."""
    while True:
        with contextlib.suppress(OSError):
            if not os.stat(path).st_mode & 0o001 and os.path.isdir(path):
                return False
        above = os.path.dirname(path)
        if above == path:
            return True
        path = above


def can_be_another_user() -> bool:
    """Tell whether this process can give a kernel a user of its own, by trying it in a child."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or sys.platform != "linux":
        return False
    child = os.fork()
    if child == 0:
        try:
            become(user_of(os.getpid()), reads_all=False)
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0
