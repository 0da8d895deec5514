"""Put accepted code into a new cell below, once for each cell and code, where the front end tells which cell it is."""

from __future__ import annotations

from typing import Any

from refine_magic.core.types import Trajectory
from refine_magic.notebook.raw import cell_id


class Inserter:
    """Remembers what it put below which cell, so that running a cell again does not pile up cells."""

    def __init__(self) -> None:
        """Begin with nothing inserted."""
        self._inserted: dict[str, str] = {}

    def insert(self, shell: Any, run: Trajectory) -> str | None:
        """Put the run's code below its cell without running it; return a note where the same code was put there before.

        The front end is asked through IPython's `set_next_input`; one without it, such as nbclient, does nothing.
        """
        best = run.best_iteration
        if best is None:
            return None
        cell = cell_id(shell)
        if cell is not None and self._inserted.get(cell) == best.candidate.digest:
            return "The same code was put into a cell below by an earlier run of this cell."
        if cell is not None:
            self._inserted[cell] = best.candidate.digest
        shell.set_next_input(best.candidate.code, replace=False)
        return None
