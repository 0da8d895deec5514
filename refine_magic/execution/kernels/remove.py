"""Remove a folder that a candidate has had, whatever it did to the permissions in it."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it; what is gone already is no error."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        open_up(folder)
        shutil.rmtree(folder, ignore_errors=True)


def open_up(folder: Path) -> None:
    """Give ourselves every right on the folders below, links left alone."""
    frontier = [folder]
    while frontier:
        current = frontier.pop()
        with contextlib.suppress(OSError):
            current.chmod(stat.S_IRWXU)
            frontier += [Path(entry.path) for entry in os.scandir(current) if entry.is_dir(follow_symlinks=False)]
