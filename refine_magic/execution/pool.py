"""The next fresh kernels, started in the background while the model writes."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import zmq
from jupyter_client.kernelspec import KernelSpec

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernel import CandidateKernel
from refine_magic.execution.limits import Limits


class KernelPool:
    """Hands out kernels that nobody has used, and cleans up after those that were used."""

    def __init__(self, spec: KernelSpec, limits: Limits, spare: int = 1) -> None:
        """Make an empty pool that keeps `spare` kernels ready; nothing starts yet."""
        self._spec, self._limits, self._spare = spec, limits, spare
        self._context: zmq.Context[Any] = zmq.Context()
        self._stop = threading.Event()
        self._ready: deque[Future[CandidateKernel]] = deque()
        self._cleaning: list[Future[None]] = []
        self._starters = ThreadPoolExecutor(max_workers=spare, thread_name_prefix="refine-kernel-start")
        self._cleaners = ThreadPoolExecutor(max_workers=1, thread_name_prefix="refine-kernel-clean")

    def prepare(self) -> None:
        """Start kernels in the background until enough are ready or on their way."""
        while len(self._ready) < self._spare:
            self._ready.append(self._starters.submit(self._start))

    def take(self) -> CandidateKernel:
        """Return a fresh kernel, which is the caller's to discard. Raises KernelStartError."""
        self.prepare()
        starting = self._ready.popleft()
        try:
            return starting.result()
        except BaseException:
            self._ready.appendleft(starting)  # an interrupt must not lose sight of a kernel that is being born
            raise

    def discard(self, kernel: CandidateKernel) -> None:
        """Kill a kernel at once and clean up after it in the background."""
        kernel.kill()
        self._cleaning = [task for task in self._cleaning if not task.done()]
        self._cleaning.append(self._cleaners.submit(kernel.clean))

    def close(self) -> None:
        """Kill every kernel, also those being started, and wait until they are gone; harmless when done twice."""
        if self._stop.is_set():
            return
        self._stop.set()
        while self._ready:
            starting = self._ready.popleft()
            if starting.cancel():
                continue
            try:
                self.discard(starting.result())
            except KernelStartError:
                continue
        self._starters.shutdown()
        self._cleaners.shutdown()
        self._context.destroy(linger=0)

    def _start(self) -> CandidateKernel:
        return CandidateKernel(self._spec, self._limits, self._context, self._stop)
