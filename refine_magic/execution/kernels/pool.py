"""The next fresh kernels, started in the background while the model writes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import zmq

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.kernel import CandidateKernel
from refine_magic.execution.kernels.kernelspecs import Start
from refine_magic.execution.kernels.template import Template, strongest
from refine_magic.execution.kernels.zygote import LEVELS
from refine_magic.execution.limits import Limits


class KernelPool:
    """Hands out kernels that nobody has used, and cleans up after those that were used."""

    def __init__(self, start: Start, limits: Limits, isolation: str = "auto", spare: int = 1) -> None:
        """Make an empty pool that keeps `spare` kernels ready, at an isolation level; nothing starts yet."""
        self._start_as, self._limits, self._isolation, self._spare = start, limits, isolation, spare
        self._context: zmq.Context[Any] = zmq.Context()
        self._context.sockopts[zmq.MAXMSGSIZE] = limits.message_bytes
        self._context.sockopts[zmq.RECONNECT_IVL] = 10
        self._stop = threading.Event()
        self._ready: deque[Future[CandidateKernel]] = deque()
        self._alive: set[CandidateKernel] = set()
        self._template: Future[Template | None] | None = None
        self._lock = threading.Lock()
        self._starters = ThreadPoolExecutor(max_workers=spare, thread_name_prefix="refine-kernel-start")
        self._cleaners = ThreadPoolExecutor(max_workers=1, thread_name_prefix="refine-kernel-clean")

    def prepare(self) -> None:
        """Start kernels in the background until enough are ready or on their way."""
        while len(self._ready) < self._spare and not self._stop.is_set():
            self._ready.append(self._starters.submit(self._start))

    def template(self) -> Template | None:
        """Return what this pool's kernels are forked from, made once; None where their own provisioner starts them.

        Raises IsolationUnavailable and KernelStartError.
        """
        with self._lock:
            first = self._template is None
            made = self._template = self._template or Future()
        if first:
            try:
                make = self._start_as.make
                made.set_result(None if make is None else strongest(make, self._isolation, LEVELS))
            except BaseException as error:
                made.set_exception(error)
        return made.result()

    def take(self) -> CandidateKernel:
        """Return a fresh kernel, which is the caller's to discard. Raises KernelStartError."""
        while True:
            self.prepare()
            if not self._ready:
                raise KernelStartError("the pool of kernels is closed")
            starting = self._ready[0]  # stays in sight until the kernel is there, should an interrupt come
            try:
                kernel = starting.result()
            finally:
                if starting.done():
                    self._ready.popleft()
            if kernel.is_alive():
                return kernel
            self.discard(kernel)  # it ended while it waited, so no candidate is to blame

    @contextmanager
    def lend(self) -> Generator[CandidateKernel, None, None]:
        """Lend a fresh kernel, and kill it at the end of the block. Raises KernelStartError."""
        kernel = self.take()
        try:
            yield kernel
        finally:
            self.discard(kernel)

    def discard(self, kernel: CandidateKernel) -> None:
        """Kill a kernel at once and clean up after it in the background; harmless when done twice."""
        kernel.kill()
        if kernel in self._alive:
            self._alive.discard(kernel)
            self._cleaners.submit(self._clean, kernel)

    def close(self) -> None:
        """Kill every kernel, also those being started, and wait until they are gone; harmless when done twice."""
        self._stop.set()
        for starting in self._ready:
            starting.cancel()
        self._starters.shutdown()
        self._ready.clear()
        for kernel in list(self._alive):
            self.discard(kernel)
        self._cleaners.shutdown()
        self._context.destroy(linger=0)
        if self._template is not None and self._template.exception() is None:
            template = self._template.result()
            if template is not None:
                template.close()

    def _start(self) -> CandidateKernel:
        kernel = CandidateKernel(self._start_as, self._limits, self._context, self._stop, self.template())
        self._alive.add(kernel)
        return kernel

    def _clean(self, kernel: CandidateKernel) -> None:
        kernel.clean()
