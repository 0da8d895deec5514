"""``trace``: what ``annotated`` tells, and the values of the locals at the line where the code failed."""

from __future__ import annotations

from refine_magic.core.types import RemoteError
from refine_magic.feedback import report
from refine_magic.feedback.annotated import Annotated
from refine_magic.feedback.quote import one_line, shorten


class Trace(Annotated):
    """Annotated, with the locals of the innermost frame of the candidate's."""

    name = "trace"

    def error(self, error: RemoteError) -> str:
        """Return the locals at the failing line, below the traceback."""
        values = [f"  {one_line(name, 60)} = {one_line(value, 120)}" for name, value in error.locals.items()][:12]
        shown = ["locals at the failing line:", *values] if values else []
        return "\n".join([shorten(report.trace(error).strip(), 300 if values else 2048), *shown])
