"""ZeroMQ's protocol on the wire, as far as Jupyter's channels need it: ZMTP 3.0, NULL mechanism.

https://rfc.zeromq.org/spec/23/. Own code at both ends, where libzmq would do. On the host, because libzmq keeps all the
parts of a message until the last has come, however many there are, so that a candidate could fill the notebook's memory
past every limit it has. In the kernel, because it costs a forked process two threads and a fifth of its start.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

MORE, LONG, COMMAND = 1, 2, 4
GREETING = b"\xff" + b"\0" * 8 + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + b"\0" * 32
MOST_PARTS = 1000
SUBSCRIBE_ALL = b"\x01"


class Broken(Exception):
    """The other end does not speak the protocol, or refused to."""


class TooLarge(Exception):
    """One message is larger than it may be."""


class Codec:
    """One end of a connection: what is to be sent as bytes, what has come as messages, each a list of frames.

    Messages are held back until the other end is ready: before, libzmq takes them for part of the handshake.
    """

    def __init__(self, kind: str, most: int, identity: bytes = b"") -> None:
        """Be a socket of that kind, such as ``DEALER``; `most` bytes make a message."""
        self.most, self.identity, self.is_ready = most, b"", False
        self.outgoing = bytearray(GREETING + ready(kind, identity))
        self._held, self._incoming = bytearray(), bytearray()
        self._parts: list[bytes] = []
        self._greeted = False

    def pack(self, frames: list[bytes]) -> None:
        """Add a message to what is to be sent."""
        to = self.outgoing if self.is_ready else self._held
        for number, body in enumerate(frames, 1):
            to += frame(body, MORE if number < len(frames) else 0)

    def feed(self, data: bytes) -> list[list[bytes]]:
        """Return the messages that are whole now. Raises Broken and TooLarge."""
        self._incoming += data
        if not self._greeted:
            if len(self._incoming) < len(GREETING):
                return []
            if self._incoming[0] != GREETING[0] or self._incoming[10] < 3:
                raise Broken("not a greeting of ZMTP 3")
            del self._incoming[: len(GREETING)]
            self._greeted = True
        return list(self._messages())

    def _messages(self) -> Iterator[list[bytes]]:
        while (found := self._frame()) is not None:
            flags, body = found
            if flags & COMMAND:
                self._obey(body)
                continue
            self._parts.append(body)
            if len(self._parts) > MOST_PARTS or sum(map(len, self._parts)) > self.most:
                raise TooLarge(f"one message of more than {self.most} bytes")
            if not flags & MORE:
                yield self._parts
                self._parts = []

    def _frame(self) -> tuple[int, bytes] | None:
        data = self._incoming
        if len(data) < 2:
            return None
        flags, start = data[0], 9 if data[0] & LONG else 2
        if len(data) < start:
            return None
        size = struct.unpack(">Q", data[1:9])[0] if flags & LONG else data[1]
        if size > self.most:
            raise TooLarge(f"one message of more than {self.most} bytes")
        if len(data) < start + size:
            return None
        body = bytes(data[start : start + size])
        del data[: start + size]
        return flags, body

    def _obey(self, command: bytes) -> None:
        if command.startswith(b"\x05READY"):
            self.identity = properties(command[6:]).get(b"identity", b"")
            self.is_ready = True
            self.outgoing += self._held
            self._held.clear()
        elif command.startswith(b"\x05ERROR"):
            raise Broken(f"refused: {command[7:200].decode(errors='replace')}")
        elif command.startswith(b"\x04PING"):
            self.outgoing += frame(b"\x04PONG" + command[7:23], COMMAND)


def frame(body: bytes, flags: int) -> bytes:
    """Return one frame on the wire."""
    if len(body) > 255:
        return struct.pack(">BQ", flags | LONG, len(body)) + body
    return struct.pack(">BB", flags, len(body)) + body


def ready(kind: str, identity: bytes) -> bytes:
    """Return the command that says what kind of socket this is, and whose."""
    said = {b"Socket-Type": kind.encode()} | ({b"Identity": identity} if identity else {})
    body = b"".join(
        struct.pack(">B", len(name)) + name + struct.pack(">I", len(value)) + value for name, value in said.items()
    )
    return frame(b"\x05READY" + body, COMMAND)


def properties(data: bytes) -> dict[bytes, bytes]:
    """Return what the other end says of itself, by names in small letters. Raises Broken."""
    found: dict[bytes, bytes] = {}
    try:
        while data:
            start = 1 + data[0]
            (size,) = struct.unpack(">I", data[start : start + 4])
            found[data[1:start].lower()] = data[start + 4 : start + 4 + size]
            data = data[start + 4 + size :]
    except (struct.error, IndexError) as error:
        raise Broken("not a list of properties") from error
    return found
