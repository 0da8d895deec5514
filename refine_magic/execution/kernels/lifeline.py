"""The host's end of the socket to one kernel's keeper: while it is held, the kernel lives."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import time
from typing import Any


class Lifeline:
    """What the keeper tells, and the letting go of it.

    `pid` is the keeper's. Once the kernel has ended, `status` is its wait status, `reason` what it used too much of,
    and `said` the end of what came out of its descriptors 1 and 2.
    """

    def __init__(self, end: socket.socket) -> None:
        """Take the host's end."""
        self.end, self.pid = end, 0
        self.notes: tuple[str, ...] = ()
        self.status: int | None = None
        self.reason = self.said = ""
        self._gone, self._held, self._left = False, True, b""

    def fileno(self) -> int:
        """Return the descriptor, which is readable once the kernel has ended."""
        return self.end.fileno()

    def wait_until_ready(self, deadline: float) -> str:
        """Wait until the kernel has its channels; return why it never will, or nothing. Monotonic seconds."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return "it did not start in time"
            self.end.settimeout(left)
            for line in self._lines():
                if line.get("ready"):
                    self.notes = tuple(map(str, line.get("notes", ())))
                    return ""
                if "failed" in line:
                    return str(line["failed"])
            if self._gone:
                return "the process that starts kernels ended"

    def has_ended(self) -> bool:
        """Tell whether the kernel has ended, as far as the keeper has told."""
        self._listen(0.0)
        return self._gone or self.status is not None

    def wait_until_gone(self, seconds: float) -> bool:
        """Wait until the keeper and everything below it is gone; tell whether it is."""
        until = time.monotonic() + seconds
        while not self._gone and (left := until - time.monotonic()) > 0:
            self._listen(left)
        return self._gone

    def send(self, number: int) -> None:
        """Have the keeper send the kernel a signal."""
        with contextlib.suppress(OSError):
            self.end.send(bytes([number]))

    def let_go(self) -> None:
        """Have everything killed, at once and from any thread; harmless when done twice."""
        if self._held:
            self._held = False
            with contextlib.suppress(OSError):
                self.end.shutdown(socket.SHUT_WR)
            self.signal_keeper(signal.SIGCONT)  # should a candidate have stopped it

    def signal_keeper(self, number: int) -> None:
        """Send the keeper itself a signal, while it is there."""
        if self.pid and not self._gone:
            with contextlib.suppress(OSError):
                os.kill(self.pid, number)

    def close(self) -> None:
        """Give back the descriptor."""
        self.end.close()

    def _listen(self, seconds: float) -> None:
        self.end.settimeout(seconds)
        self._lines()

    def _lines(self) -> list[dict[str, Any]]:
        try:
            data = self.end.recv(65536)
        except (BlockingIOError, TimeoutError):
            return []
        except OSError:
            data = b""
        self._gone = not data
        *lines, self._left = (self._left + data).split(b"\n")
        told = [json.loads(line) for line in lines]
        for line in told:
            self.pid = line.get("pid", self.pid)
            if "ended" in line:
                self.status, self.reason, self.said = line["ended"], line["reason"], str(line["said"])
        return told
