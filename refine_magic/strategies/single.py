"""The baseline: one candidate, judged, never refined."""

from __future__ import annotations

from refine_magic.strategies.tests import CheckGated


class Single(CheckGated):
    """C = M(P), and that is all."""

    name = "single"
    max_iterations: int | None = 1
