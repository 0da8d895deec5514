"""A template process that forks one confined kernel per request; on its stdin is a socket to the host.

The first line on it are the options, as JSON. The process has a kernel's modules imported and has no thread, no zmq
context and no event loop, so that forking it is safe and cheap. For each byte on the socket comes one end of a
lifeline, from which the forked keeper reads what is wanted. When the host is gone, however it ended, so is all that it
started.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any

from . import birth, clear, confine, keeper, landlock, namespaces, places, system

LAST_WORDS_SECONDS = 1.5
REHEARSAL_SECONDS = 10.0
COUNT_SECONDS = 5.0
PRELOADED = {
    "slim": """refine_sandbox.slim bisect collections copy dataclasses datetime enum functools heapq itertools math
    operator random re string typing""".split(),
    "ipykernel": ["refine_sandbox.ipython"],
    "command": [],
}


class Zygote:
    """The template: what each kernel it forks is and may do."""

    def __init__(self, options: dict[str, Any], control: socket.socket) -> None:
        """Import what kernels need, enter the namespaces if there are to be any. Raises OSError and ImportError."""
        self.kind, self.base, self.control = options["kind"], options["base"], control
        self.level, self.network = options["level"], options["network"]
        self.keepers: dict[int, str] = {}
        self.notes: list[str] = []
        self.counted, self.others = -COUNT_SECONDS, 0
        self.host = os.pidfd_open(options["host"]) if hasattr(os, "pidfd_open") else None
        self.above = os.open(os.path.dirname(self.base), os.O_RDONLY)
        for name in PRELOADED[self.kind] + options["modules"]:
            importlib.import_module(name)
        if self.kind == "ipykernel":
            self.preload_ipykernel()
        exec(compile(options["code"], "<harness>", "exec"), {"__name__": "refine_harness_installer"})
        self.readable = tuple(places.readable(options["paths"]))
        self.kept = [path for path in places.of_python(options["paths"]) if path.startswith("/tmp/")]
        self.own_user, self.abi = self.confine_template(options)
        self.reads_all = self.own_user and (confine.python_is_hidden() or not confine.is_open_to_all(self.base))
        if sys.platform == "linux":
            system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
        gc.collect()
        gc.freeze()

    def preload_ipykernel(self) -> None:
        """Import what a live ipykernel ends up with."""
        from . import ipython

        for name in ipython.PRELOADED:
            with contextlib.suppress(Exception):
                importlib.import_module(name)

    def confine_template(self, options: dict[str, Any]) -> tuple[bool, int]:
        """Do what can be done once for all kernels; return whether each may have its own user, and Landlock's version.

        Raises OSError.
        """
        if self.level == "namespaces":
            namespaces.enter(self.base, options["paths"], network=self.network)
        own_user = confine.can_be_another_user()
        if not own_user and hasattr(os, "geteuid") and os.geteuid() == 0:
            self.notes.append("as root without a user of its own: the number of processes is only watched")
        if self.level != "landlock":
            return own_user, 0
        return own_user, min(landlock.version(), options["abi"])

    def serve(self) -> None:
        """Fork a kernel for every request until the host is gone, then leave nothing."""
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            signal.signal(ignored, signal.SIG_IGN)
        poll = select.poll()
        watched = {self.control.fileno(): "control", woken: "child"}
        watched |= {} if self.host is None else {self.host: "host"}
        for descriptor in watched:
            poll.register(descriptor, select.POLLIN)
        self.control.sendall(json.dumps({"ready": True, "notes": self.notes}).encode() + b"\n")
        while True:
            events = {watched[descriptor] for descriptor, _ in poll.poll()}
            if "child" in events:
                os.read(woken, 512)
                self.reap()
            if "host" in events or ("control" in events and not self.accept()):
                return self.finish()

    def rehearse(self) -> None:
        """Do all once that is done for a kernel, but for the kernel. Raises OSError where that cannot be."""
        name = "rehearsal"
        inside = "/base" if self.level == "namespaces" else self.base
        os.mkdir(os.path.join(inside, name), 0o700)
        host, lifeline = socket.socketpair()
        connection = {"transport": "ipc", "ip": "none"}
        request = {"name": name, "serial": 0, "kind": name, "limits": {}, "most": {"disk": 1 << 20}, "environment": {}}
        host.sendall(json.dumps({**request, "connection": connection}).encode() + b"\n")
        with lifeline, host:
            self.fork(lifeline)
            lifeline.close()
            host.settimeout(REHEARSAL_SECONDS)
            said = b""
            while piece := host.recv(65536):
                said += piece
        lines = [json.loads(line) for line in said.splitlines()]
        for pid in self.keepers:
            os.waitpid(pid, 0)
        self.keepers.clear()
        if not any(line.get("ready") for line in lines):
            raise OSError(next((line["failed"] for line in lines if "failed" in line), "the first process died"))
        clear.clear(os.path.join(inside, name))

    def accept(self) -> bool:
        """Fork a keeper for the lifeline that has come; return False where the host has let go."""
        try:
            data, lifelines, _, _ = socket.recv_fds(self.control, 1, 4)
        except OSError:
            return False
        for descriptor in lifelines:
            with socket.socket(fileno=descriptor) as lifeline:
                self.fork(lifeline)
        return bool(data)

    def fork(self, lifeline: socket.socket) -> None:
        """Fork a keeper, and tell the host its id."""
        self.count_others()
        try:
            if self.level == "namespaces":
                world = namespaces.NEW_PIDS | namespaces.NEW_MOUNTS | namespaces.NEW_IPC
                pid = system.clone(world | (0 if self.network else namespaces.NEW_NETWORK))
            else:
                pid = os.fork()
        except OSError as error:
            with contextlib.suppress(OSError):
                lifeline.sendall(json.dumps({"failed": str(error)}).encode() + b"\n")
            return
        if pid == 0:
            birth.keep(self, lifeline)
        self.keepers[pid] = ""
        with contextlib.suppress(OSError):
            lifeline.sendall(b'{"pid": %d}\n' % pid)

    def count_others(self) -> None:
        """Count this user's threads now and then: RLIMIT_NPROC counts them too, where a kernel has no own user."""
        if self.own_user or self.level == "namespaces" or not hasattr(os, "geteuid"):
            return
        if time.monotonic() - self.counted < COUNT_SECONDS or sys.platform != "linux":
            return
        self.counted, self.others = time.monotonic(), 0
        for entry in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{entry}").st_uid == os.geteuid():
                    self.others += len(os.listdir(f"/proc/{entry}/task"))

    def cell(self, request: dict[str, Any], name: str) -> confine.Cell:
        """Return the cell for one kernel, with its folder as the kernel will see it."""
        alone = self.level == "namespaces"
        folder = "/own" if alone else os.path.join(self.base, name)
        return confine.Cell(
            level=self.level,
            folder=folder,
            work="/tmp/work" if alone else os.path.join(folder, "work"),
            limits=request["limits"],
            network=self.network,
            own_user=self.own_user,
            abi=self.abi,
            readable=self.readable,
            reads_all=self.reads_all,
            others=self.others,
        )

    def reap(self) -> None:
        """Collect the keepers that have ended, and end what a killed one has left."""
        for pid, status in keeper.reap().items():
            known = self.keepers.pop(pid, None) is not None
            if known and os.WIFSIGNALED(status):
                self.end_strays()

    def end_strays(self) -> None:
        """Kill every child that is no keeper, with all below it."""
        for child in keeper.children(os.getpid()):
            if child not in self.keepers:
                for pid in [child, *keeper.descendants(child)]:
                    with contextlib.suppress(OSError):
                        os.kill(pid, signal.SIGKILL)

    def finish(self) -> None:
        """End every kernel, and remove their folders if the host has not."""
        until = time.monotonic() + LAST_WORDS_SECONDS
        for pid in self.keepers:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGTERM)
        while keeper.has_children() and time.monotonic() < until:
            self.reap()
            time.sleep(0.002)
        for pid in keeper.descendants(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        inside = "/base" if self.level == "namespaces" else self.base
        for entry in os.listdir(inside) if os.path.isdir(inside) else []:
            clear.clear(os.path.join(inside, entry))
        with contextlib.suppress(OSError):
            os.rmdir(os.path.basename(self.base), dir_fd=self.above)


def main() -> None:
    """Read the options, say whether it can be done, and serve."""
    control = socket.socket(fileno=os.dup(0))
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)
    try:
        zygote = Zygote(json.loads(birth.read_line(control)), control)
        zygote.rehearse()
    except BaseException as error:
        with contextlib.suppress(OSError):
            control.sendall(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode() + b"\n")
        os._exit(1)
    zygote.serve()
    os._exit(0)
