"""Remove a folder that a candidate has had, however deep, and whatever it did to the permissions in it."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat


def clear(folder: str) -> None:
    """Remove a file, or a folder with all that is in it; links are not followed, and what is gone already is no error.

    What lies deeper is moved up first, so that no path grows long and nothing recurses, as `shutil.rmtree` does.
    """
    with contextlib.suppress(OSError):
        os.unlink(folder)
    mark, moved = secrets.token_hex(8), 0
    left = emptied(folder)
    while left:
        path = os.path.join(folder, left.pop())
        for name in emptied(path):
            moved += 1
            with contextlib.suppress(OSError):
                rename(os.path.join(path, name), os.path.join(folder, f"{mark}-{moved}"))
                left.append(f"{mark}-{moved}")
        with contextlib.suppress(OSError):
            os.rmdir(path)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def emptied(folder: str) -> list[str]:
    """Remove all that is no folder from one; return the names of the folders in it."""
    below: list[str] = []
    with contextlib.suppress(OSError):
        if stat.S_IMODE(os.lstat(folder).st_mode) & stat.S_IRWXU != stat.S_IRWXU:
            os.chmod(folder, stat.S_IRWXU)
        with os.scandir(folder) as found:
            entries = list(found)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                below.append(entry.name)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)
    return below


def rename(folder: str, there: str) -> None:
    """Move a folder, whose own permissions can be in the way of that. Raises OSError."""
    try:
        os.rename(folder, there)
    except PermissionError:
        os.chmod(folder, stat.S_IRWXU)
        os.rename(folder, there)
