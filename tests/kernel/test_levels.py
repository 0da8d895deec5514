"""What a level promises of the places around a candidate."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Settings
from refine_magic.execution.executor import KernelExecutor
from tests.kernel.conftest import execute, spec_of

LOOK = "import os\ndef f(place):\n    try: return os.listdir(place)\n    except OSError: return 'refused'\n"


@pytest.fixture(params=["landlock", "namespaces"])
def confined(request) -> Iterator[KernelExecutor]:
    try:
        executor = KernelExecutor(Settings(isolation=request.param))
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    yield executor
    executor.close()


def test_the_folders_of_other_candidates_cannot_be_listed(confined):
    base = confined._kernels.template().base
    assert execute(confined, LOOK, spec_of(f"assert f({str(base)!r}) == 'refused'")).outcome == "passed"


def test_the_home_folder_cannot_be_listed_although_it_is_on_the_path(request, monkeypatch, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    executor = KernelExecutor(Settings(isolation="auto"))
    if executor.isolation == "limits":
        pytest.skip("no level here keeps files from being read")
    spec = spec_of(f"assert f({str(tmp_path)!r}) == 'refused'")
    result = execute(executor, LOOK, spec)
    executor.close()
    assert result.outcome == "passed"


@pytest.mark.parametrize("level", ["limits", "landlock", "namespaces"])
def test_a_module_on_the_path_can_be_imported_wherever_it_lies(monkeypatch, level):
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "near_at_hand.py").write_text("VALUE = 2\n")
        monkeypatch.setenv("PYTHONPATH", folder)
        try:
            executor = KernelExecutor(Settings(isolation=level))
        except IsolationUnavailable as error:
            pytest.skip(str(error))
        code = "import near_at_hand\ndef f(x): return near_at_hand.VALUE\n"
        result = execute(executor, code, spec_of("assert f(1) == 2"))
        executor.close()
    assert result.outcome == "passed"
