"""One fresh kernel for one candidate: started, asked, killed, never used twice."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_client.manager import KernelManager
from traitlets.config import Config

from refine_magic.core.errors import KernelStartError
from refine_magic.execution import provisioner
from refine_magic.execution.limits import Limits, environment

START_SECONDS = 60.0
ARGV = ["-m", "ipykernel_launcher", "-f", "{connection_file}", "--HistoryManager.enabled=False"]


class KernelEnded(Exception):
    """The kernel ended, or closed its channels, before it answered."""


class DeadlinePassed(Exception):
    """The kernel did not answer in time."""


class TooMuchOutput(Exception):
    """The kernel sent more than it may."""


class PlainManager(KernelManager):
    """A kernel manager whose kernelspec is given, not looked up."""

    given: KernelSpec

    @property
    def kernel_spec(self) -> KernelSpec:
        """The kernelspec to start."""
        return self.given


def find_kernelspec(name: str | None) -> KernelSpec:
    """Return the kernelspec of that name, or this Python's own, under our provisioner where it names none itself.

    Raises KernelStartError for an unknown name, saying which there are.
    """
    ours = {"kernel_provisioner": {"provisioner_name": provisioner.NAME}}
    if name is None:
        return KernelSpec(argv=[sys.executable, *ARGV], display_name="refine-magic", language="python", metadata=ours)
    manager = KernelSpecManager()
    try:
        spec = manager.get_kernel_spec(name)
    except NoSuchKernel as error:
        there = ", ".join(sorted(manager.find_kernel_specs())) or "none"
        raise KernelStartError(f"no kernelspec is named {name!r}; installed: {there}") from error
    spec.metadata = ours | spec.metadata
    return spec


class CandidateKernel:
    """A kernel in a directory of its own, reached over ipc; `stop` ends the waiting for its start."""

    def __init__(self, spec: KernelSpec, limits: Limits, context: zmq.Context[Any], stop: threading.Event) -> None:
        """Start the kernel and wait for its first sign of life. Raises KernelStartError."""
        self.spec, self.limits, self.received = spec, limits, 0
        self.directory = Path(tempfile.mkdtemp(prefix="refine-"))
        self.manager = self.make_manager(spec, context)
        self.sockets: list[zmq.Socket[Any]] = []
        try:
            self.launch()
            self.connect()
            self.handshake(stop)
        except BaseException as error:
            log = self.log()
            self.kill()
            self.clean()
            if isinstance(error, Exception):
                raise KernelStartError(f"the kernel {spec.display_name!r} did not start: {error}{log}") from error
            raise

    def make_manager(self, spec: KernelSpec, context: zmq.Context[Any]) -> KernelManager:
        """Return a manager for the kernel, over ipc where sockets have files."""
        config = Config()
        config.SupervisedProvisioner.rlimits = self.limits.rlimits()
        over_ipc: dict[str, Any] = {}
        if sys.platform != "win32" and len(str(self.directory)) < 80:
            over_ipc = {"transport": "ipc", "ip": str(self.directory / "channel")}
        manager = PlainManager(
            config=config, context=context, connection_file=str(self.directory / "kernel.json"), **over_ipc
        )
        manager.given = spec
        return manager

    def launch(self) -> None:
        """Start the process, with its output in a log of its own."""
        env = environment(self.directory) | self.spec.env
        work = self.directory / "work"
        work.mkdir()
        with open(self.directory / "kernel.log", "wb") as log:
            self.manager.start_kernel(cwd=str(work), env=env, stdout=log, stderr=log)

    def connect(self) -> None:
        """Open the shell and iopub channels, and watch for the kernel's end on each of them."""
        limit = self.limits.output_bytes + self.limits.result_bytes + (1 << 20)
        self.manager.context.sockopts[zmq.MAXMSGSIZE] = limit
        self.shell, self.iopub = self.manager.connect_shell(), self.manager.connect_iopub()
        self.sockets += [self.shell, self.iopub]
        self.poller = zmq.Poller()
        for socket in (self.shell, self.iopub):
            socket.linger = 0
            self.poller.register(socket, zmq.POLLIN)
        process = getattr(self.manager.provisioner, "process", None)
        self.pidfd = os.pidfd_open(process.pid) if process and hasattr(os, "pidfd_open") else None
        if self.pidfd is not None:
            self.poller.register(self.pidfd, zmq.POLLIN)

    def handshake(self, stop: threading.Event) -> None:
        """Ask for kernel_info until both its reply and the idle status have come: then nothing is lost later.

        Raises KernelEnded and DeadlinePassed. `wait_for_ready` would end with a fixed silence of 200 ms.
        """
        until = time.monotonic() + START_SECONDS
        while not stop.is_set():
            try:
                self.request("kernel_info_request", {}, min(until, time.monotonic() + 0.5))
                return
            except DeadlinePassed:
                if time.monotonic() > until:
                    raise DeadlinePassed(f"no answer within {START_SECONDS:.0f} s") from None
        raise KernelEnded("the run was over first")

    def execute(
        self, code: str, expressions: dict[str, str], deadline: float, on_stream: Callable[[str, str], None]
    ) -> dict[str, Any]:
        """Execute code and evaluate expressions, and return the reply's content; `deadline` is monotonic seconds.

        Raises KernelEnded, DeadlinePassed and TooMuchOutput.
        """
        content = {
            "code": code,
            "silent": False,
            "store_history": False,
            "user_expressions": expressions,
            "allow_stdin": False,
            "stop_on_error": False,
        }
        return self.request("execute_request", content, deadline, on_stream)

    def request(
        self,
        kind: str,
        content: dict[str, Any],
        deadline: float,
        on_stream: Callable[[str, str], None] = lambda name, text: None,
    ) -> dict[str, Any]:
        """Send a request and wait for its reply, its output and the kernel's end at once."""
        session = self.manager.session
        sent = session.send(self.shell, kind, content)["header"]["msg_id"]
        reply: dict[str, Any] | None = None
        idle = False
        while reply is None or not idle:
            ready = dict(self.poller.poll(max(0, int((deadline - time.monotonic()) * 1000))))
            if not ready and time.monotonic() >= deadline:
                raise DeadlinePassed(kind)
            for socket in (self.iopub, self.shell):
                if socket not in ready:
                    continue
                message = self.receive(socket)
                if message is None or message["parent_header"].get("msg_id") != sent:
                    continue
                body = message["content"]
                if message["msg_type"] == "stream":
                    on_stream(str(body.get("name")), str(body.get("text")))
                elif message["msg_type"] == "status":
                    idle = idle or body.get("execution_state") == "idle"
                elif socket is self.shell:
                    reply = body
            if self.pidfd in ready and not (ready.keys() - {self.pidfd}):
                raise KernelEnded("the kernel ended")
            if self.pidfd is None and not self.manager.is_alive():
                raise KernelEnded("the kernel ended")
        return reply

    def receive(self, socket: zmq.Socket[Any]) -> dict[str, Any] | None:
        """Take one message; None where it was not signed by this kernel. Raises TooMuchOutput."""
        frames = socket.recv_multipart(copy=True)
        self.received += sum(map(len, frames))
        if self.received > self.limits.output_bytes + self.limits.result_bytes * 64:
            raise TooMuchOutput(f"more than {self.limits.output_bytes} bytes of output")
        session = self.manager.session
        try:
            _, parts = session.feed_identities(frames)
            message: dict[str, Any] = session.deserialize(parts)
        except (ValueError, TypeError, KeyError, IndexError, UnicodeDecodeError):
            return None
        return message

    def log(self) -> str:
        """Return the last line of what the kernel wrote to its standard error, for an error message."""
        try:
            lines = (self.directory / "kernel.log").read_text(errors="replace").strip().splitlines()
        except OSError:
            return ""
        return f" ({lines[-1][:300]})" if lines else ""

    def kill(self) -> None:
        """Kill the kernel and all it started, at once; the rest is `clean`'s."""
        let_go = getattr(self.manager.provisioner, "let_go", None)
        if let_go is not None:
            let_go()

    def clean(self) -> None:
        """Wait for the process to be gone, close the channels and remove the directory."""
        for socket in self.sockets:
            socket.close(linger=0)
        if getattr(self, "pidfd", None) is not None:
            os.close(self.pidfd)  # type: ignore[arg-type]
            self.pidfd = None
        if self.manager.has_kernel:
            self.manager.shutdown_kernel(now=True)
        shutil.rmtree(self.directory, ignore_errors=True)
