"""What a fresh kernel per candidate costs, next to the usual ways: one interleaved run, medians, ratios."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from refine_magic.core.errors import ExecutorError
from refine_magic.core.types import Candidate, Settings
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.kernels.levels import LEVELS
from refine_magic.specs.gather import Text
from refine_magic.specs.problem import make_spec

CODE = "def square(x):\n    return x * x\n"
CHECKS = "".join(f"assert square({x}) == {x * x}\n" for x in (0, 1, 2, 3, 10))
CANDIDATE, SPEC = Candidate(code=CODE, digest="speed"), make_spec("", [Text(CHECKS)])
QUIET = ["--IPKernelApp.log_level=40"]  # a word about TCP for each kernel is no news here
READY_SECONDS = 0.15


@dataclass
class Timing:
    """Wall and CPU seconds of each round of one way; CPU time is this process's, and that of all that it started."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Way:
    """One way to run the code with its five checks: `ready` is done before, unmeasured; `elsewhere` are CPU seconds."""

    run: Callable[[], None]
    ready: Callable[[], None] = lambda: None
    elsewhere: Callable[[], float] = lambda: 0.0


def judge(executor: KernelExecutor) -> None:
    """Judge the code in a fresh kernel."""
    for result in executor.execute(CANDIDATE, SPEC):
        assert result.outcome == "passed", result


def full_cycle(executor: KernelExecutor) -> Way:
    """Start a kernel, judge the code by its five checks, kill the kernel and wait until it is gone."""

    def run() -> None:
        judge(executor)
        executor.settle()

    return Way(run, elsewhere=executor.cpu_seconds)


def prewarmed(executor: KernelExecutor) -> Way:
    """Judge the code in a kernel that waits ready: what the user waits for after the last token."""

    def ready() -> None:
        executor.settle()
        executor.prepare()
        time.sleep(READY_SECONDS)

    return Way(lambda: judge(executor), ready, executor.cpu_seconds)


def stock() -> None:
    """Do the same as `jupyter_client` does it by itself: start, wait_for_ready, execute, shutdown."""
    from jupyter_client.manager import KernelManager

    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(extra_arguments=QUIET)
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    reply = client.execute_interactive(CODE + CHECKS, output_hook=lambda message: None)
    assert reply["content"]["status"] == "ok"
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def one_notebook() -> None:
    """Execute a notebook of one cell with nbclient."""
    import nbclient
    import nbformat

    cell = nbformat.v4.new_code_cell(CODE + CHECKS)
    nbclient.NotebookClient(
        nbformat.v4.new_notebook(cells=[cell]), kernel_name="python3", extra_arguments=QUIET
    ).execute()


def bare_python() -> None:
    """Run the code in a new interpreter: no kernel, no isolation."""
    subprocess.run([sys.executable, "-I", "-c", CODE + CHECKS], check=True)


@contextmanager
def ways(kernel: str | None) -> Generator[dict[str, Way], None, None]:
    """Lend every way that this machine has, with the executors behind them; `kernel` is an ipykernel's kernelspec."""
    found: dict[str, Way] = {}
    with ExitStack() as stack:
        for level in LEVELS:
            for suffix, name in (("", None), (" ipykernel", kernel)):
                if suffix and name is None:
                    continue
                for make in (full_cycle, prewarmed):
                    try:
                        executor = KernelExecutor(Settings.model_validate({"isolation": level, "kernel": name}))
                    except ExecutorError:
                        continue
                    stack.callback(executor.close)
                    found[f"{level}{suffix}{'' if make is full_cycle else ' prewarmed'}"] = make(executor)
        yield found | {"stock": Way(stock), "nbclient": Way(one_notebook), "python": Way(bare_python)}


def measure(rounds: int, kernel: str | None = "python3") -> Iterator[dict[str, Timing]]:
    """Yield the timings after each round, in which every way has its turn. The first, which warms up, is left out."""
    timings: dict[str, Timing] = {}
    with ways(kernel) as found:
        for number in range(rounds + 1):
            for name, way in found.items():
                way.ready()
                cpu, wall = cpu_seconds() + way.elsewhere(), time.perf_counter()
                way.run()
                if number:
                    timing = timings.setdefault(name, Timing())
                    timing.wall.append(time.perf_counter() - wall)
                    timing.cpu.append(cpu_seconds() + way.elsewhere() - cpu)
            yield timings


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def summary(timings: dict[str, Timing]) -> dict[str, dict[str, float]]:
    """Return medians of wall time and means of CPU time in milliseconds, and how many times longer other ways take.

    ``stock/namespaces`` of 40 says that stock jupyter_client takes 40 times as long. CPU time is a mean, because the
    system counts that of kernels in ticks of 10 ms.
    """
    wall = {name: 1000 * statistics.median(timing.wall) for name, timing in timings.items()}
    cpu = {name: 1000 * statistics.mean(timing.cpu) for name, timing in timings.items()}
    usual = [name for name in ("stock", "nbclient", "python") if name in wall]
    ours = [name for name in wall if name not in usual]
    return {
        "ratios": {f"{other}/{name}": round(wall[other] / wall[name], 2) for name in ours for other in usual},
        "cpu_ratios": {f"{other}/{name}": round(cpu[other] / cpu[name], 2) for name in ours for other in usual},
        "ms": {name: round(value, 2) for name, value in wall.items()},
        "cpu_ms": {name: round(value, 2) for name, value in cpu.items()},
    }
