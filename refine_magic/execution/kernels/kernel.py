"""One fresh kernel for one candidate: started, asked, killed, never used twice."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import zmq
from traitlets.config import Config

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.install import modules_code, start_code
from refine_magic.execution.kernels.kernelspecs import Start
from refine_magic.execution.kernels.manager import PORTS, CandidateManager
from refine_magic.execution.kernels.remove import remove
from refine_magic.execution.kernels.template import Template
from refine_magic.execution.kernels.wires import DeadlinePassed, KernelEnded, TooMuchOutput, Wires
from refine_magic.execution.limits import Limits, environment


class CandidateKernel:
    """A kernel in a folder of its own, reached over ipc; `stop` ends the waiting for its start."""

    def __init__(
        self,
        start: Start,
        limits: Limits,
        context: zmq.Context[Any],
        stop: threading.Event,
        template: Template | None = None,
    ) -> None:
        """Start the kernel, wait for its first sign of life and install the harness. Raises KernelStartError."""
        self.start, self.limits, self.template, self.received = start, limits, template, 0
        self.name = "" if template is None else template.new_name()
        self.directory = Path(tempfile.mkdtemp(prefix="refine-")) if template is None else template.base / self.name
        self.wires: Wires | None = None
        self.manager = self.make_manager(context)
        try:
            self.launch()
            self.wires = Wires(self.manager)
            self.handshake(stop)
            if template is None or start.make is None or not start.make.code:
                self.install_harness(stop)
        except BaseException as error:
            log = self.log()
            self.kill()
            self.clean()
            if isinstance(error, Exception):
                said = " ".join(str(error).split()) or type(error).__name__
                raise KernelStartError(f"the kernel {start.spec.display_name!r} did not start: {said}{log}") from error
            raise

    def make_manager(self, context: zmq.Context[Any]) -> CandidateManager:
        """Return a manager for the kernel, over ipc where sockets have files."""
        config = Config()
        config.ZygoteProvisioner.limits = asdict(self.limits)
        given: dict[str, Any] = {"connection_file": str(self.directory / "kernel.json")}
        if self.template is not None:
            given |= {"transport": "ipc", "ip": str(self.directory / "s"), **PORTS}
        elif sys.platform != "win32" and len(str(self.directory)) < 80:
            given |= {"transport": "ipc", "ip": str(self.directory / "s")}
        manager = CandidateManager(config=config, context=context, **given)
        manager.given, manager.template, manager.folder_name = self.start.spec, self.template, self.name
        return manager

    def launch(self) -> None:
        """Start the process; the output of one that has no template goes to a log of its own."""
        if self.template is not None:
            self.manager.start(start_code=start_code(self.limits) if self.start.make and self.start.make.code else "")
            return
        work = self.directory / "work"
        work.mkdir()
        env = environment(str(self.directory), str(work)) | self.start.spec.env
        with open(self.directory / "kernel.log", "wb") as log:
            self.manager.start(cwd=str(work), env=env, stdout=log, stderr=log)

    def handshake(self, stop: threading.Event) -> None:
        """Ask for kernel_info until both its reply and the idle status have come: then nothing is lost later.

        Raises KernelEnded and DeadlinePassed. `wait_for_ready` would end with a fixed silence of 200 ms.
        """
        seconds, patience = self.limits.start_seconds, 0.02
        until = time.monotonic() + seconds
        while not stop.is_set():
            try:
                self.request("kernel_info_request", {}, min(until, time.monotonic() + patience))
                return
            except DeadlinePassed:
                patience = min(2 * patience, 1.0)  # the subscription may have come after the first idle status
                if time.monotonic() >= until:
                    raise DeadlinePassed(f"no answer within {seconds:g} s") from None
        raise KernelEnded("the run was over first")

    def install_harness(self, stop: threading.Event) -> None:
        """Bring our harness into the kernel. Raises KernelStartError where it cannot be, as in another language."""
        until = time.monotonic() + self.limits.start_seconds
        code = modules_code() + start_code(self.limits)
        reply = self.execute(code, {}, until, lambda name, text: None)
        if reply.get("status") != "ok":
            raise KernelStartError(f"it cannot run Python: {str(reply.get('evalue', 'no reason given'))[:200]}")

    def execute(
        self,
        code: str,
        expressions: dict[str, str],
        deadline: float,
        on_stream: Callable[[str, str], None],
        on_input: Callable[[str], str] | None = None,
    ) -> dict[str, Any]:
        """Execute code and evaluate expressions, and return the reply's content; `deadline` is monotonic seconds.

        With `on_input` the code may call ``input(prompt)``, and is answered with what that returns for the prompt.
        Raises KernelEnded, DeadlinePassed and TooMuchOutput, and what `on_input` raises.
        """
        content = {
            "code": code,
            "silent": False,
            "store_history": False,
            "user_expressions": expressions,
            "allow_stdin": on_input is not None,
            "stop_on_error": False,
        }
        return self.request("execute_request", content, deadline, on_stream, on_input)

    def request(
        self,
        kind: str,
        content: dict[str, Any],
        deadline: float,
        on_stream: Callable[[str, str], None] = lambda name, text: None,
        on_input: Callable[[str], str] | None = None,
    ) -> dict[str, Any]:
        """Send a request and wait for its reply, its output and the kernel's end at once."""
        if self.wires is None:
            raise KernelEnded("the kernel is gone")
        if on_input is not None:
            self.wires.connect_stdin()
        sent = self.manager.session.send(self.wires.shell, kind, content)["header"]["msg_id"]
        reply: dict[str, Any] | None = None
        idle = False
        while reply is None or not idle:
            if time.monotonic() >= deadline:
                raise DeadlinePassed(kind)
            for channel, frames in self.wires.wait(deadline):
                message = self.read(frames)
                if message is None or message["parent_header"].get("msg_id") != sent:
                    continue
                body = message["content"]
                if message["msg_type"] == "stream":
                    on_stream(str(body.get("name")), str(body.get("text")))
                elif message["msg_type"] == "status":
                    idle = idle or body.get("execution_state") == "idle"
                elif message["msg_type"] == "input_request":
                    if on_input is not None:
                        value = on_input(str(body.get("prompt")))
                        self.manager.session.send(self.wires.stdin, "input_reply", {"value": value}, parent=message)
                elif channel == "shell":
                    reply = body
        return reply

    def read(self, frames: list[bytes]) -> dict[str, Any] | None:
        """Return the message; None where it was not signed by this kernel, or is none. Raises TooMuchOutput."""
        self.received += sum(map(len, frames))
        if self.received > self.limits.output_bytes + self.limits.result_bytes * 64:
            raise TooMuchOutput(f"more than {self.limits.output_bytes} bytes of output")
        session = self.manager.session
        try:
            _, parts = session.feed_identities(frames)
            message: dict[str, Any] = session.deserialize(parts)
        except Exception:  # a candidate has the key too, so anything at all may be in it
            return None
        fits = isinstance(message.get("parent_header"), dict) and isinstance(message.get("content"), dict)
        return message if fits else None

    def log(self) -> str:
        """Return the last line of what the kernel wrote to its standard error, for an error message."""
        try:
            lines = (self.directory / "kernel.log").read_text(errors="replace").strip().splitlines()
        except OSError:
            return ""
        return f" ({lines[-1][:300]})" if lines else ""

    def is_alive(self) -> bool:
        """Tell whether the kernel is there to be asked."""
        return self.wires is not None and not self.wires.has_ended()

    def kill(self) -> None:
        """Kill the kernel and all it started, at once; the rest is `clean`'s."""
        let_go = getattr(self.manager.provisioner, "let_go", None)
        if let_go is not None:
            let_go()

    def clean(self) -> None:
        """Wait for the process to be gone, close the channels and remove the directory."""
        if self.wires is not None:
            self.wires.close()
            self.wires = None
        self.manager.end()
        remove(self.directory)
