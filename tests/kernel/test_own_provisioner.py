"""A kernelspec whose provisioner is somebody else's goes through the same executor, as those of containers do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Candidate, ExecutionResult, Settings
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.limits import Limits
from tests.kernel.conftest import execute, spec_of

NAME = "box-provisioner"
RIGHT = "def f(x):\n    return x + 1\n"
LIMITS = Limits(wall_seconds=3.0)


class BoxProvisioner(LocalProvisioner):
    """Starts a process, and keeps to the event loop in which the first of its kind started one, as others do."""

    loops: list[asyncio.AbstractEventLoop] = []
    alive: set[str] = set()
    transports: list[str] = []

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        self.loops.append(asyncio.get_running_loop())
        answered = asyncio.Event()
        self.loops[0].call_soon_threadsafe(answered.set)  # the loop must be running still
        await asyncio.wait_for(answered.wait(), 2)
        found = await super().launch_kernel(cmd, **kwargs)
        self.transports.append(str(self.parent.transport))  # type: ignore[union-attr]
        self.alive.add(self.kernel_id)
        return found

    async def cleanup(self, restart: bool = False) -> None:
        self.alive.discard(self.kernel_id)
        await super().cleanup(restart)


class Registered:
    """An entry point, as far as the factory needs one."""

    name = NAME

    def load(self) -> type[BoxProvisioner]:
        return BoxProvisioner


@pytest.fixture
def boxed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., KernelExecutor]]:
    """Lend what opens an executor whose kernels come from the kernelspec ``boxed``."""
    folder = tmp_path / "kernels" / "boxed"
    folder.mkdir(parents=True)
    spec = {
        "argv": ["python", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "In a box",
        "language": "python",
        "metadata": {"kernel_provisioner": {"provisioner_name": NAME, "config": {}}},
    }
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setitem(KernelProvisionerFactory.instance().provisioners, NAME, Registered())
    monkeypatch.setattr(BoxProvisioner, "loops", [])
    monkeypatch.setattr(BoxProvisioner, "transports", [])
    yield lambda **settings: KernelExecutor(Settings(kernel="boxed", **settings), LIMITS)
    assert not BoxProvisioner.alive


def judged(executor: KernelExecutor, code: str) -> ExecutionResult:
    return execute(executor, code, spec_of("assert f(1) == 2"))


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        pytest.param(RIGHT, "passed", id="right"),
        pytest.param("def f(x):\n    return x\n", "failed", id="wrong"),
        pytest.param("import os\n\ndef f(x):\n    os._exit(0)\n", "crashed", id="crash"),
        pytest.param("def f(x):\n    while True:\n        pass\n", "timeout", id="hang"),
    ],
)
def test_a_candidate_is_judged_in_it(boxed: Callable[..., KernelExecutor], code: str, outcome: str) -> None:
    with closing(boxed()) as executor:
        assert judged(executor, code).outcome == outcome


def test_a_second_kernel_starts_in_the_first_ones_event_loop(boxed: Callable[..., KernelExecutor]) -> None:
    for _ in range(2):
        with closing(boxed()) as executor:
            assert judged(executor, RIGHT).outcome == "passed"
            assert judged(executor, RIGHT).outcome == "passed"
    assert len(set(map(id, BoxProvisioner.loops))) == 1


def test_its_kernels_are_reached_over_tcp(boxed: Callable[..., KernelExecutor]) -> None:
    with closing(boxed()) as executor:
        judged(executor, RIGHT)
    assert set(BoxProvisioner.transports) == {"tcp"}


def test_the_isolation_is_named_after_the_provisioner(boxed: Callable[..., KernelExecutor]) -> None:
    with closing(boxed()) as executor:
        assert (judged(executor, RIGHT).isolation, executor.isolation) == (NAME, NAME)


@pytest.mark.parametrize("level", ["limits", "landlock", "namespaces"])
def test_a_named_level_fails_closed(boxed: Callable[..., KernelExecutor], level: str) -> None:
    with pytest.raises(IsolationUnavailable, match=NAME):
        boxed(isolation=level)


def test_a_judging_that_is_broken_off_leaves_nothing(boxed: Callable[..., KernelExecutor]) -> None:
    with closing(boxed()) as executor:
        judging = executor.execute(Candidate(code=RIGHT, digest="x"), spec_of("assert f(1) == 2", "assert f(2) == 3"))
        next(judging)
        judging.close()
    assert not BoxProvisioner.alive
