"""Fresh kernels that wait for their candidate, whatever starts them, and the end of those that were used."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from typing import Generic, Protocol, TypeVar

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.asked import Asked


class Pool(Protocol):
    """Where kernels that nobody has used come from."""

    def prepare(self) -> None:
        """Start kernels in the background until enough are ready or on their way."""

    def lend(self) -> AbstractContextManager[Asked]:
        """Lend a fresh kernel, and kill it at the end of the block. Raises KernelStartError."""

    def close(self) -> None:
        """Kill every kernel; harmless when done twice."""


class Fresh(Protocol):
    """A kernel as those see it who look after it."""

    def is_alive(self) -> bool:
        """Tell whether it is there to be asked."""

    def kill(self) -> None:
        """Kill it at once; harmless when done twice."""

    def clean(self) -> None:
        """Wait until it is gone, and give back what it held."""


K = TypeVar("K", bound=Fresh)


class Spares(ABC, Generic[K]):
    """Hands out kernels that nobody has used, and cleans up after those that were used; any thread may ask."""

    def __init__(self, spare: int = 1, cleaners: int = 1) -> None:
        """Keep `spare` kernels ready, and let so many threads clean up; nothing starts yet."""
        self._spare = spare
        self._stop = threading.Event()
        self._ready: deque[Future[K]] = deque()
        self._alive: set[K] = set()
        self._cleaning: set[Future[None]] = set()
        self._turn = threading.RLock()
        self._starters = ThreadPoolExecutor(max_workers=spare, thread_name_prefix="refine-kernel-start")
        self._cleaners = ThreadPoolExecutor(max_workers=cleaners, thread_name_prefix="refine-kernel-clean")

    @abstractmethod
    def _make(self) -> K:
        """Start a kernel. Raises KernelStartError."""

    def prepare(self) -> None:
        """Start kernels in the background until enough are ready or on their way."""
        with self._turn:
            while len(self._ready) < self._spare and not self._stop.is_set():
                self._ready.append(self._starters.submit(self._start))

    def take(self) -> K:
        """Return a fresh kernel, which is the caller's to discard. Raises KernelStartError."""
        while True:
            with self._turn:
                self.prepare()
                if not self._ready:
                    raise KernelStartError("the pool of kernels is closed")
                starting = self._ready.popleft()
            try:
                kernel = starting.result()
            except BaseException:
                if not starting.done():  # an interrupt came first, so it is the next one's
                    self._ready.appendleft(starting)
                raise
            if kernel.is_alive():
                return kernel
            self.discard(kernel)  # it ended while it waited, so no candidate is to blame

    @contextmanager
    def lend(self) -> Generator[K, None, None]:
        """Lend a fresh kernel, and kill it at the end of the block. Raises KernelStartError."""
        kernel = self.take()
        try:
            yield kernel
        finally:
            self.discard(kernel)

    def discard(self, kernel: K) -> None:
        """Kill a kernel at once and clean up after it in the background; harmless when done twice."""
        kernel.kill()
        with self._turn:
            if kernel in self._alive:
                self._alive.discard(kernel)
                cleaning = self._cleaners.submit(kernel.clean)
                self._cleaning.add(cleaning)
                cleaning.add_done_callback(self._cleaning.discard)

    def settle(self) -> None:
        """Wait until every kernel that was given back is gone."""
        wait(list(self._cleaning))

    def close(self) -> None:
        """Kill every kernel, also those being started, and wait until they are gone; harmless when done twice."""
        self._stop.set()
        for starting in list(self._ready):
            starting.cancel()
        self._starters.shutdown()
        self._ready.clear()
        for kernel in list(self._alive):
            self.discard(kernel)
        self._cleaners.shutdown()

    def _start(self) -> K:
        kernel = self._make()
        self._alive.add(kernel)
        return kernel
