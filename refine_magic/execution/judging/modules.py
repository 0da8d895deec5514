"""Which of the stand-alone modules a kernel gets beside the harness, when something needs them."""

from __future__ import annotations

import importlib.resources
from functools import cache

RUNNER = ("asserts", "runner")
JUDGE = ("decoder", "contents", "crossing", "stubs", *RUNNER, "bench")
SERVING = ("decoder", "contents", "crossing", "serving")
PYTEST = ("pytests",)
PROGRAM = ("program",)


@cache
def install(names: tuple[str, ...]) -> str:
    """Return the harness's request that brings these modules in, in order; one that is there already stays."""
    files = importlib.resources.files("refine_magic.execution.inside")
    return f"install({ {f'_refine_{name}': files.joinpath(f'{name}.py').read_text('utf-8') for name in names}!r})"
