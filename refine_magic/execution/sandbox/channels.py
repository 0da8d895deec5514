"""A kernel's channels: it listens, reads requests, answers who asked, and tells all who listen."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .zmtp import Broken, Codec, TooLarge

KINDS = {"shell": "ROUTER", "control": "ROUTER", "stdin": "ROUTER", "iopub": "PUB", "hb": "ROUTER"}
LARGEST = 1 << 28
PIECE = 1 << 18


@dataclass
class Peer:
    """One who is connected to a channel."""

    channel: str
    socket: socket.socket
    codec: Codec
    subscriptions: set[bytes] = field(default_factory=set)


class Channels:
    """The channels of a connection file that have a port; messages wait here until they are asked for."""

    def __init__(self, connection: dict[str, Any], *names: str) -> None:
        """Listen on these channels. Raises OSError."""
        self.pid = os.getpid()
        self.poller = select.poll()
        self.listeners: dict[int, tuple[str, socket.socket]] = {}
        self.peers: dict[int, Peer] = {}
        self.waiting: deque[tuple[str, bytes, list[bytes]]] = deque()
        self.turn = threading.RLock()
        self.busy, self.interrupted = 0, False
        for name in names:
            if connection.get(f"{name}_port"):
                made = listening(connection, connection[f"{name}_port"])
                self.listeners[made.fileno()] = name, made
                self.poller.register(made, select.POLLIN)

    def receive(self, *names: str) -> tuple[str, bytes, list[bytes]]:
        """Wait for a message on one of these channels; return the channel, who sent it, and its frames."""
        while True:
            for number, message in enumerate(self.waiting):
                if message[0] in names:
                    del self.waiting[number]
                    return message
            self.listen()

    def listen(self) -> None:
        """Wait until something happens, and take it: a new peer, a message, a subscription, a peer's end."""
        for descriptor, _ in self.poller.poll():
            with self.uninterrupted():
                if descriptor in self.listeners:
                    self.accept(*self.listeners[descriptor])
                elif descriptor in self.peers:
                    self.take(descriptor, self.peers[descriptor])

    def accept(self, name: str, listener: socket.socket) -> None:
        """Greet a new peer."""
        with contextlib.suppress(OSError):
            made, _ = listener.accept()
            peer = Peer(name, made, Codec(KINDS[name], LARGEST))
            self.peers[made.fileno()] = peer
            self.poller.register(made, select.POLLIN)
            self.flush(peer)

    def take(self, descriptor: int, peer: Peer) -> None:
        """Read what a peer has sent; one that has gone or breaks the protocol is forgotten."""
        try:
            data = peer.socket.recv(PIECE)
            messages = peer.codec.feed(data) if data else None
        except (OSError, Broken, TooLarge):
            messages = None
        if messages is None:
            self.poller.unregister(descriptor)
            del self.peers[descriptor]
            peer.socket.close()
            return
        self.flush(peer)
        peer.codec.identity = peer.codec.identity or b"\0" + descriptor.to_bytes(4, "big")
        for frames in messages:
            if peer.channel == "iopub":
                (peer.subscriptions.add if frames[0][:1] == b"\x01" else peer.subscriptions.discard)(frames[0][1:])
            else:
                self.waiting.append((peer.channel, peer.codec.identity, frames))

    def send(self, name: str, identity: bytes, frames: list[bytes]) -> bool:
        """Send a message to one of a channel's peers; return whether it is there."""
        for peer in list(self.peers.values()):
            if peer.channel == name and peer.codec.identity == identity and peer.codec.is_ready:
                self.write(peer, frames)
                return True
        return False

    def publish(self, frames: list[bytes]) -> None:
        """Send a message to all who want to hear of its first frame."""
        for peer in list(self.peers.values()):
            if peer.channel == "iopub" and any(map(frames[0].startswith, peer.subscriptions)):
                self.write(peer, frames)

    def write(self, peer: Peer, frames: list[bytes]) -> None:
        """Send a whole message, whichever thread it comes from; a forked child sends nothing."""
        if os.getpid() != self.pid:
            return
        with self.uninterrupted():
            peer.codec.pack(frames)
            self.flush(peer)

    def flush(self, peer: Peer) -> None:
        """Send what waits for a peer, however long that takes."""
        with contextlib.suppress(OSError):
            peer.socket.sendall(peer.codec.outgoing)
        peer.codec.outgoing.clear()

    @contextlib.contextmanager
    def uninterrupted(self) -> Iterator[None]:
        """Do something that must not stop half-way, one thread at a time; an interrupt comes after it."""
        with self.turn:
            self.busy += 1
            try:
                yield
            finally:
                self.busy -= 1
        if self.interrupted and not self.busy:
            self.interrupted = False
            signal.raise_signal(signal.SIGINT)


def listening(connection: dict[str, Any], port: int) -> socket.socket:
    """Return the socket that listens on a port of a connection file. Raises OSError."""
    if connection["transport"] == "ipc":
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.bind(f"{connection['ip']}-{port}")
    else:
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((connection["ip"], port))
    made.listen(16)
    return made
