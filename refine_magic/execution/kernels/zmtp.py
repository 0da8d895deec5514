"""The host's end of one connection to a kernel's channel, which never waits and never reads more than it may keep."""

from __future__ import annotations

import contextlib
import socket
from urllib.parse import urlsplit

from refine_magic.execution.sandbox.zmtp import SUBSCRIBE_ALL, Broken, Codec

PIECE = 1 << 18


class Closed(Exception):
    """The kernel closed the connection, or broke the protocol."""


class Connection:
    """Sends and reads whole messages, each a list of frames."""

    def __init__(self, address: str, kind: str, most: int, identity: bytes = b"") -> None:
        """Connect as a ``DEALER`` or ``SUB`` to ``ipc://PATH`` or ``tcp://HOST:PORT``; `most` bytes make a message.

        Raises Closed where nobody listens.
        """
        self._codec = Codec(kind, most, identity if kind == "DEALER" else b"")
        self._socket = connected(address)
        self._socket.setblocking(False)
        if kind == "SUB":
            self._codec.pack([SUBSCRIBE_ALL])
        self.flush()

    @property
    def is_ready(self) -> bool:
        """Whether the kernel has answered the greeting."""
        return self._codec.is_ready

    @property
    def has_more_to_send(self) -> bool:
        """Whether something waits until the kernel reads."""
        return bool(self._codec.outgoing)

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._socket.fileno()

    def send_multipart(self, frames: list[bytes]) -> None:
        """Send a message, now or as soon as the kernel reads. Raises Closed."""
        self._codec.pack(frames)
        self.flush()

    def flush(self) -> None:
        """Send what waits, as far as the kernel takes it. Raises Closed."""
        outgoing = self._codec.outgoing
        try:
            while outgoing:
                del outgoing[: self._socket.send(outgoing)]
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            raise Closed(error.strerror) from error

    def read(self) -> list[list[bytes]]:
        """Return the messages that are whole, of what can be read at once. Raises Closed and TooLarge."""
        try:
            data = self._socket.recv(PIECE)
        except (BlockingIOError, InterruptedError):
            return []
        except OSError as error:
            raise Closed(error.strerror) from error
        if not data:
            raise Closed("the kernel closed the connection")
        try:
            messages = self._codec.feed(data)
        except Broken as error:
            raise Closed(str(error)) from error
        self.flush()
        return messages

    def close(self) -> None:
        """Give back the descriptor."""
        with contextlib.suppress(OSError):
            self._socket.close()


def connected(address: str) -> socket.socket:
    """Return a socket that is connected. Raises Closed."""
    try:
        if address.startswith("ipc://"):
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                made.connect(address.removeprefix("ipc://"))
            except OSError:
                made.close()
                raise
            return made
        where = urlsplit(address)
        made = socket.create_connection((where.hostname, where.port), timeout=5.0)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made
    except OSError as error:
        raise Closed(f"nobody listens at {address}: {error.strerror or error}") from error
