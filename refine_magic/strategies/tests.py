"""The default: propose, and propose again from the best so far with what its checks found."""

from __future__ import annotations

from collections.abc import Generator

from refine_magic.core.events import Event
from refine_magic.core.protocols import Model
from refine_magic.core.types import Candidate, Move, Rejection, Trajectory
from refine_magic.prompting.messages import messages
from refine_magic.prompting.reply import ask


class CheckGated:
    """C = M(P), then C = M(P, C_best, E): only the checks speak."""

    name = "tests"
    max_iterations: int | None = None

    def propose(self, run: Trajectory, move: Move, model: Model) -> Generator[Event, None, Candidate | Rejection]:
        """Ask for the next candidate. Raises ModelError."""
        return (yield from ask(run, move, messages(run, move), model))
