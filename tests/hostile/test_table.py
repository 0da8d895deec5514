"""Every hostile candidate, at every level that this machine has: its outcome, the world, and what it leaves."""

from __future__ import annotations

import importlib.util
import os
import platform

import pytest

from tests.hostile import badinput, cheats, damage, escapes, fine, frontend, hangs, network, resources
from tests.hostile.case import LEVELS, Case
from tests.hostile.rigs import HASTY, PLAIN, USUAL

THEMES = (fine, badinput, frontend, cheats, hangs, resources, network, escapes, damage)
HERE = {"root": os.geteuid() == 0, "user": os.geteuid() != 0, "x86_64": platform.machine() == "x86_64"}


def is_for(case: Case) -> bool:
    """Tell whether a case is for this user, and has this machine's system call numbers."""
    return all(HERE.get(need, True) for need in case.needs)


CASES = [
    pytest.param(level, case, id=f"{level}-{theme.__name__.rpartition('.')[2]}-{case.name}")
    for theme in THEMES
    for level in LEVELS
    for case in theme.CASES
    if level in case.only and is_for(case)
]


def missing(case: Case) -> str:
    """Return what this machine lacks for a case, or nothing."""
    lacking = [need for need in case.needs if need not in HERE and importlib.util.find_spec(need) is None]
    return f"{lacking[0]} is not installed" if lacking else ""


@pytest.mark.parametrize(("level", "case"), CASES)
def test_a_hostile_candidate_has_its_outcome_and_leaves_nothing(rig_at, world, level, case):
    if missing(case):
        pytest.skip(missing(case))
    rig = rig_at(level, HASTY if case.hasty else USUAL)
    code = case.code
    for name, place in world.places(rig.template).items():
        code = code.replace(f"<<{name}>>", str(place))
    rig.begin()
    result = rig.judge(code, case.check)
    said = result.model_dump_json()
    assert {
        "outcome": result.outcome if result.outcome not in case.outcomes(level) else "right",
        "left": rig.remains(),
        "harm": {} if level in case.spoils else world.harm(),
        "said": [word for word in (world.secret, case.unsaid) if word and word in said and level not in case.spoils],
        "next": rig.judge(PLAIN).outcome,
    } == {"outcome": "right", "left": {}, "harm": {}, "said": [], "next": "passed"}, said[:3000]
