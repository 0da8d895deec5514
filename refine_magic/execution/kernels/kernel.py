"""One fresh kernel for one candidate: started, asked, killed, never used twice."""

from __future__ import annotations

import importlib.resources
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
from refine_magic.execution.kernels import provisioner
from refine_magic.execution.kernels.wires import DeadlinePassed, KernelEnded, TooMuchOutput, Wires
from refine_magic.execution.limits import Limits, environment

ARGV = ["-m", "ipykernel_launcher", "-f", "{connection_file}", "--HistoryManager.enabled=False"]


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
        """Start the kernel, wait for its first sign of life and install the harness. Raises KernelStartError."""
        self.spec, self.limits, self.received = spec, limits, 0
        self.directory = Path(tempfile.mkdtemp(prefix="refine-"))
        self.wires: Wires | None = None
        try:
            self.manager = self.make_manager(context)
            self.launch()
            self.wires = Wires(self.manager)
            self.handshake(stop)
            self.install_harness(stop)
        except BaseException as error:
            log = self.log()
            self.kill()
            self.clean()
            if isinstance(error, Exception):
                said = " ".join(str(error).split()) or type(error).__name__
                raise KernelStartError(f"the kernel {spec.display_name!r} did not start: {said}{log}") from error
            raise

    def make_manager(self, context: zmq.Context[Any]) -> KernelManager:
        """Return a manager for the kernel, over ipc where sockets have files."""
        config = Config()
        config.SupervisedProvisioner.rlimits = self.limits.rlimits()
        config.SupervisedProvisioner.directory = str(self.directory)
        over_ipc: dict[str, Any] = {}
        if sys.platform != "win32" and len(str(self.directory)) < 80:
            over_ipc = {"transport": "ipc", "ip": str(self.directory / "channel")}
        manager = PlainManager(
            config=config, context=context, connection_file=str(self.directory / "kernel.json"), **over_ipc
        )
        manager.given = self.spec
        return manager

    def launch(self) -> None:
        """Start the process, with its output in a log of its own."""
        env = environment(self.directory) | self.spec.env
        work = self.directory / "work"
        work.mkdir()
        with open(self.directory / "kernel.log", "wb") as log:
            self.manager.start_kernel(cwd=str(work), env=env, stdout=log, stderr=log)

    def handshake(self, stop: threading.Event) -> None:
        """Ask for kernel_info until both its reply and the idle status have come: then nothing is lost later.

        Raises KernelEnded and DeadlinePassed. `wait_for_ready` would end with a fixed silence of 200 ms.
        """
        seconds = self.limits.start_seconds
        until = time.monotonic() + seconds
        while not stop.is_set():
            try:
                self.request("kernel_info_request", {}, min(until, time.monotonic() + 0.5))
                return
            except DeadlinePassed:
                if time.monotonic() >= until:
                    raise DeadlinePassed(f"no answer within {seconds:g} s") from None
        raise KernelEnded("the run was over first")

    def install_harness(self, stop: threading.Event) -> None:
        """Bring our harness into the kernel. Raises KernelStartError where it cannot be, as in another language."""
        until = time.monotonic() + self.limits.start_seconds
        reply = self.execute(harness_code(self.limits), {}, until, lambda name, text: None)
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
        let_go = getattr(getattr(self, "manager", None) and self.manager.provisioner, "let_go", None)
        if let_go is not None:
            let_go()

    def clean(self) -> None:
        """Wait for the process to be gone, close the channels and remove the directory."""
        if self.wires is not None:
            self.wires.close()
            self.wires = None
        if getattr(self, "manager", None) is not None and self.manager.has_kernel:
            self.manager.shutdown_kernel(now=True)
        shutil.rmtree(self.directory, ignore_errors=True)


def harness_code(limits: Limits) -> str:
    """Return the code that makes the harness reachable as a module of its own, out of the candidate's namespace."""
    files = importlib.resources.files("refine_magic.execution.inside")
    sources = {f"_refine_{name}": files.joinpath(f"{name}.py").read_text() for name in ("encoder", "harness")}
    install = f"Harness({limits.output_bytes}, {limits.result_bytes}, {limits.result_depth})"
    return (
        "import sys as _s, types as _t\n"
        f"for _name, _source in {sources!r}.items():\n"
        "    _s.modules[_name] = _t.ModuleType(_name)\n"
        "    exec(compile(_source, '<harness>', 'exec'), _s.modules[_name].__dict__)\n"
        f"_s.modules['_refine_harness'].harness = _s.modules['_refine_harness'].{install}\n"
        "del _s, _t, _name, _source"
    )
