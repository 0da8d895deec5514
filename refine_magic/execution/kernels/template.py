"""A zygote process and its folder: the host's side of `refine_magic.execution.sandbox`."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from refine_magic.core.errors import IsolationUnavailable, KernelStartError
from refine_magic.execution.kernels.install import modules_code
from refine_magic.execution.kernels.lifeline import Lifeline
from refine_magic.execution.kernels.remove import remove
from refine_magic.execution.limits import environment
from refine_magic.execution.sandbox.places import HOME

SANDBOX = Path(__file__).parents[1] / "sandbox"
BOOT = (
    "import sys, types; sys.path[:] = [p for p in sys.path if p]; sys.path_importer_cache.clear(); "
    "p = types.ModuleType('refine_sandbox'); "
    "p.__path__ = [sys.argv.pop(1)]; sys.modules['refine_sandbox'] = p; from refine_sandbox.zygote import main; main()"
)
START_SECONDS = 60.0
END_SECONDS = 3.0
LONGEST_FOLDER = 60  # of the 107 characters of a socket's path, so much is left for it
LATEST_ABI = 99
Kind = Literal["slim", "ipykernel", "command"]


@dataclass(frozen=True)
class Make:
    """What a template is made for: the kind of kernel, the Python it runs in, and what is there beforehand.

    `paths` may be read besides Python's own folders, `modules` are imported, and `inside` are those of ours that are
    there, if any.
    """

    kind: Kind = "slim"
    python: str = sys.executable
    network: bool = False
    paths: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    abi: int = LATEST_ABI


class Template:
    """A running zygote: forks kernels at one isolation level, and is gone with its owner."""

    def __init__(self, make: Make, level: str) -> None:
        """Start it and wait until it has rehearsed. Raises IsolationUnavailable, and KernelStartError."""
        self.make, self.level = make, level
        self._lock, self._count = threading.Lock(), 0
        self.base = new_folder()
        ours, theirs = socket.socketpair()
        self._control = ours
        options = {
            "kind": make.kind, "base": str(self.base), "level": level, "network": make.network, "host": os.getpid(),
            "paths": make.paths, "modules": make.modules, "abi": make.abi,
            "code": modules_code(make.inside) if make.inside else "",
        }  # fmt: skip
        try:
            with theirs, open(self.base / "zygote.log", "wb") as log:
                self._process = subprocess.Popen(
                    [make.python, "-c", BOOT, str(SANDBOX)],
                    stdin=theirs.fileno(), stdout=log, stderr=log, cwd=self.base, start_new_session=True,
                    env={**environment(str(self.base), str(self.base)), HOME: str(Path.home())},
                )  # fmt: skip
            self._control.sendall(json.dumps(options).encode() + b"\n")
            self.notes = self._wait()
        except OSError as error:
            self.close()
            raise KernelStartError(f"{make.python}: {error.strerror}") from error
        except BaseException:
            self.close()
            raise

    def _wait(self) -> tuple[str, ...]:
        said = b""
        self._control.settimeout(START_SECONDS)
        with contextlib.suppress(OSError):
            while not said.endswith(b"\n") and (piece := self._control.recv(65536)):
                said += piece
        self._control.settimeout(None)
        told: dict[str, Any] = json.loads(said) if said.endswith(b"\n") else {}
        if told.get("ready"):
            return tuple(told["notes"])
        why = str(told.get("failed") or self._log() or "it said nothing")
        if why.startswith(("ModuleNotFoundError", "ImportError")) or not told:
            raise KernelStartError(f"{self.make.python} cannot start kernels: {why}")
        raise IsolationUnavailable(why)

    def _log(self) -> str:
        with contextlib.suppress(OSError, IndexError):
            return (self.base / "zygote.log").read_text(errors="replace").strip().splitlines()[-1][:300]
        return ""

    def new_name(self) -> str:
        """Return the name of a new kernel's folder, which is there then."""
        with self._lock:
            self._count += 1
            name = f"k{self._count}"
        (self.base / name).mkdir(mode=0o700)
        return name

    def seen_from_within(self, name: str) -> tuple[str, str]:
        """Return a kernel's own folder and its working folder, as the kernel sees them."""
        if self.level == "namespaces":
            return "/own", "/tmp/work"
        return str(self.base / name), str(self.base / name / "work")

    def fork(self, name: str, request: dict[str, Any]) -> Lifeline:
        """Have a kernel forked for the folder of that name. Raises KernelStartError where the zygote is gone."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                with self._lock:
                    socket.send_fds(self._control, [b"K"], [theirs.fileno()])
                line = json.dumps({"name": name, "serial": secrets.randbelow(100_000_000), **request})
                ours.sendall(line.encode() + b"\n")
            except OSError as error:
                ours.close()
                raise KernelStartError(f"the process that starts kernels is gone: {error.strerror}") from error
        return Lifeline(ours)

    def cpu_seconds(self) -> float:
        """Return the CPU time of the zygote and of every kernel of its that has ended; 0 where it cannot be told."""
        with contextlib.suppress(OSError, AttributeError):
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    def close(self) -> None:
        """End the zygote and all it started, and remove the folder; harmless when done twice."""
        self._control.close()
        process = getattr(self, "_process", None)
        if process is not None:
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        remove(self.base)


def new_folder() -> Path:
    """Return a new folder whose path leaves room for the names of sockets."""
    folder = tempfile.gettempdir()
    if len(folder) > LONGEST_FOLDER and sys.platform != "win32":
        folder = "/tmp"
    made = Path(tempfile.mkdtemp(prefix="refine-", dir=folder)).resolve()
    made.chmod(0o711)  # a kernel with a user of its own has to get to its own folder
    return made
