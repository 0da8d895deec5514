"""Requests to a kernel and what comes back, several of them on their way at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from refine_magic.execution.kernels.wires import DeadlinePassed, KernelEnded, TooMuchOutput
from refine_magic.execution.limits import Limits
from refine_magic.execution.sandbox.protocol import Message, Messages

OnStream = Callable[[str, str], None]
OnInput = Callable[[str], str]


def unheard(name: str, text: str) -> None:
    """Do nothing with what a kernel prints."""


@dataclass
class Request:
    """One request on its way: who hears its output, who answers it, and what has come back."""

    on_stream: OnStream
    on_input: OnInput | None
    reply: dict[str, Any] | None = None
    idle: bool = False


class Channels(Protocol):
    """The way to a kernel: what is written to `shell` and `stdin` reaches it, and `wait` yields what comes back."""

    closed: bool
    shell: Any
    stdin: Any

    def connect_stdin(self) -> None:
        """Connect the channel on which the kernel asks, once."""

    def wait(self, deadline: float) -> Iterator[tuple[str, list[bytes]]]:
        """Yield the messages that have come, after waiting for one until the deadline at most.

        Raises KernelEnded and TooMuchOutput, and DeadlinePassed where it did not come whole in time.
        """


class Conversation:
    """What was asked of one kernel, over its wires."""

    def __init__(self, messages: Messages, wires: Channels, limits: Limits, *, quiet: bool = False) -> None:
        """Begin with nothing asked; a `quiet` kernel sends no status after the reply to a request to execute."""
        self.messages, self.wires, self.quiet = messages, wires, quiet
        self.left = limits.output_bytes + limits.result_bytes * 64
        self.most = limits.output_bytes
        self.open: dict[str, Request] = {}

    def send(
        self, kind: str, content: dict[str, Any], on_stream: OnStream = unheard, on_input: OnInput | None = None
    ) -> str:
        """Send a request and return its id. Raises KernelEnded."""
        if self.wires.closed:
            raise KernelEnded("the kernel is gone")
        if on_input is not None:
            self.wires.connect_stdin()
        self.wires.shell.send_multipart(self.messages.pack(kind, content, {}, []))
        request = self.messages.last
        self.open[request] = Request(on_stream, on_input, idle=self.quiet and kind == "execute_request")
        return request

    def receive(self, request: str, deadline: float) -> dict[str, Any]:
        """Wait for a request's reply and the idle status after it; return the reply's content. Monotonic seconds.

        Raises KernelEnded, DeadlinePassed and TooMuchOutput.
        """
        waiting = self.open[request]
        while waiting.reply is None or not waiting.idle:
            if time.monotonic() >= deadline:
                del self.open[request]
                raise DeadlinePassed("no reply in time")
            self.hear(deadline)
        if self.quiet:
            self.hear(0.0)  # what was printed before the reply was sent before it, on the other channel
        del self.open[request]
        return waiting.reply

    def hear(self, deadline: float) -> None:
        """Take the messages that have come, or the first to come until the deadline. Raises what `receive` raises."""
        for channel, frames in self.wires.wait(deadline):
            size = sum(map(len, frames))
            self.left -= size
            if self.left < 0:
                raise TooMuchOutput(f"more than {self.most} bytes of output")
            message = self.messages.read(frames)
            if message is not None and message.request in self.open:
                self.take(self.open[message.request], channel, message, size)

    def take(self, request: Request, channel: str, message: Message, size: int) -> None:
        """Take what has come for a request; what was waited for is not counted as output."""
        content = message.content
        if message.kind == "stream":
            request.on_stream(str(content.get("name")), str(content.get("text")))
        elif message.kind == "status":
            request.idle = request.idle or content.get("execution_state") == "idle"
        elif message.kind == "input_request":
            if request.on_input is not None:
                self.left += size
                reply = {"value": request.on_input(str(content.get("prompt")))}
                self.wires.stdin.send_multipart(self.messages.pack("input_reply", reply, message.header, []))
        elif channel == "shell" and request.reply is None:
            self.left += size
            request.reply = content
