"""Reference solutions of MBPP are right, so a real kernel says so: a fixed sample of all the kinds of check."""

from __future__ import annotations

import pytest

from tests.contracts.mbpp import spec_of, task

# Lists, tuples, sets, dicts, floats, complex, strings, None, bool; classes under test (367, 927: the setup uses the
# candidate's Node), a builtin defined anew (126), capitalised functions (95, 359), sets and isclose on the host,
# module-level constants (1), imports, regular expressions, generators and in-place changes.
SAMPLE = (
    1, 2, 3, 4, 8, 16, 57, 95, 98, 102, 124, 126, 158, 252, 279, 359, 367, 410, 424, 474, 516, 600, 738, 769, 801,
    927, 969,
)  # fmt: skip


@pytest.mark.parametrize("number", SAMPLE)
def test_a_reference_solution_passes(judged, number):
    assert judged(task(number).code, spec_of(task(number))).outcome == "passed"


@pytest.mark.parametrize("number", [1, 95, 367, 927])
def test_a_solution_that_returns_nothing_does_not_pass(judged, number):
    code = (
        task(number).code
        + "\nimport types\nfor _name, _value in dict(globals()).items():\n"
        + ("    if isinstance(_value, types.FunctionType): globals()[_name] = lambda *a: 'nothing'\n")
    )
    assert judged(code, spec_of(task(number))).outcome == "failed"
