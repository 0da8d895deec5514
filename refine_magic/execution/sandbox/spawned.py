"""The slim kernel as a process of its own, where nothing can be forked: ``-m ....spawned -f CONNECTION_FILE``."""

from __future__ import annotations

import json
import sys

from refine_magic.execution.sandbox.slim import SlimKernel


def main() -> None:
    """Serve the channels that the connection file describes."""
    with open(sys.argv[sys.argv.index("-f") + 1]) as file:
        kernel = SlimKernel(json.load(file))
    kernel.serve()


if __name__ == "__main__":
    main()
