"""``refine-magic doctor`` and ``refine-magic demo``."""

from __future__ import annotations

import json

import nbformat
import pytest
from click.testing import CliRunner

from refine_magic import cli
from refine_magic.core.types import MIME_TYPE
from refine_magic.version import __version__


@pytest.fixture(scope="module")
def findings():
    done = CliRunner().invoke(cli.main, ["doctor", "--json"])
    return {found["name"]: found for found in json.loads(done.stdout)["findings"]}


LOOKED_AT = ["Python", "refine-magic", "kernelspec", "isolation", "candidate kernel", "Ollama", "front end"]


@pytest.mark.parametrize("name", LOOKED_AT)
def test_doctor_looks_at(findings, name):
    assert name in findings


def test_doctor_finds_that_a_candidate_kernel_works(findings):
    assert findings["candidate kernel"]["ok"]


def test_doctor_gives_a_command_for_every_problem(findings):
    assert all(found["mend"] for found in findings.values() if not found["ok"])


def test_doctor_says_where_it_looked_for_ollama(findings, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    assert "127.0.0.1:9" in CliRunner().invoke(cli.main, ["doctor"]).output.replace("\n", "")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    done = CliRunner().invoke(cli.main, ["demo", "--out", str(folder)])
    return done, folder


def test_demo_exits_with_0(demo):
    assert demo[0].exit_code == 0


def test_demo_shows_every_iteration(demo):
    assert "Iteration 1" in demo[0].output and "Iteration 2" in demo[0].output


def test_demo_leaves_an_executed_notebook(demo):
    notebook = nbformat.read(demo[1] / "quickstart.ipynb", as_version=4)
    assert any(MIME_TYPE in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def test_demo_leaves_a_page(demo):
    assert "Passed in" in (demo[1] / "quickstart.html").read_text(encoding="utf-8")


def test_the_version_is_the_package_s_own():
    assert __version__ in CliRunner().invoke(cli.main, ["--version"]).output
