"""Refine until pass: a local Llama writes code, a fresh kernel runs it against checks, the failures go back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refine_magic.version import __version__

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from refine_magic.api import refine, refine_events
    from refine_magic.core.types import Trajectory

__all__ = ["Trajectory", "__version__", "load_ipython_extension", "refine", "refine_events"]

LAZY = {"refine": "refine_magic.api", "refine_events": "refine_magic.api", "Trajectory": "refine_magic.core.types"}


def __getattr__(name: str) -> Any:
    """Import the public names at first use, so that ``%load_ext`` stays quick."""
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(LAZY[name]), name)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register ``%%refine`` in IPython."""
    from refine_magic.notebook.magic import RefineMagics

    shell.register_magics(RefineMagics)
