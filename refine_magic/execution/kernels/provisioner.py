"""A `jupyter_client` provisioner that starts a kernel under our supervisor; faster ones can take its place."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from traitlets import Dict, Unicode

SUPERVISOR = Path(__file__).parents[1] / "sandbox" / "supervisor.py"
WAIT_SECONDS = 3.0
NAME = "refine-magic-supervised"


def kill_marked(marker: str) -> None:
    """Kill what a killed supervisor has left: every process that was started with the marker in its environment."""
    sign = marker.encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if sign in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)


class SupervisedProvisioner(LocalProvisioner):
    """Start a local kernel in a session of its own, under rlimits, and kill all that it started."""

    rlimits = Dict(help="rlimits by their names in the resource module").tag(config=True)
    directory = Unicode(help="the kernel's own directory, which is removed after it").tag(config=True)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Launch the kernel's command under the supervisor, whose standard input is its lifeline."""
        if sys.platform == "win32":
            return await super().launch_kernel(cmd, **kwargs)
        supervised = [
            sys.executable,
            "-I",
            "-S",
            str(SUPERVISOR),
            json.dumps(dict(self.rlimits)),
            self.directory,
            "--",
            *cmd,
        ]
        return await super().launch_kernel(supervised, stdin=subprocess.PIPE, start_new_session=True, **kwargs)

    def let_go(self) -> None:
        """Close the lifeline, at once and from any thread: the supervisor kills everything below it and ends.

        SIGTERM says the same, should a process that was forked from this one hold the lifeline too; SIGCONT is for a
        supervisor that a candidate has stopped.
        """
        process = self.process
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
            if sys.platform != "win32" and process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.send_signal(signal.SIGCONT)

    async def kill(self, restart: bool = False) -> None:
        """Kill the kernel and everything it started."""
        if sys.platform == "win32":
            await super().kill(restart=restart)
        self.let_go()
        return

    async def terminate(self, restart: bool = False) -> None:
        """Do the same as `kill`: a candidate has nothing to put in order."""
        await self.kill(restart=restart)

    async def wait(self) -> int | None:
        """Wait for the supervisor's end, without the pause of 100 ms between two looks."""
        if self.process is None:
            return None
        process, until = self.process, time.monotonic() + WAIT_SECONDS
        while process.poll() is None:
            if time.monotonic() > until:
                process.kill()
            await asyncio.sleep(0.003)
        status: int = process.returncode
        if status < 0 and self.directory:
            kill_marked(self.directory)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.process = None
        return status
