"""A kernel that `jupyter_client`'s kernel manager starts, by whatever provisioner its kernelspec names."""

from __future__ import annotations

import asyncio
import functools
import sys
import tempfile
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from refine_magic.execution.kernels.kernelspecs import Start
from refine_magic.execution.kernels.lifeline import Lifeline
from refine_magic.execution.kernels.remove import remove
from refine_magic.execution.limits import environment

LOCAL = "local-provisioner"
T = TypeVar("T")


class GivenManager(KernelManager):
    """A kernel manager whose kernelspec is given, not looked up."""

    given: KernelSpec

    @property
    def kernel_spec(self) -> KernelSpec:
        """The kernelspec to start."""
        return self.given


class Managed:
    """A kernel's process as its provisioner starts it, and a folder for its connection file."""

    lifeline: Lifeline | None = None
    inside: frozenset[str] = frozenset()
    said = ""
    quiet = False

    def __init__(self, start: Start) -> None:
        """Start it. Raises what the provisioner raises."""
        self.directory = Path(tempfile.mkdtemp(prefix="refine-"))
        given: dict[str, Any] = {"connection_file": str(self.directory / "kernel.json")}
        if start.provisioner == LOCAL and sys.platform != "win32" and len(str(self.directory)) < 80:
            given |= {"transport": "ipc", "ip": str(self.directory / "s")}  # in a container it would lead nowhere
        self.manager = GivenManager(**given)
        self.manager.given = start.spec
        work = self.directory / "work"
        work.mkdir()
        env = environment(str(self.directory), str(work)) | start.spec.env
        try:
            with open(self.directory / "kernel.log", "wb") as log:
                run(self.manager._async_start_kernel(cwd=str(work), env=env, stdout=log, stderr=log))
        except BaseException:
            self.clean()
            raise
        session = self.manager.session
        self.key, self.scheme = session.key, session.signature_scheme

    def url(self, channel: str) -> str:
        """Return the address of a channel, such as ``shell``."""
        return str(self.manager._make_url(channel))

    def has_ended(self) -> bool:
        """Tell whether the process has ended."""
        return not run(self.manager._async_is_alive())

    def log(self) -> str:
        """Return the last line of what the kernel wrote to its standard error, for an error message."""
        try:
            lines = (self.directory / "kernel.log").read_text(errors="replace").strip().splitlines()
        except OSError:
            return self.said
        return f" ({lines[-1][:300]})" if lines else ""

    def kill(self) -> None:
        """Leave it to `clean`: a provisioner can only be asked to kill where there is time to wait for it."""

    def clean(self) -> None:
        """Kill the kernel, wait until it is gone, and remove the folder."""
        if self.manager.has_kernel:
            run(self.manager._async_shutdown_kernel(now=True))
        self.said = self.said or self.log()
        remove(self.directory)


@functools.cache
def provisioners_loop() -> asyncio.AbstractEventLoop:
    """Return the one event loop in which all provisioners of this process run, in a thread of its own.

    A provisioner may keep to the loop that it first met: gateway_provisioners' ResponseManager, one for all of its
    kernels, hears of no kernel that is started in another.
    """
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="refine-provisioners", daemon=True).start()
    return loop


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what a provisioner's coroutine returns. Raises what it raises."""
    return asyncio.run_coroutine_threadsafe(coroutine, provisioners_loop()).result()
