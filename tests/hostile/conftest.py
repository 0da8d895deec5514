"""One executor for each level and each set of limits, for as long as a module's tests last."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from refine_magic.core.errors import IsolationUnavailable
from refine_magic.execution.limits import Limits
from tests.hostile.rigs import USUAL, Rig
from tests.hostile.world import World, open_world

Rigs = Callable[..., Rig]


@pytest.fixture
def world() -> Iterator[World]:
    with open_world() as made:
        yield made


@pytest.fixture(scope="module")
def rig_at() -> Iterator[Rigs]:
    """Return the rig of a level, made at its first use; a level that cannot be had skips the test."""
    made: dict[tuple[str, Limits], Rig | IsolationUnavailable] = {}

    def get(level: str, limits: Limits = USUAL) -> Rig:
        if (level, limits) not in made:
            try:
                made[level, limits] = Rig(level, limits)
            except IsolationUnavailable as error:
                made[level, limits] = error
        found = made[level, limits]
        if isinstance(found, IsolationUnavailable):
            pytest.skip(str(found))
        return found

    yield get
    for rig in made.values():
        if isinstance(rig, Rig):
            rig.close()
