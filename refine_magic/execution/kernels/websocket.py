"""A remote kernel's channels, all over one WebSocket of its Jupyter server.

`jupyter_kernel_client`'s own client reads in a thread of its own into queues that know no limit, so that a candidate
which prints without end would fill the notebook's memory, and it does not tell when the connection is lost. So this
reads no more than it is asked for, below that client: with `websocket-client`, as it does, and its message formats.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import websocket
from jupyter_client.session import DELIM
from jupyter_kernel_client.utils import (  # type: ignore[import-untyped]
    deserialize_msg_from_ws_default,
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_json,
    serialize_msg_to_ws_v1,
)

from refine_magic.execution.kernels.wires import DeadlinePassed, KernelEnded, TooMuchOutput

V1 = "v1.kernel.websocket.jupyter.org"
PARTS = ("header", "parent_header", "metadata", "content")
ENDED = frozenset({"restarting", "autorestarting", "dead"})
LOST = (websocket.WebSocketException, OSError)


class Metered(websocket.WebSocket):
    """A WebSocket that reads up to a number of bytes, and until a deadline in monotonic seconds."""

    def __init__(self, most: int) -> None:
        """Take the number of bytes."""
        super().__init__()
        self.left, self.most, self.deadline = most, most, float("inf")

    def _recv(self, bufsize: int) -> bytes:
        """Read what has come; everything is read through here, a frame in pieces of 16 KiB at most.

        Raises DeadlinePassed and TooMuchOutput.
        """
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise DeadlinePassed("no reply in time")
        self.settimeout(None if seconds == float("inf") else seconds)
        try:
            data: bytes = super()._recv(bufsize)  # type: ignore[no-untyped-call]
        except websocket.WebSocketTimeoutException:
            raise DeadlinePassed("no reply in time") from None
        self.left -= len(data)
        if self.left < 0:
            raise TooMuchOutput(f"more than {self.most} bytes of messages")
        return data


class Outlet:
    """One channel, to which messages are sent as if it were a socket of its own."""

    def __init__(self, socket: Metered, channel: str) -> None:
        """Take the connection that all channels share."""
        self.socket, self.channel = socket, channel

    def send_multipart(self, frames: list[bytes], **more: Any) -> None:
        """Send a message in the protocol that the server chose. Raises KernelEnded."""
        parts = frames[frames.index(DELIM) + 2 :]
        try:
            if self.socket.getsubprotocol() == V1:
                self.socket.send_bytes(serialize_msg_to_ws_v1(parts, self.channel))
            else:
                message = {name: json.loads(part) for name, part in zip(PARTS, parts, strict=False)}
                self.socket.send_text(serialize_msg_to_ws_json({**message, "channel": self.channel}))
        except LOST as error:
            raise KernelEnded("the connection to the kernel is lost") from error


class RemoteChannels:
    """The channels of one remote kernel."""

    def __init__(self, url: str, headers: dict[str, str], session: str, most: int, seconds: float) -> None:
        """Connect, within so many seconds; `most` is how many bytes are read in all. Raises WebSocketException."""
        self.socket = Metered(most)
        asked = urlencode({"session_id": session})
        address = f"ws{url.removeprefix('http')}/channels?{asked}"
        self.socket.connect(address, header=headers, subprotocols=[V1], timeout=seconds)  # type: ignore[no-untyped-call]
        self.shell, self.stdin = Outlet(self.socket, "shell"), Outlet(self.socket, "stdin")
        self.closed = False
        self.explain: Callable[[], KernelEnded] = lambda: KernelEnded("the connection to the kernel is lost")

    def connect_stdin(self) -> None:
        """There is nothing to connect."""

    def wait(self, deadline: float) -> Iterator[tuple[str, list[bytes]]]:
        """Yield the next message. Raises KernelEnded, DeadlinePassed and TooMuchOutput."""
        self.socket.deadline = deadline
        try:
            kind, data = self.socket.recv_data()
        except LOST:
            raise self.explain() from None
        if kind == websocket.ABNF.OPCODE_CLOSE:
            raise self.explain()
        try:
            channel, frames = self.parts(kind, data)
            if channel == "iopub" and ended(frames):
                raise KernelEnded("the kernel ended")
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            return  # a kernel's code can send anything at all
        yield channel, [DELIM, b"", *frames]

    def parts(self, kind: int, data: bytes) -> tuple[str, list[bytes]]:
        """Return a message's channel and parts, in either of the protocols. Raises what malformed data raise."""
        if kind == websocket.ABNF.OPCODE_BINARY and self.socket.getsubprotocol() == V1:
            channel, frames = deserialize_msg_from_ws_v1(data)
            return str(channel), list(frames)
        text = data.decode() if kind == websocket.ABNF.OPCODE_TEXT else data
        message = deserialize_msg_from_ws_default(text)
        return str(message["channel"]), [json.dumps(message[name]).encode() for name in PARTS]

    def is_open(self) -> bool:
        """Tell whether the connection stands and nothing has been told of the kernel's end; takes no time."""
        if self.closed:
            return False
        try:
            while True:
                for _ in self.wait(time.monotonic() + 0.001):
                    pass
        except DeadlinePassed:
            return True
        except (KernelEnded, TooMuchOutput):
            return False

    def close(self) -> None:
        """Close the connection."""
        self.closed = True
        self.socket.shutdown()  # type: ignore[no-untyped-call]


def ended(frames: list[bytes]) -> bool:
    """Tell whether this is the server's word that the kernel ended."""
    if b"execution_state" not in frames[3]:
        return False
    return json.loads(frames[3]).get("execution_state") in ENDED
