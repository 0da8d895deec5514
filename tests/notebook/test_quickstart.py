"""The quickstart notebook, executed in a real kernel, and what is left of it without one."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert.exporters import HTMLExporter

from refine_magic.core.types import MIME_TYPE
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    notebook = nbformat.read(ROOT / "notebooks" / "01-quickstart.ipynb", as_version=4)
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    return notebook


@pytest.fixture(scope="module")
def outputs(executed):
    return [output for cell in executed.cells for output in cell.get("outputs", [])]


def test_it_leaves_one_record(outputs):
    assert sum(MIME_TYPE in output.get("data", {}) for output in outputs) == 1


def test_its_record_has_at_least_two_iterations(outputs):
    (record,) = [output["data"][MIME_TYPE] for output in outputs if MIME_TYPE in output.get("data", {})]
    assert len(record["iterations"]) >= 2


def test_its_code_was_run_in_the_notebook(outputs):
    assert any("89" in output.get("data", {}).get("text/plain", "") for output in outputs)


def test_the_executed_notebook_is_valid(executed):
    nbformat.validate(executed)


def test_nbconvert_shows_the_run_without_a_kernel(executed):
    page, _ = HTMLExporter().from_notebook_node(executed)
    assert "Diff from iteration 1" in page


def test_the_notebook_is_committed_without_outputs():
    notebook = nbformat.read(ROOT / "notebooks" / "01-quickstart.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
