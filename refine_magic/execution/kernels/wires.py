"""The two channels to a kernel, and its end, watched together."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator
from typing import Any, Protocol

import zmq

from refine_magic.execution.kernels.lifeline import Lifeline

GRACE_SECONDS = 0.2
CONNECT_MS = 2000
AGAIN = {zmq.EVENT_CONNECT_RETRIED, zmq.EVENT_CONNECTED}
EXCESSES = {
    "memory": "its processes together used more memory than they may",
    "processes": "it started more processes than it may",
    "disk": "it wrote more to files than it may",
    "output": "it printed more than it may",
}
SIGNALS = {number.value: number.name for number in signal.Signals}


class KernelEnded(Exception):
    """The kernel ended, or closed its channels, before it answered.

    `excess` says what it was ended for: `time` (of the CPU), `memory`, `processes` or `disk`; or nothing.
    """

    def __init__(self, message: str, *, excess: str = "") -> None:
        """Take the words for it."""
        super().__init__(message)
        self.excess = excess


class DeadlinePassed(Exception):
    """The kernel did not answer in time."""


class TooMuchOutput(Exception):
    """The kernel sent more than it may."""


class Body(Protocol):
    """A kernel's process: where its channels are, under which key, and how it is ended."""

    @property
    def key(self) -> bytes:
        """The key that messages are signed with."""

    @property
    def scheme(self) -> str:
        """How they are signed, such as ``hmac-sha256``."""

    @property
    def inside(self) -> frozenset[str]:
        """Which modules of ours are in it already."""

    @property
    def lifeline(self) -> Lifeline | None:
        """What tells at once that it has ended, if there is such a thing."""

    def url(self, channel: str) -> str:
        """Return the address of a channel, such as ``shell``."""

    def has_ended(self) -> bool:
        """Tell whether the process has ended."""

    def log(self) -> str:
        """Return the last line of what it wrote to its standard error, for an error message."""

    def kill(self) -> None:
        """Kill it and all it started, at once and from any thread, if that can be."""

    def clean(self) -> None:
        """Wait until it is gone, and remove what it had."""


class Wires:
    """The shell and iopub channels of a kernel, their connections and the kernel's process."""

    def __init__(self, context: zmq.Context[Any], body: Body) -> None:
        """Connect, and watch for the kernel's end on each of the channels."""
        self.context, self.body = context, body
        self.identity = os.urandom(8).hex().encode()  # by which a kernel finds the stdin channel of who asks
        self.shell, self.iopub = self.connect("shell", zmq.DEALER), self.connect("iopub", zmq.SUB)
        self.iopub.subscribe(b"")
        self.stdin: zmq.Socket[Any] | None = None
        self.closed = False
        self.monitors: list[zmq.Socket[Any]] = []
        self.poller = zmq.Poller()
        for socket in (self.shell, self.iopub):
            self.monitors.append(socket.get_monitor_socket(sum(AGAIN) | zmq.EVENT_DISCONNECTED))
        for watched in (self.shell, self.iopub, *self.monitors):
            self.poller.register(watched, zmq.POLLIN)
        self.lifeline = body.lifeline
        if self.lifeline is not None:
            self.poller.register(self.lifeline.fileno(), zmq.POLLIN)

    def connect(self, channel: str, kind: int) -> zmq.Socket[Any]:
        """Return a socket that is connected to a channel."""
        made: zmq.Socket[Any] = self.context.socket(kind)
        made.linger = 0
        if kind == zmq.DEALER:
            made.identity = self.identity
        made.connect(self.body.url(channel))
        return made

    def connect_stdin(self) -> None:
        """Connect the channel on which the kernel asks, once."""
        if self.stdin is None:
            self.stdin = self.connect("stdin", zmq.DEALER)
            monitor = self.stdin.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
            monitor.poll(CONNECT_MS)  # a kernel drops, in silence, what it sends to those who are not there yet
            self.stdin.disable_monitor()
            monitor.close(linger=0)
            self.poller.register(self.stdin, zmq.POLLIN)

    def wait(self, deadline: float) -> Generator[tuple[str, list[bytes]], None, None]:
        """Yield the messages that have come, after waiting for one until the deadline at most.

        Raises KernelEnded and TooMuchOutput once all messages are read that came before.
        """
        most = 200 if self.lifeline is None else 60_000  # without a lifeline the process has to be looked at
        ready = dict(self.poller.poll(max(0, min(most, int((deadline - time.monotonic()) * 1000) + 1))))
        channels = (("iopub", self.iopub), ("stdin", self.stdin), ("shell", self.shell))
        heard = [(name, socket) for name, socket in channels if socket is not None and socket in ready]
        for name, socket in heard:
            yield name, socket.recv_multipart(copy=True)
        if heard:
            return
        if self.has_ended():
            raise self.end()
        if any(event == zmq.EVENT_DISCONNECTED for event in self.events()):
            self.explain_disconnect()

    def events(self) -> list[int]:
        """Return what has become of the connections since the last time."""
        found = []
        for monitor in self.monitors:
            while monitor.poll(0):
                frames = monitor.recv_multipart()
                found.append(int.from_bytes(frames[0][:2], "little"))
        return found

    def explain_disconnect(self) -> None:
        """Raise what a lost connection means.

        After a message that is larger than MAXMSGSIZE libzmq drops the connection for good; after any other loss it
        tries to connect again (`session_base_t::engine_error`, protocol_error and connection_error).
        """
        until = time.monotonic() + GRACE_SECONDS
        tried_again = False
        while time.monotonic() < until:
            if self.has_ended():
                raise self.end()
            tried_again = tried_again or bool(AGAIN & set(self.events()))
            time.sleep(0.005)
        if tried_again:
            raise KernelEnded("the kernel closed its channels")
        raise TooMuchOutput("one message that is larger than all the output may be")

    def has_ended(self) -> bool:
        """Tell whether the kernel's process has ended."""
        return self.body.has_ended()

    def end(self) -> KernelEnded:
        """Return the words for how the kernel ended."""
        if self.lifeline is None:
            return KernelEnded("the kernel ended")
        status, reason = self.lifeline.status, self.lifeline.reason
        if status is None:
            return KernelEnded("the process that watches the kernel was killed")
        if reason in EXCESSES:
            return KernelEnded(EXCESSES[reason], excess=reason)
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            name = SIGNALS.get(-code, f"signal {-code}")
            if name == "SIGXCPU":
                return KernelEnded("it used up its CPU time", excess="time")
            return KernelEnded(f"the kernel was ended by {name}{self.body.log()}")
        return KernelEnded(f"the kernel exited with status {code}{self.body.log()}")

    def close(self) -> None:
        """Close the channels and give back every descriptor."""
        self.closed = True
        for socket in (self.shell, self.iopub):
            socket.disable_monitor()
        for channel in (*self.monitors, self.shell, self.iopub, self.stdin):
            if channel is not None:
                channel.close(linger=0)
