"""The channels to a kernel, and its end, watched together."""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections.abc import Generator
from typing import Protocol

from refine_magic.execution.kernels.lifeline import Lifeline
from refine_magic.execution.kernels.zmtp import Closed, Connection
from refine_magic.execution.limits import Limits
from refine_magic.execution.sandbox.zmtp import TooLarge

GRACE_SECONDS = 0.2
LOOK_SECONDS = 0.2
CONNECT_SECONDS = 0.01
READY_SECONDS = 0.0005
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
    def quiet(self) -> bool:
        """Whether a request to execute is over with its reply, and no status follows."""

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
    """The channels of a kernel that are in use, and the kernel's process."""

    def __init__(self, body: Body, limits: Limits) -> None:
        """Connect, waiting until the kernel listens. Raises KernelEnded and DeadlinePassed."""
        self.body, self.limits, self.lifeline = body, limits, body.lifeline
        self.identity = os.urandom(8).hex().encode()  # by which a kernel finds the stdin channel of who asks
        self.closed = False
        self.stdin: Connection | None = None
        self.selector = selectors.DefaultSelector()
        if self.lifeline is not None:
            self.selector.register(self.lifeline.fileno(), selectors.EVENT_READ, "end")
        try:
            self.iopub = self.connect("iopub", "SUB")
            self.shell = self.connect("shell", "DEALER")
        except BaseException:
            self.close()
            raise

    def connect(self, channel: str, kind: str) -> Connection:
        """Return the connection to a channel, once the kernel listens. Raises KernelEnded and DeadlinePassed."""
        until = time.monotonic() + self.limits.start_seconds
        while True:
            try:
                made = Connection(self.body.url(channel), kind, self.limits.message_bytes, self.identity)
                break
            except Closed as error:
                if self.has_ended():
                    raise self.end() from None
                if time.monotonic() > until:
                    raise DeadlinePassed(f"no answer within {self.limits.start_seconds:g} s; {error}") from None
                time.sleep(CONNECT_SECONDS)
        self.selector.register(made, selectors.EVENT_READ, channel)
        return made

    def connect_stdin(self) -> None:
        """Connect the channel on which the kernel asks, once. Raises KernelEnded and DeadlinePassed."""
        if self.stdin is None:
            self.stdin = self.connect("stdin", "DEALER")
            until = time.monotonic() + self.limits.start_seconds
            while not self.stdin.is_ready:  # a kernel drops, in silence, what it sends to those who are not there yet
                self.take("stdin", self.stdin)
                if time.monotonic() > until:
                    raise DeadlinePassed("the kernel does not take questions")
                time.sleep(READY_SECONDS)

    def wait(self, deadline: float) -> Generator[tuple[str, list[bytes]], None, None]:
        """Yield the messages that have come, after waiting for one until the deadline at most.

        Raises KernelEnded and TooMuchOutput once all messages are read that came before.
        """
        most = LOOK_SECONDS if self.lifeline is None else deadline  # without a lifeline the process has to be looked at
        channels = [each for each in (self.iopub, self.stdin, self.shell) if each is not None]
        for each in channels:
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if each.has_more_to_send else 0)
            if self.selector.get_key(each).events != wanted:
                self.selector.modify(each, wanted, self.selector.get_key(each).data)
        ready = {
            key.fileobj: key.data for key, _ in self.selector.select(max(0.0, min(most, deadline - time.monotonic())))
        }
        heard = [(ready[each], each) for each in channels if each in ready]
        for name, each in heard:
            for frames in self.take(name, each):
                yield name, frames
        if not heard and self.has_ended():
            raise self.end()

    def take(self, name: str, connection: Connection) -> list[list[bytes]]:
        """Return the messages that have come on a channel. Raises KernelEnded and TooMuchOutput."""
        try:
            connection.flush()
            return connection.read()
        except TooLarge:
            raise TooMuchOutput("one message that is larger than all the output may be") from None
        except Closed:
            until = time.monotonic() + GRACE_SECONDS
            while time.monotonic() < until:
                if self.has_ended():
                    raise self.end() from None
                time.sleep(READY_SECONDS)
            raise KernelEnded("the kernel closed its channels") from None

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
        """Close the channels and give back every descriptor; harmless when done twice."""
        self.closed = True
        self.selector.close()
        for connection in (getattr(self, "shell", None), getattr(self, "iopub", None), self.stdin):
            if connection is not None:
                connection.close()
