"""Remove a folder that a candidate has had, whatever it did in it."""

from __future__ import annotations

from pathlib import Path

from refine_magic.execution.sandbox.clear import clear


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it; what is gone already is no error."""
    clear(str(folder))
