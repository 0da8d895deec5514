"""The slim kernel as a process of its own, where nothing can be forked: ``-m ....spawned -f CONNECTION_FILE``."""

from __future__ import annotations

import json
import os
import sys
import threading
import time

from refine_magic.execution.sandbox.slim import SlimKernel

LOOK_SECONDS = 0.5


def end_with(parent: int) -> None:
    """End this process soon after its parent is gone."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)


def main() -> None:
    """Serve the channels that the connection file describes, for as long as the parent lives."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    with open(sys.argv[sys.argv.index("-f") + 1]) as file:
        kernel = SlimKernel(json.load(file))
    kernel.serve()


if __name__ == "__main__":
    main()
