"""An ordinary ipykernel in a forked child, where its modules are there already."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

# What a live ipykernel ends up with, its debugger included.
PRELOADED = """ipykernel.kernelapp ipykernel.ipkernel ipykernel.zmqshell ipykernel.debugger IPython.core.completerlib
    IPython.core.debugger IPython.core.oinspect IPython.extensions.storemagic tornado.gen tornado.locks tornado.queues
    tornado.platform.asyncio faulthandler encodings.idna encodings.latin_1 encodings.ascii""".split()


def prepare(connection: dict[str, Any], folder: str, arguments: list[str], parent: int) -> Any:
    """Return the kernel's application with its channels bound; `parent` is the process that it should not outlive."""
    path = os.path.join(folder, "kernel.json")
    with open(path, "w") as file:
        json.dump(connection, file)
    sys.argv = ["ipykernel_launcher", "-f", path, *arguments]
    from ipykernel.kernelapp import IPKernelApp

    # The watcher of the parent compares ids, which mean nothing across a process namespace.
    application = IPKernelApp.instance(parent_handle=0)
    application.initialize(["-f", path, *arguments])  # type: ignore[no-untyped-call]
    return application
