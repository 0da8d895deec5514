"""One fresh kernel for one candidate, on a Jupyter server elsewhere."""

from __future__ import annotations

import contextlib
import importlib.resources
import threading
import time
from typing import Any

import websocket

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.asked import Asked
from refine_magic.execution.kernels.conversation import Conversation
from refine_magic.execution.kernels.server import Server
from refine_magic.execution.kernels.websocket import RemoteChannels
from refine_magic.execution.kernels.wires import DeadlinePassed, KernelEnded, TooMuchOutput
from refine_magic.execution.limits import Limits
from refine_magic.execution.sandbox.protocol import Messages

LOST_SECONDS = 0.5


class DistantKernel(Asked):
    """A kernel on a server, reached over a WebSocket."""

    def __init__(self, server: Server, kernelspec: str, limits: Limits, stop: threading.Event) -> None:
        """Start the kernel and install the harness. Raises KernelStartError."""
        self.server, self.limits, self.busy = server, limits, False
        self.channels: RemoteChannels | None = None
        if stop.is_set():
            raise KernelStartError("the run was over first")
        self.manager = server.start(kernelspec)
        try:
            self.connect()
            self.settle()
            self.install_harness()
        except BaseException as error:
            self.clean()
            if isinstance(error, (DeadlinePassed, KernelEnded, TooMuchOutput)):
                raise KernelStartError(f"the kernel {kernelspec!r} at {server.url} did not start: {error}") from error
            raise

    def connect(self) -> None:
        """Open the kernel's channels. Raises KernelStartError."""
        messages = Messages(b"", "hmac-sha256")  # the server signs what it passes on
        most = 2 * self.limits.message_bytes + self.limits.result_bytes * 64
        url = str(self.manager.kernel_url)
        try:
            self.channels = RemoteChannels(url, self.server.headers, messages.session, most, self.limits.start_seconds)
        except websocket.WebSocketBadStatusException as error:
            raise KernelStartError(self.server.refusal(error.status_code, "")) from error
        except (websocket.WebSocketException, OSError) as error:
            raise KernelStartError(f"the kernel at {self.server.url} cannot be talked to: {error}") from error
        self.channels.explain = self.explain_loss
        self.conversation = Conversation(messages, self.channels, self.limits)

    def settle(self) -> None:
        """Give the kernel a folder of its own, and the rlimits that hold for any process. Raises KernelEnded.

        Its CPU time is not among them: the wall time bounds it, and a kernel that the system ends is started again by
        its server.
        """
        files = importlib.resources.files("refine_magic.execution.inside")
        source = files.joinpath("place.py").read_text("utf-8")
        rlimits = {
            "RLIMIT_DATA": self.limits.memory_bytes,
            "RLIMIT_FSIZE": self.limits.file_bytes,
            "RLIMIT_NOFILE": self.limits.files,
            "RLIMIT_CORE": 0,
        }
        code = f"_place = {{}}\nexec({source!r}, _place)\n_place['settle']({rlimits!r})\ndel _place\n"
        self.execute(code, {}, time.monotonic() + self.limits.start_seconds, lambda name, text: None)

    def result(self, request: str, deadline: float) -> dict[str, Any]:
        """Wait for the reply to a request, and return its content.

        Raises KernelEnded, DeadlinePassed and TooMuchOutput, what the request's `on_input` raises, and
        KernelStartError where the server is gone.
        """
        self.busy = True
        try:
            reply = super().result(request, deadline)
        except KernelEnded:
            self.busy = False
            raise
        except DeadlinePassed:
            self.server.interrupt(self.manager)  # it ends the sooner; and a server that is gone is no candidate's doing
            raise
        self.busy = False
        return reply

    def explain_loss(self) -> KernelEnded:
        """Return what a lost connection means: the kernel's end, as far as the server is still there.

        Raises KernelStartError where it is not, also not a little later, as when it is being stopped.
        """
        there = self.server.is_there(self.manager)
        time.sleep(LOST_SECONDS)
        there = self.server.is_there(self.manager) and there
        return KernelEnded("the server closed the kernel's channels" if there else "the kernel ended")

    def is_alive(self) -> bool:
        """Tell whether the kernel is there to be asked."""
        try:
            return self.channels is not None and self.channels.is_open()
        except KernelStartError:
            return False

    def kill(self) -> None:
        """Ask it nothing more; the server ends it in `clean`, which takes a request."""
        if self.channels is not None:
            self.channels.close()

    def clean(self) -> None:
        """Have the server kill it."""
        self.kill()
        if self.busy:
            with contextlib.suppress(KernelStartError):
                self.server.interrupt(self.manager)
        self.server.end(self.manager)
