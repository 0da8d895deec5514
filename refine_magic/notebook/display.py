"""The output is the record: one display for a run, updated in place, readable without a kernel."""

from __future__ import annotations

import time
from typing import Any

from refine_magic import words
from refine_magic.core.events import CheckJudged, Event, RunEnded, RunStarted, Token
from refine_magic.core.types import MIME_TYPE, Trajectory
from refine_magic.notebook.html import to_html
from refine_magic.schema import bundle

LIVE_SECONDS = 0.2  # between two updates while text streams


class RunDisplay:
    """An observer of a run that keeps one output up to date; `again` says that the output is there already.

    Where outputs cannot be updated, as in a terminal, the end is shown and nothing before it.
    """

    def __init__(self, *, again: bool = False, updates: bool = True) -> None:
        """Show nothing before the run begins."""
        self._again, self._updates = again, updates
        self._shown = 0.0
        self.notes: list[str] = []

    def __call__(self, run: Trajectory, event: Event) -> None:
        """Show the run after an event; streaming text a few times a second, everything else at once."""
        if isinstance(event, (Token, CheckJudged)) and time.monotonic() - self._shown < LIVE_SECONDS:
            return
        if self._updates:
            self.show(run, new=isinstance(event, RunStarted) and not self._again)
        elif isinstance(event, RunEnded):
            self.show(run, new=True)

    def show(self, run: Trajectory, *, new: bool = False) -> None:
        """Display the run, or update its display."""
        from IPython.display import display

        display(mime_bundle(run, self.notes), raw=True, display_id=run.id, update=not new)
        self._shown = time.monotonic()


def mime_bundle(run: Trajectory, notes: list[str] | None = None) -> dict[str, Any]:
    """Return the record itself, a page without script, and plain text."""
    return {MIME_TYPE: bundle(run), "text/html": to_html(run, notes or []), "text/plain": to_text(run, notes or [])}


def to_text(run: Trajectory, notes: list[str]) -> str:
    """Return the run in plain text: the status, a line for each iteration, the best code."""
    lines = [words.headline(run), words.figures(run)]
    for iteration in run.iterations:
        lines.append(f"  {words.strip(iteration)}  {words.iteration_line(run, iteration)}")
    if run.code and run.status != "running":
        lines += ["", run.code]
    return "\n".join([*lines, *notes])
