"""On older versions of Landlock the system call filter does what Landlock does not: the same promises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Settings
from refine_magic.execution.executor import KernelExecutor
from tests.hostile import damage, escapes, fine, network
from tests.hostile.rigs import USUAL, execute_only
from tests.hostile.test_table import is_for, missing

# Before version 6 a candidate's signals are refused by the process that they name: its children's too.
NO_SIGNALS = ("a process that is terminated", "a program that takes too long")
CASES = [
    pytest.param(abi, case, id=f"{abi}-{theme.__name__.rpartition('.')[2]}-{case.name}")
    for abi in (1, 5)
    for theme in (damage, escapes, network, fine)
    for case in theme.CASES
    if "landlock" in case.only and case.name not in NO_SIGNALS and is_for(case)
]


@pytest.fixture(scope="module")
def executor_with():
    made: dict[int, KernelExecutor] = {}

    def get(abi: int) -> KernelExecutor:
        if abi not in made:
            executor = made[abi] = KernelExecutor(Settings(), USUAL)  # "auto": nothing is started yet
            pool = executor._pool
            pool._isolation, make = "landlock", pool._start_as.make
            pool._start_as = replace(pool._start_as, make=replace(make, abi=abi))
            try:
                pool.template()
            except IsolationUnavailable as error:
                pytest.skip(str(error))
        return made[abi]

    yield get
    for executor in made.values():
        executor.close()


@pytest.mark.parametrize(("abi", "case"), CASES)
def test_an_older_landlock_keeps_the_same_promises(executor_with, world, abi, case):
    if missing(case):
        pytest.skip(missing(case))
    executor = executor_with(abi)
    code = case.code
    for name, place in world.places(executor._pool.template()).items():
        code = code.replace(f"<<{name}>>", str(place))
    outcome = execute_only(executor, code, case.check).outcome
    spoiled = "landlock" in case.spoils
    assert (outcome in case.outcomes("landlock"), {} if spoiled else world.harm()) == (True, {}), outcome
