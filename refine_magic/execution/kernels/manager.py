"""`jupyter_client`'s kernel manager, for kernels that live for a second."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from refine_magic.execution.kernels.template import Template

PORTS = {"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5}


class CandidateManager(KernelManager):
    """A kernel manager whose kernelspec and template are given, not looked up."""

    given: KernelSpec
    template: Template | None = None
    folder_name = ""

    @property
    def kernel_spec(self) -> KernelSpec:
        """The kernelspec to start."""
        return self.given

    def start(self, **kwargs: Any) -> None:
        """Do what `start_kernel` does.

        What that wraps is called directly, because it sleeps 10 ms for the sake of jupyter_client's own tests
        (`in_pending_state`, jupyter_client/manager.py).
        """
        with own_loop() as loop:
            loop.run_until_complete(inspect.unwrap(KernelManager._async_start_kernel)(self, **kwargs))

    def end(self) -> None:
        """Do what ``shutdown_kernel(now=True)`` does, without its looks at the kernel every 100 ms."""
        with own_loop() as loop:
            loop.run_until_complete(self._end())

    async def _end(self) -> None:
        if self.provisioner is not None and self.provisioner.has_process:
            await self.provisioner.kill()
            await self.provisioner.wait()
        await self._async_cleanup_resources()


@contextmanager
def own_loop() -> Generator[asyncio.AbstractEventLoop, None, None]:
    """Lend an event loop, and close it: jupyter_client would leave one per thread to the garbage collector."""
    loop = asyncio.new_event_loop()
    try:
        yield loop
    finally:
        loop.close()
