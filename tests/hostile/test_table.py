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
CASES = [
    pytest.param(level, case, id=f"{level}-{theme.__name__.rpartition('.')[2]}-{case.name}")
    for theme in THEMES
    for level in LEVELS
    for case in theme.CASES
    if level in case.only
]


def missing(case: Case) -> str:
    """Return what this machine lacks for a case, or nothing."""
    for need in case.needs:
        if need == "root" and os.geteuid() != 0:
            return "only root can do it"
        if need == "user" and os.geteuid() == 0:
            return "only for a user who is not root"
        if need == "x86_64" and platform.machine() != need:
            return "the system call numbers are those of x86-64"
        if need not in ("root", "user", "x86_64") and importlib.util.find_spec(need) is None:
            return f"{need} is not installed"
    return ""


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
