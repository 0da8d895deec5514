"""Run one kernel under limits and leave no process behind: ``supervisor.py LIMITS DIRECTORY -- COMMAND...``.

Stand-alone, standard library only. The host holds the other end of this process's standard input: when it closes, be
it that the host wants the kernel gone or that the host itself was killed, every descendant is killed. On Linux this
process is a subreaper, so a candidate that forks twice to get away is still a child of it. The exit status is the
kernel's own.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
SWEEP_SECONDS = 5.0


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process, where the system is Linux."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def apply(limits: dict[str, int]) -> None:
    """Set each rlimit, such as ``RLIMIT_AS``, without going above what this process may have."""
    import resource

    for name, value in limits.items():
        which = getattr(resource, name, None)
        if which is None:
            continue
        _, hard = resource.getrlimit(which)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(which, (most, most))


def become_kernel(command: list[str], limits: dict[str, int], parent: int) -> None:
    """Turn this forked child into the kernel; it dies with its supervisor."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.environ.pop("JPY_PARENT_PID", None)  # ipykernel would compare it with its parent, which is the supervisor
    apply(limits)
    os.execvp(command[0], command)


def descendants() -> list[int]:
    """Return the ids of all processes below this one, from /proc; only the direct child's group elsewhere."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{entry}/stat", "rb") as stat:
                fields = stat.read().rpartition(b")")[2].split()
                children.setdefault(int(fields[1]), []).append(int(entry))
    found, frontier = [], [os.getpid()]
    while frontier:
        below = children.get(frontier.pop(), [])
        found += below
        frontier += below
    return found


def reap() -> tuple[dict[int, int], bool]:
    """Collect every child that has ended, as {pid: status}; and tell whether there is any child left."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended, False
        if pid == 0:
            return ended, True
        ended[pid] = status


def sweep(kernel: int) -> None:
    """Kill every descendant until none is left."""
    until = time.monotonic() + SWEEP_SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            os.killpg(kernel, signal.SIGKILL)
        if sys.platform == "linux":
            for end in (signal.SIGSTOP, signal.SIGKILL):  # stopped first, none can fork while the others are killed
                for pid in descendants():
                    with contextlib.suppress(OSError):
                        os.kill(pid, end)
        _, left = reap()
        if not left:
            return
        time.sleep(0.002)


def wait(kernel: int, woken: int) -> int:
    """Return the kernel's wait status once it has ended, or SIGKILL's once the host has let go."""
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if woken in ready:
            if signal.SIGTERM in os.read(woken, 512):
                return signal.SIGKILL
            ended, _ = reap()
            if kernel in ended:
                return ended[kernel]
        if 0 in ready and not os.read(0, 1):
            return signal.SIGKILL


def main() -> None:
    """Start the kernel, wait for its end or the host's, and sweep up."""
    limits, directory, command = json.loads(sys.argv[1]), sys.argv[2], sys.argv[4:]
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: None)  # noted in the pipe
    here = os.getpid()
    kernel = os.fork()
    if kernel == 0:
        try:
            become_kernel(command, limits, here)
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(127)
    status = wait(kernel, woken)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sweep(kernel)
    if directory and select.select([0], [], [], 0)[0]:  # the host has let go, or is no more
        import shutil

        shutil.rmtree(directory, ignore_errors=True)
    os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


if __name__ == "__main__":
    main()
