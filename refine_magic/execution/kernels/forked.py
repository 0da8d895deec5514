"""A kernel that is forked from a template, without a kernel manager: the way most candidates' kernels start."""

from __future__ import annotations

import secrets
import signal
import sys
import time
from typing import Any

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.install import start_code
from refine_magic.execution.kernels.kernelspecs import Start
from refine_magic.execution.kernels.lifeline import Lifeline
from refine_magic.execution.kernels.remove import remove
from refine_magic.execution.kernels.template import Template
from refine_magic.execution.limits import Limits, environment

SCHEME = "hmac-sha256"
PORTS = {"shell": 1, "iopub": 2, "stdin": 3, "control": 4, "hb": 5}
NEEDED = ("shell", "iopub")  # by a candidate; each channel more costs it a tenth of a millisecond
END_SECONDS = 3.0


class Forked:
    """A kernel's process and its folder, reached over ipc."""

    def __init__(self, start: Start, template: Template, limits: Limits) -> None:
        """Have it forked, and wait until it has its channels. Raises KernelStartError."""
        self.key, self.scheme = secrets.token_hex(16).encode(), SCHEME
        self.template, self.name = template, template.new_name()
        self.directory = template.base / self.name
        self.inside, self.quiet = frozenset(template.make.inside), template.make.kind == "slim"
        code = start_code(limits) if self.inside else ""
        try:
            self.lifeline: Lifeline = template.fork(self.name, self.request(start, limits, code))
        except KernelStartError:
            remove(self.directory)
            raise
        failed = self.lifeline.wait_until_ready(time.monotonic() + limits.start_seconds)
        if failed:
            self.kill()
            self.clean()
            raise KernelStartError(f"{failed}{self.log()}")

    def request(self, start: Start, limits: Limits, code: str) -> dict[str, Any]:
        """Return what the keeper is to do."""
        all_of_them = self.template.make.kind != "slim" or "stubs" in self.inside
        ports = {f"{name}_port": PORTS[name] for name in (PORTS if all_of_them else NEEDED)}
        connection = {"transport": "ipc", "ip": "s", "key": self.key.decode(), "signature_scheme": SCHEME, **ports}
        connection["quiet"] = self.quiet
        return {
            "connection": connection,
            "environment": environment(*self.template.seen_from_within(self.name)) | start.spec.env,
            "limits": limits.rlimits(),
            "most": limits.of_the_tree(),
            "argv": start.arguments or [filled(word, start) for word in start.spec.argv],
            "code": code,
        }

    def url(self, channel: str) -> str:
        """Return the address of a channel, such as ``shell``."""
        return f"ipc://{self.directory}/s-{PORTS[channel]}"

    def has_ended(self) -> bool:
        """Tell whether the process has ended."""
        return self.lifeline.has_ended()

    def log(self) -> str:
        """Return the last line of what the kernel wrote to its standard error, once it has ended."""
        lines = self.lifeline.said.strip().splitlines()
        return f" ({lines[-1][:300]})" if lines else ""

    def kill(self) -> None:
        """Kill the kernel and all it started, at once and from any thread."""
        self.lifeline.let_go()

    def clean(self) -> None:
        """Wait until everything is gone, and remove the folder."""
        if not self.lifeline.wait_until_gone(END_SECONDS):
            self.lifeline.signal_keeper(signal.SIGKILL)
            self.lifeline.wait_until_gone(END_SECONDS)
        self.lifeline.close()
        remove(self.directory)


def filled(word: str, start: Start) -> str:
    """Return a word of a kernelspec's command; the connection file's place is filled in where the kernel is."""
    word = word.replace("{connection_file}", "{connection}").replace("{prefix}", sys.prefix)
    return word.replace("{resource_dir}", start.spec.resource_dir)
