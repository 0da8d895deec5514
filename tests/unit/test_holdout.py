from __future__ import annotations

import pytest

from refine_magic.core.types import Check, Spec
from refine_magic.specs.holdout import hold_out


def spec(user: int, doctests: int = 0) -> Spec:
    made = [Check(id=f"c{n}", source=f"assert f({n}) == {n}") for n in range(user)]
    made += [Check(id=f"d{n}", source=f">>> f({n})\n{n}", origin="doctest") for n in range(doctests)]
    return Spec(checks=tuple(made))


def hidden(held: Spec) -> list[str]:
    return [check.id for check in held.checks if not check.visible]


@pytest.mark.parametrize(("share", "number"), [(0.0, 0), (0.1, 1), (0.5, 5), (0.99, 9)])
def test_the_share_is_rounded_up_and_leaves_one_visible(share: float, number: int) -> None:
    assert len(hidden(hold_out(spec(10), share))) == number


def test_all_of_the_user_s_checks_can_be_held_out_where_the_prompt_shows_others() -> None:
    assert len(hidden(hold_out(spec(2, doctests=1), 0.99))) == 2


def test_doctests_are_never_held_out() -> None:
    assert not {"d0", "d1"} & set(hidden(hold_out(spec(2, doctests=2), 0.9)))


def test_a_single_check_is_not_held_out() -> None:
    assert hidden(hold_out(spec(1), 0.9)) == []


def test_the_choice_is_the_same_every_time() -> None:
    assert hidden(hold_out(spec(9), 0.3)) == hidden(hold_out(spec(9), 0.3))


def test_no_checks_at_all_is_no_error() -> None:
    assert hidden(hold_out(Spec(), 0.5)) == []
