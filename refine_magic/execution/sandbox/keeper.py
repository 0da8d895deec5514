"""The process above one kernel: it starts it, watches what it uses, and leaves nothing of it.

In a process namespace it is the first process, elsewhere on Linux a subreaper, so that whatever a candidate starts
stays below it. It lives as long as the host holds the other end of its lifeline.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable
from typing import Any

TICK_SECONDS = 0.1
LAST_WORDS = 2000
SWEEP_SECONDS = 5.0
MOST_FILES = 10_000
UNCOUNTED = 1 << 62
PAGE = os.sysconf("SC_PAGE_SIZE")


class Keeper:
    """Watches one kernel until it ends, uses too much, or the host lets go."""

    def __init__(self, lifeline: socket.socket, *, alone: bool, folder: str, most: dict[str, int]) -> None:
        """Take the lifeline, and the most `memory`, `disk`, `output` (bytes) and `processes` of the whole tree.

        `alone` says that this process is the first of a process namespace.
        """
        self.lifeline, self.alone, self.folder, self.most = lifeline, alone, folder, most
        self.printed, self.printer = os.pipe()  # what comes out of the kernel's descriptors 1 and 2
        self.size, self.said = 0, b""
        self.kernel = 0
        self.woken, self.wake = os.pipe()
        os.set_blocking(self.wake, False)
        signal.set_wakeup_fd(self.wake)
        for heard in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(heard, lambda *_: None)  # noted in the pipe
        for ignored in (signal.SIGINT, signal.SIGHUP):
            signal.signal(ignored, signal.SIG_IGN)

    def start(self, run: Callable[[int], None], notes: list[str], ready: Callable[[], None]) -> None:
        """Fork the kernel, which runs `run(pipe)` and writes to the pipe once its channels are there."""
        told, tell = os.pipe()
        self.kernel = os.fork()
        if self.kernel == 0:
            os.close(told)
            try:
                self.lifeline.close()
                signal.set_wakeup_fd(-1)
                for end in (self.wake, self.woken):  # a candidate that reads from it would blind the keeper
                    os.close(end)
                os.close(self.printed)
                run(tell)
            except BaseException as error:
                with contextlib.suppress(OSError):
                    os.write(tell, f"{type(error).__name__}: {error}".encode()[:4000])
            os._exit(1)
        os.close(tell)
        os.close(self.printer)
        said = os.read(told, 4096)
        os.close(told)
        if said in (b"R", b""):
            ready()
            self.tell(ready=True, notes=notes)
        else:
            self.tell(failed=said.decode(errors="replace"))

    def watch(self) -> None:
        """Wait for the kernel's end or the host's, and sweep up. Returns when nothing is left."""
        poll = select.poll()
        poll.register(self.lifeline, select.POLLIN)
        poll.register(self.woken, select.POLLIN)
        poll.register(self.printed, select.POLLIN)
        status, reason = None, ""
        while status is None and not reason:
            for descriptor, _ in poll.poll(TICK_SECONDS * 1000):
                if descriptor == self.woken:
                    if signal.SIGTERM in os.read(self.woken, 512):
                        reason = "let go"
                    status = reap().get(self.kernel, status)
                elif descriptor == self.printed:
                    reason = reason or self.hear(poll)
                else:
                    reason = reason or self.obey()
            if status is None:
                reason = reason or self.excess()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self.sweep(ended=status is not None)
        self.tell(ended=signal.SIGKILL if status is None else status, reason=reason, said=self.said.decode("latin-1"))

    def obey(self) -> str:
        """Send the kernel the signals that the host asks for; return a reason to end where the host has let go."""
        try:
            numbers = self.lifeline.recv(64)
        except OSError:
            numbers = b""
        for number in numbers:
            with contextlib.suppress(OSError):
                os.kill(self.kernel, number)
        return "" if numbers else "let go"

    def hear(self, poll: select.poll) -> str:
        """Take what was printed past the kernel's streams, and keep its end; return `output` where it is too much."""
        data = os.read(self.printed, 1 << 16)
        if not data:
            poll.unregister(self.printed)
        self.size += len(data)
        self.said = (self.said + data)[-LAST_WORDS:]
        return "output" if self.size > self.most.get("output", sys.maxsize) else ""

    def excess(self) -> str:
        """Return what the whole tree uses too much of: `memory`, `processes` or `disk`, or nothing."""
        tree = self.tree()
        if len(tree) > self.most.get("processes", len(tree)):
            return "processes"
        most = self.most.get("memory")
        if most and len(tree) > 1 and sum(map(resident, tree)) > most and sum(map(proportional, tree)) > most:
            return "memory"
        most = self.most.get("disk")
        if most and stored(self.folder) + unnamed(tree) > most:
            return "disk"
        return ""

    def tree(self) -> list[int]:
        """Return the ids of every process below this one."""
        if self.alone:
            return [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and entry != "1"]
        return descendants(os.getpid())

    def sweep(self, *, ended: bool) -> None:
        """Kill everything below this process until nothing is left; the kernel itself may have `ended` before."""
        until = time.monotonic() + SWEEP_SECONDS
        if not ended:  # most often it is all there is, and waiting for it is soonest
            with contextlib.suppress(OSError):
                os.kill(self.kernel, signal.SIGKILL)
                os.waitpid(self.kernel, 0)
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                os.kill(-1 if self.alone else -self.kernel, signal.SIGKILL)
            if not self.alone:
                for end in (signal.SIGSTOP, signal.SIGKILL):  # stopped first, none forks while the others are killed
                    for pid in descendants(os.getpid()):
                        with contextlib.suppress(OSError):
                            os.kill(pid, end)
            reap()
            if not has_children():
                return
            time.sleep(0.001)

    def tell(self, **what: Any) -> None:
        """Tell the host, if there still is one."""
        with contextlib.suppress(OSError):
            self.lifeline.sendall(json.dumps(what).encode() + b"\n")


def reap() -> dict[int, int]:
    """Collect every child that has ended, as {pid: wait status}."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def has_children() -> bool:
    """Tell whether any child is left, ended or not."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def descendants(above: int) -> list[int]:
    """Return the ids of all processes below one, from /proc; none where there is no such thing."""
    if sys.platform != "linux":
        return []
    found: list[int] = []
    frontier = [above]
    while frontier:
        pid = frontier.pop()
        below = children(pid)
        found += below
        frontier += below
    return found


def children(pid: int) -> list[int]:
    """Return the ids of a process's children, of all its threads."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def resident(pid: int) -> int:
    """Return the bytes of memory that a process has in use, shared ones counted in full."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * PAGE
    return 0


def proportional(pid: int) -> int:
    """Return the bytes of memory that a process has in use, with its part of what it shares."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return resident(pid)


def stored(folder: str) -> int:
    """Return the bytes on disk below a folder; what takes too long to count is too much."""
    total, seen, frontier = 0, 0, [folder]
    while frontier:
        try:
            with os.scandir(frontier.pop()) as entries:
                for entry in entries:
                    seen += 1
                    with contextlib.suppress(OSError):
                        if entry.is_dir(follow_symlinks=False):
                            frontier.append(entry.path)
                        else:
                            total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if seen > MOST_FILES:
                        return UNCOUNTED
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return UNCOUNTED
    return total


def unnamed(pids: list[int]) -> int:
    """Return the bytes of the files that processes hold open and that have no name any more, or never had one."""
    found: dict[tuple[int, int], int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    about = os.stat(f"/proc/{pid}/fd/{descriptor}")
                    if about.st_nlink == 0 and stat.S_ISREG(about.st_mode):
                        found[about.st_dev, about.st_ino] = about.st_blocks * 512
    return sum(found.values())
