"""The cell as the user wrote it: IPython strips ``>>>`` before a magic sees it, and doctests would vanish."""

from __future__ import annotations

import contextlib
import re
from typing import Any

PROMPTS = re.compile(r"^[ \t]*(>>>|\.\.\.)( |$)", re.MULTILINE)


def raw_cell(shell: Any, magic: str, cell: str) -> tuple[str, int]:
    """Return the cell's body with its doctest prompts, and how many lines stand above it.

    The source is the request that is being served, else the history; either counts only if it is this very cell.
    """
    for source in sources(shell):
        head, newline, body = source.lstrip("\n").partition("\n")
        if newline and head.lstrip().startswith(magic) and same(body, cell):
            return body, 1 + len(source) - len(source.lstrip("\n"))
    return cell, 1


def sources(shell: Any) -> list[str]:
    """Return the texts that may be the cell's own."""
    found = []
    kernel = getattr(shell, "kernel", None)
    if kernel is not None:
        with contextlib.suppress(KeyError, TypeError, AttributeError, LookupError):
            found.append(str(kernel.get_parent("shell")["content"]["code"]))
    history = getattr(shell.history_manager, "input_hist_raw", [])
    return [*found, *history[-1:]]


def same(raw: str, cell: str) -> bool:
    """Tell whether the two are one cell, doctest prompts and white space aside."""
    return squeeze(raw) == squeeze(cell)


def squeeze(text: str) -> str:
    """Return the text without prompts and white space."""
    return re.sub(r"\s+", "", PROMPTS.sub("", text))


def cell_id(shell: Any) -> str | None:
    """Return the id of the notebook cell that is being run, where the front end tells it."""
    kernel = getattr(shell, "kernel", None)
    try:
        found = kernel.get_parent("shell")["metadata"].get("cellId")  # type: ignore[union-attr]
    except (KeyError, TypeError, AttributeError, LookupError):
        return None
    return str(found) if found else None
