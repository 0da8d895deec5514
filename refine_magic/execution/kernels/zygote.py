"""A `jupyter_client` provisioner that has a kernel forked from a template, confined and watched."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from typing import Any, cast

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase
from traitlets import Dict, Enum, List, Unicode

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.levels import LEVELS, strongest
from refine_magic.execution.kernels.lifeline import Lifeline
from refine_magic.execution.kernels.template import Kind, Make, Template
from refine_magic.execution.limits import Limits, environment

END_SECONDS = 3.0


class ZygoteProvisioner(KernelProvisionerBase):
    """Start a kernel in a confined process that is forked from a template, and kill all that it started.

    For kernelspecs that name it: such a kernel has a template of its own. Candidates' kernels share one, without this.
    """

    kind = Enum(["slim", "ipykernel", "command"], "slim", help="what runs in the forked process").tag(config=True)
    python = Unicode(help="the Python whose modules are there beforehand; this one, if empty").tag(config=True)
    isolation = Enum(["auto", *LEVELS], "limits", help="the isolation level").tag(config=True)
    arguments = List(Unicode(), help="more arguments for ipykernel").tag(config=True)
    limits = Dict(help="limits by the names of refine_magic.execution.limits.Limits").tag(config=True)

    lifeline: Lifeline | None = None
    template: Template | None = None

    @property
    def has_process(self) -> bool:
        """Tell whether there is a kernel."""
        return self.lifeline is not None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Choose the kernel's folder and its channels. Raises IsolationUnavailable and KernelStartError."""
        manager: Any = self.parent
        if self.template is None:
            make = Make(cast(Kind, self.kind), self.python or sys.executable)
            self.template = await asyncio.to_thread(strongest, make, self.isolation)
        self.name = self.template.new_name()
        manager.write_connection_file()
        self.connection_info: KernelConnectionInfo = manager.get_connection_info()
        command = []
        if self.kind == "command":
            manager.connection_file, given = "{connection}", manager.connection_file
            command = manager.format_kernel_cmd(kwargs.pop("extra_arguments", []))
            manager.connection_file = given
        kwargs["env"] = environment(*self.template.seen_from_within(self.name))
        return await super().pre_launch(cmd=command or self.arguments, **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Have the kernel forked, and wait until it has its channels. Raises KernelStartError."""
        limits = Limits(**self.limits)
        key = self.connection_info["key"]
        text = key.decode() if isinstance(key, bytes) else key
        request = {
            "connection": {**self.connection_info, "key": text},
            "environment": kwargs["env"],
            "limits": limits.rlimits(),
            "most": limits.of_the_tree(),
            "argv": list(cmd),
            "code": "",
        }
        assert self.template is not None
        self.lifeline = self.template.fork(self.name, request)
        failed = self.lifeline.wait_until_ready(time.monotonic() + limits.start_seconds)
        if failed:
            raise KernelStartError(failed)
        self.pid, self.pgid = self.lifeline.pid, self.lifeline.pid
        return self.connection_info

    def let_go(self) -> None:
        """Have everything of the kernel killed, at once and from any thread."""
        if self.lifeline is not None:
            self.lifeline.let_go()

    async def poll(self) -> int | None:
        """Return None while the kernel runs, else its exit status."""
        if self.lifeline is None:
            return 0
        if not self.lifeline.has_ended():
            return None
        return exit_status(self.lifeline.status)

    async def wait(self) -> int | None:
        """Wait until the kernel and all it started is gone."""
        lifeline = self.lifeline
        if lifeline is None:
            return None
        if not await asyncio.to_thread(lifeline.wait_until_gone, END_SECONDS):
            lifeline.signal_keeper(signal.SIGKILL)
            lifeline.wait_until_gone(END_SECONDS)
        lifeline.close()
        self.lifeline = None
        return exit_status(lifeline.status)

    async def send_signal(self, signum: int) -> None:
        """Send the kernel a signal."""
        if self.lifeline is not None and signum:
            self.lifeline.send(signum)

    async def kill(self, restart: bool = False) -> None:
        """Kill the kernel and everything it started."""
        self.let_go()

    async def terminate(self, restart: bool = False) -> None:
        """Do the same as `kill`: a candidate has nothing to put in order."""
        self.let_go()

    async def cleanup(self, restart: bool = False) -> None:
        """End the template, where it is this kernel's own."""
        if self.template is not None and not restart:
            self.template.close()
            self.template = None


def exit_status(status: int | None) -> int:
    """Return a wait status as a subprocess would: minus the signal, or the exit code."""
    return -signal.SIGKILL if status is None else os.waitstatus_to_exitcode(status)
