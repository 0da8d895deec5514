"""A kernel that cannot start is one clear line."""

from __future__ import annotations

import json
import sys

import pytest

from refine_magic.core.errors import KernelStartError
from refine_magic.core.types import Settings
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.limits import Limits
from tests.kernel.conftest import execute, spec_of

KERNELS = {
    "no-such-command": (["/no/such/command", "{connection_file}"], "No such file or directory"),
    "ends-at-once": ([sys.executable, "-c", "raise SystemExit('no licence')", "{connection_file}"], "no licence"),
    "never-answers": (
        [sys.executable, "-c", "import time; time.sleep(600)", "{connection_file}"],
        "no answer within 1 s",
    ),
}


@pytest.fixture
def kernelspecs(tmp_path, monkeypatch):
    for name, (argv, _) in KERNELS.items():
        folder = tmp_path / "kernels" / name
        folder.mkdir(parents=True)
        spec = {"argv": argv, "display_name": name, "language": "python"}
        (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))


def error_of(name: str) -> str:
    executor = KernelExecutor(Settings(kernel=name), Limits(start_seconds=1))
    try:
        with pytest.raises(KernelStartError) as caught:
            execute(executor, "def f(x): return 2", spec_of("assert f(1) == 2"))
    finally:
        executor.close()
    return str(caught.value)


@pytest.mark.parametrize("name", KERNELS)
def test_the_reason_is_one_line_that_names_the_kernel(kernelspecs, name):
    said = error_of(name)
    assert name in said and KERNELS[name][1] in said and "\n" not in said


def test_an_unknown_kernelspec_lists_those_that_are_installed(kernelspecs):
    with pytest.raises(KernelStartError, match=r"'nope'; installed: .*ends-at-once, never-answers, no-such-command"):
        KernelExecutor(Settings(kernel="nope"))


def test_the_next_try_starts_anew(kernelspecs):
    executor = KernelExecutor(Settings(kernel="ends-at-once"), Limits(start_seconds=1))
    for _ in range(2):
        with pytest.raises(KernelStartError, match="no licence"):
            execute(executor, "def f(x): return 2", spec_of("assert f(1) == 2"))
    executor.close()
