"""Whatever a candidate sends, the host keeps little of it."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path

import pytest

from tests.hostile.case import LEVELS
from tests.hostile.resources import FLOODS
from tests.hostile.rigs import HASTY

MOST = 60_000_000


class Peak:
    """The most memory that this process has in use while the block runs, above what it had before."""

    def __enter__(self) -> Peak:
        gc.collect()
        self.before = self.most = resident()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()
        return self

    def look(self) -> None:
        while not self.over.wait(0.005):
            self.most = max(self.most, resident())

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()

    @property
    def growth(self) -> int:
        return self.most - self.before


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in FLOODS])
def test_a_flood_costs_the_host_little_memory(rig_at, level, case):
    rig = rig_at(level, HASTY)
    with Peak() as peak:
        rig.judge(case.code)
    assert peak.growth < MOST
