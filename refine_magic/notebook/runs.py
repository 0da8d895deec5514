"""The runs of this kernel by their ids, and those of a saved notebook, which a new kernel does not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from refine_magic.core.errors import RefineError, SpecError
from refine_magic.core.types import MIME_TYPE, Trajectory
from refine_magic.notebook.checks import notebook_file
from refine_magic.schema import load

SHORTEST = 4


class Runs:
    """Remembers each run as it is now; the last one is what `--continue` means without an id."""

    def __init__(self, shell: Any) -> None:
        """Begin with none."""
        self._shell = shell
        self._runs: dict[str, Trajectory] = {}

    def remember(self, run: Trajectory) -> None:
        """Take down the run as it is now, as the last one."""
        self._runs.pop(run.id, None)
        self._runs[run.id] = run

    def is_here(self, run: Trajectory) -> bool:
        """Tell whether the run's output was made by this kernel, so that it can be updated."""
        return run.id in self._runs

    def find(self, wanted: str) -> Trajectory:
        """Return the run with that id, or its beginning; the last one for an empty text.

        A run that this kernel does not know is looked for in the notebook's file, as it was saved. Raises SpecError.
        """
        if not wanted and self._runs:
            return list(self._runs.values())[-1]
        known = match(wanted, list(self._runs.values()))
        if wanted and known is not None:
            return known
        saved = records(notebook_file(self._shell))
        found = match(wanted, saved) if wanted else (saved[-1] if saved else None)
        if found is None:
            which = f"no run {wanted!r}" if wanted else "no run"
            raise SpecError(f"there is {which} in this kernel, and none in the notebook as it was last saved")
        return found


def match(wanted: str, runs: list[Trajectory]) -> Trajectory | None:
    """Return the last run whose id begins so. Raises SpecError where the beginning is too short to mean one."""
    if wanted and len(wanted) < SHORTEST:
        raise SpecError(f"{wanted!r}: give at least {SHORTEST} characters of the run's id")
    return next((run for run in reversed(runs) if wanted and run.id.startswith(wanted)), None)


def records(file: Path | None) -> list[Trajectory]:
    """Return the runs that a saved notebook holds, in the order of its cells; what cannot be read is left out."""
    if file is None:
        return []
    import nbformat

    try:
        cells = nbformat.read(file, as_version=4).cells
    except (OSError, ValueError, nbformat.ValidationError):
        return []
    found = []
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        record = output.get("data", {}).get(MIME_TYPE)
        try:
            found += [load(json.dumps(record))] if record is not None else []
        except RefineError:
            continue
    return found
