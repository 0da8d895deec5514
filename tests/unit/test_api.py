from __future__ import annotations

from pathlib import Path

import pytest

from refine_magic import plugins, refine
from refine_magic.core.errors import RefinementFailed, SpecError
from refine_magic.testing import FakeExecutor, ScriptedModel, fenced

CHECKS = "assert f(1) == 2\nassert f(2) == 4"
WRONG, GOOD = fenced("def f(x): return x"), fenced("def f(x): return 2 * x")


@pytest.fixture(autouse=True)
def judged_by_eye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "open_executor", lambda settings: FakeExecutor(lambda code, check: "2 * x" in code))


def test_the_trajectory_names_the_model_that_was_given() -> None:
    assert refine("Write f.", checks=CHECKS, model=ScriptedModel(GOOD)).model == "scripted"


def test_strict_raises_where_the_run_does_not_pass() -> None:
    with pytest.raises(RefinementFailed, match="not passed after 1 iterations"):
        refine("Write f.", checks=CHECKS, model=ScriptedModel(WRONG), max_iterations=1, strict=True)


def test_a_run_is_taken_up_again_where_it_ended() -> None:
    first = refine("Write f.", checks=CHECKS, model=ScriptedModel(WRONG), max_iterations=1)
    assert [it.index for it in refine(resume=first, model=ScriptedModel(GOOD)).iterations] == [1, 2]


def test_a_run_taken_up_again_keeps_its_id() -> None:
    first = refine("Write f.", checks=CHECKS, model=ScriptedModel(WRONG), max_iterations=1)
    assert refine(resume=first, model=ScriptedModel(GOOD)).id == first.id


def test_a_hint_reaches_the_model() -> None:
    first = refine("Write f.", checks=CHECKS, model=ScriptedModel(WRONG), max_iterations=1)
    model = ScriptedModel(GOOD)
    refine(resume=first, model=model, hint="double it")
    assert "double it" in model.requests[0][0][-1].content


def test_single_can_be_taken_up_again() -> None:
    first = refine("Write f.", checks=CHECKS, model=ScriptedModel(WRONG), strategy="single")
    assert len(refine(resume=first, model=ScriptedModel(GOOD)).iterations) == 2


def test_held_out_checks_do_not_reach_the_model() -> None:
    model = ScriptedModel(GOOD)
    run = refine("Write f.", checks=CHECKS, model=model, holdout=0.5)
    (hidden,) = [check.source for check in run.problem.spec.checks if not check.visible]
    assert hidden not in str(model.requests)


def test_a_struck_check_that_is_not_there_is_refused() -> None:
    first = refine("Write f.", checks=CHECKS, model=ScriptedModel(WRONG), max_iterations=1)
    with pytest.raises(SpecError, match="there is no check 'c9'"):
        refine(resume=first, strike=["c9"])


def test_checks_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"call": "f(1)", "result": 2}\n', encoding="utf-8")
    run = refine("Write f.", checks=file, model=ScriptedModel(GOOD))
    assert [check.source for check in run.problem.spec.checks] == ["assert f(1) == 2"]


def test_generated_checks_with_too_few_candidates_to_try_them_on_are_refused() -> None:
    with pytest.raises(SpecError, match="tried on 3 candidates, and at most 2"):
        refine("Write f.", model=ScriptedModel(GOOD), max_iterations=2)


def test_single_with_generated_checks_is_refused() -> None:
    with pytest.raises(SpecError, match="tried on 3 candidates, and at most 1"):
        refine("Write f.", model=ScriptedModel(GOOD), strategy="single")
