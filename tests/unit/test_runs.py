from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from refine_magic.core.errors import SpecError
from refine_magic.core.types import MIME_TYPE, Trajectory
from refine_magic.notebook.runs import Runs
from refine_magic.schema import bundle
from tests.unit.samples import answer, run

SHELL = SimpleNamespace(user_ns={})
PLAYED = run(answer(1), answer(1, 2, 3)).last


def named(identity: str) -> Trajectory:
    return PLAYED.model_copy(update={"id": identity})


def remembered(*ids: str) -> Runs:
    runs = Runs(SHELL)
    for identity in ids:
        runs.remember(named(identity))
    return runs


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = nbformat.v4.new_output("display_data", data={MIME_TYPE: bundle(named("saved-1"))})
    broken = nbformat.v4.new_output("display_data", data={MIME_TYPE: {"schema_version": 99}})
    cell = nbformat.v4.new_code_cell("%%refine", outputs=[output, broken])
    file = tmp_path / "n.ipynb"
    file.write_text(json.dumps(nbformat.v4.new_notebook(cells=[cell])), encoding="utf-8")
    monkeypatch.setenv("JPY_SESSION_NAME", str(file))


def test_the_last_run_is_meant_without_an_id() -> None:
    assert remembered("aaaa1", "bbbb1").find("").id == "bbbb1"


def test_a_run_that_was_shown_again_is_the_last() -> None:
    assert remembered("aaaa1", "bbbb1", "aaaa1").find("").id == "aaaa1"


def test_the_beginning_of_an_id_is_enough() -> None:
    assert remembered("aaaa1", "bbbb1").find("aaaa").id == "aaaa1"


def test_too_short_a_beginning_is_refused() -> None:
    with pytest.raises(SpecError, match="at least 4 characters"):
        remembered("aaaa1").find("aa")


def test_a_run_of_the_saved_notebook_is_found_by_a_new_kernel(saved: None) -> None:
    assert Runs(SHELL).find("saved").id == "saved-1"


def test_the_last_run_of_the_saved_notebook_is_meant_without_an_id(saved: None) -> None:
    assert Runs(SHELL).find("").id == "saved-1"


def test_an_unknown_run_is_refused(saved: None) -> None:
    with pytest.raises(SpecError, match="no run 'cccc'"):
        remembered("aaaa1").find("cccc")


def test_without_any_run_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    with pytest.raises(SpecError, match="there is no run in this kernel"):
        Runs(SHELL).find("")
