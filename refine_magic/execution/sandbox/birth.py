"""From a fork of the template to a running kernel: the keeper settles, forks the kernel, confines it, runs it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from . import confine, namespaces, system
from .keeper import Keeper

if TYPE_CHECKING:
    from .zygote import Zygote

REQUEST_BYTES = 1 << 20


def keep(zygote: Zygote, lifeline: socket.socket) -> None:
    """Be the keeper of one kernel, from the request on the lifeline to the end of it; never returns."""
    try:
        os.setsid()
        held = lifeline.fileno()
        os.closerange(3, held)
        os.closerange(held + 1, 256)
        request = json.loads(read_line(lifeline))
        cell = zygote.cell(request, request["name"])
        user = confine.user_of(request["serial"]) if cell.own_user else None
        settle(cell, request, user, zygote.kept)
        keeper = Keeper(lifeline, alone=cell.in_namespaces, folder=cell.folder, most=request["most"])
        me = os.getpid()

        def run(ready: int) -> None:
            confine.settle_in(cell, request["environment"], keeper.printer)
            confine.restrict(cell, me, user)
            become_kernel(request.get("kind", zygote.kind), cell, request, ready)

        keeper.start(run, zygote.notes, namespaces.seal if cell.in_namespaces else lambda: None)
        keeper.watch()
    except BaseException as error:
        with contextlib.suppress(OSError):
            lifeline.sendall(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode() + b"\n")
    os._exit(0)


def read_line(lifeline: socket.socket) -> bytes:
    """Return the first line that the host sends. Raises ValueError where it ends before."""
    line = b""
    while not line.endswith(b"\n"):
        piece = lifeline.recv(65536)
        if not piece or len(line) > REQUEST_BYTES:
            raise ValueError("no request")
        line += piece
    return line


def settle(cell: confine.Cell, request: dict[str, Any], user: int | None, kept: list[str]) -> None:
    """Make the kernel's places. Raises OSError."""
    if sys.platform == "linux":
        system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL if cell.in_namespaces else signal.SIGTERM)
        system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
    if cell.in_namespaces:
        namespaces.settle(request["name"], request["most"]["disk"], kept)
    os.mkdir(cell.work, 0o700)
    if user is not None:
        for path in (cell.folder, cell.work):
            os.chown(path, user, user)


def become_kernel(kind: str, cell: confine.Cell, request: dict[str, Any], ready: int) -> None:
    """Run the kernel; never returns."""
    connection = request["connection"]
    if connection["transport"] == "ipc":
        connection["ip"] = os.path.join(cell.folder, os.path.basename(connection["ip"]))
    if kind == "command":
        confine.close_in(cell, bound=False)
        argv = [
            os.path.join(cell.folder, "kernel.json") if word == "{connection}" else word for word in request["argv"]
        ]
        with open(os.path.join(cell.folder, "kernel.json"), "w") as file:
            json.dump(connection, file)
        os.execvp(argv[0], argv)
    if kind == "rehearsal":
        confine.close_in(cell)
        os.write(ready, b"R")
        os._exit(0)
    if kind == "slim":
        from . import slim

        serve = slim.SlimKernel(connection).serve
    else:
        from . import ipython

        serve = ipython.prepare(connection, cell.folder, request["argv"], os.getppid()).start
    confine.close_in(cell)
    start(request["code"])
    os.write(ready, b"R")
    os.close(ready)
    serve()
    os._exit(0)


def start(code: str) -> None:
    """Run what the host wants to be there before the first request."""
    exec(compile(code, "<start>", "exec"), {"__name__": "refine_start"})
