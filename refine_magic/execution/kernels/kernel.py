"""One fresh kernel for one candidate: started, asked, killed, never used twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.asked import Asked
from refine_magic.execution.kernels.conversation import Conversation
from refine_magic.execution.kernels.wires import Body, DeadlinePassed, KernelEnded, Wires
from refine_magic.execution.limits import Limits
from refine_magic.execution.sandbox.protocol import Messages


class CandidateKernel(Asked):
    """A kernel of this machine, and the channels to it; `stop` ends the waiting for its start."""

    def __init__(self, body: Callable[[], Body], limits: Limits, stop: threading.Event) -> None:
        """Start the kernel, wait for its first sign of life, install the harness. Raises what starting it raises."""
        self.limits, self.body = limits, body()
        self.wires: Wires | None = None
        try:
            self.wires = Wires(self.body, limits)
            self.conversation = Conversation(
                Messages(self.body.key, self.body.scheme), self.wires, limits, quiet=self.body.quiet
            )
            self.handshake(stop)
            self.inside = self.body.inside
            if not self.inside:
                self.install_harness()
        except BaseException as error:
            self.kill()
            self.clean()
            if isinstance(error, Exception):
                said = " ".join(str(error).split()) or type(error).__name__
                raise KernelStartError(f"{said}{self.body.log()}") from error
            raise

    def handshake(self, stop: threading.Event) -> None:
        """Ask for kernel_info until both its reply and the idle status have come: then nothing is lost later.

        Raises KernelEnded and DeadlinePassed. `wait_for_ready` would end with a fixed silence of 200 ms.
        """
        seconds, patience = self.limits.start_seconds, 0.02
        until = time.monotonic() + seconds
        while not stop.is_set():
            try:
                asked = self.conversation.send("kernel_info_request", {})
                self.conversation.receive(asked, min(until, time.monotonic() + patience))
                return
            except DeadlinePassed:
                patience = min(2 * patience, 1.0)  # the subscription may have come after the first idle status
                if time.monotonic() >= until:
                    raise DeadlinePassed(f"no answer within {seconds:g} s") from None
        raise KernelEnded("the run was over first")

    def is_alive(self) -> bool:
        """Tell whether the kernel is there to be asked."""
        return self.wires is not None and not self.wires.closed and not self.body.has_ended()

    def kill(self) -> None:
        """Kill the kernel and all it started, at once; the rest is `clean`'s."""
        self.body.kill()

    def clean(self) -> None:
        """Close the channels, wait for the process to be gone, and remove its folder."""
        if self.wires is not None:
            self.wires.close()
        self.body.clean()
