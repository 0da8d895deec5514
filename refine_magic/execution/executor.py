"""R = execute(C) against S: one candidate, one fresh kernel, one verdict."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, ExitStack

from refine_magic.core import standing
from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Candidate, CheckResult, ExecutionResult, Outcome, RemoteError, Settings, Spec
from refine_magic.execution.gate import Gate
from refine_magic.execution.judging.ended import Doubt, Ended
from refine_magic.execution.judging.sitting import Sitting, planned
from refine_magic.execution.kernels.asked import Asked
from refine_magic.execution.kernels.kernelspecs import Start, find_kernelspec, for_the_judge
from refine_magic.execution.kernels.pool import KernelPool
from refine_magic.execution.kernels.spares import Pool
from refine_magic.execution.limits import Limits, limits_of
from refine_magic.specs import static

Attempt = tuple[ExecutionResult, Doubt]
STUCK = ("timeout", "memory", "crashed", "output_limit")


class PooledExecutor(ABC):
    """Judges each candidate in a kernel of its own, which a pool lends; where the kernels run is the pool's."""

    def __init__(self, pool: Pool, limits: Limits) -> None:
        """Take the pool, which is closed with the executor."""
        self._pool, self._limits, self._gate = pool, limits, Gate()

    @property
    @abstractmethod
    def isolation(self) -> str:
        """The isolation level in force. Raises KernelStartError."""

    @property
    def caveats(self) -> tuple[str, ...]:
        """What the level cannot promise here. Raises KernelStartError."""
        return ()

    def prepare(self) -> None:
        """Start the next kernel in the background."""
        self._pool.prepare()

    def close(self) -> None:
        """Kill every kernel."""
        self._pool.close()

    def execute(self, candidate: Candidate, spec: Spec) -> Generator[CheckResult, None, ExecutionResult]:
        """Judge one candidate: read it, load it, then every check, those of the host first. Raises KernelStartError.

        Code that cannot work, as reading it shows, gets no kernel.
        """
        read = static.of_spec(candidate.code, spec)
        if read.error is not None:
            return self.result(spec, [], "invalid", message=read.error.evalue, error=read.error, read=read)
        with self._gate.together() as visit:
            shown, (result, doubt) = yield from passing_on(self.attempt(candidate, spec, read))
        if not doubt or (doubt == "company" and visit.alone):
            return result
        with self._gate.alone():
            _, (result, _) = yield from passing_on(self.attempt(candidate, spec, read), shown)
        return result

    def attempt(self, candidate: Candidate, spec: Spec, read: static.Analysis) -> Generator[CheckResult, None, Attempt]:
        """Judge one candidate once; return the result, and the doubt that another attempt could change it."""
        with ExitStack() as lent:
            kernel = lent.enter_context(self._pool.lend())
            began = time.monotonic()
            sitting = Sitting(
                kernel,
                began + self._limits.wall_seconds,
                lend=lambda: lent.enter_context(self.lend_to_judge()),
                setup=spec.setup,
            )
            results: list[CheckResult] = []
            outcome, message, error = yield from self.sit(sitting, candidate.code, spec, results)
            seconds = time.monotonic() - began
        result = self.result(
            spec, results, outcome, message=message, error=error, sitting=sitting, seconds=seconds, read=read
        )
        return result, sitting.doubt

    def lend_to_judge(self) -> AbstractContextManager[Asked]:
        """Lend a kernel for test code to run in. Raises KernelStartError."""
        return self._pool.lend()

    def sit(
        self, sitting: Sitting, code: str, spec: Spec, results: list[CheckResult]
    ) -> Generator[CheckResult, None, tuple[Outcome, str, RemoteError | None]]:
        """Load the code and judge every check into `results`; return the outcome, words for it, and the error."""
        setup, tasks = planned(spec)
        try:
            only_programs = all(check.kind == "io" for check in spec.checks)
            loaded = sitting.load(code, setup, run=not only_programs)
            if loaded.error is not None:
                return load_outcome(loaded.error, loaded.invalid), "", loaded.error
            sitting.look_ahead(tasks)
            for task in tasks:
                asked = time.monotonic()
                result = sitting.judge(task)
                results.append(result.model_copy(update={"duration": time.monotonic() - asked}))
                yield results[-1]
        except Ended as ended:
            sitting.doubt = ended.doubt
            return ended.outcome, str(ended), None
        outcome = standing.verdict(spec, results)
        failures = [result for result in results if result.outcome != "passed"]
        if outcome != "passed" and failures and all(r.error and r.error.ename == "MemoryError" for r in failures):
            return "memory", "the candidate asked for more memory than it may have", None
        return outcome, "", None

    def result(
        self,
        spec: Spec,
        results: Sequence[CheckResult],
        outcome: Outcome,
        *,
        message: str = "",
        error: RemoteError | None = None,
        sitting: Sitting | None = None,
        seconds: float = 0.0,
        read: static.Analysis,
    ) -> ExecutionResult:
        """Return the result with the checks in the spec's order; one that was not reached says so."""
        done = {result.check_id: result for result in results}
        if sitting is not None and error is None and outcome in STUCK:
            stuck = "timeout" if outcome == "timeout" else "error"
            for task in [task for task in planned(spec)[1] if task.check_id not in done][:1]:
                found = {"check_id": task.check_id, "outcome": stuck, "message": message}
                done[task.check_id] = CheckResult.model_validate(found)
        return ExecutionResult(
            outcome=outcome,
            checks=tuple(
                done.get(check.id) or CheckResult(check_id=check.id, outcome="not_run") for check in spec.checks
            ),
            error=error,
            stdout=str(sitting.stdout) if sitting else "",
            stderr=str(sitting.stderr) if sitting else "",
            duration=seconds,
            isolation=self.isolation,
            caveats=self.caveats,
            message=message,
            findings=read.findings,
        )


class KernelExecutor(PooledExecutor):
    """Judges each candidate in a kernel of its own on this machine, from a pool of fresh ones."""

    def __init__(self, settings: Settings, limits: Limits | None = None, spare: int = 1) -> None:
        """Set up the pool with `spare` kernels ready; `limits` are those of the settings where none are given.

        Raises IsolationUnavailable where a level is named that cannot be had, and KernelStartError for an unknown
        kernelspec.
        """
        limits = limits or limits_of(settings)
        start = find_kernelspec(settings.kernel, network=limits.network)
        if start.make is None and settings.isolation != "auto":
            raise IsolationUnavailable(
                f"isolation {settings.isolation!r} cannot be had for kernels that are started by "
                f"{provisioner_of(start)}; use --isolation auto, which says what they have"
            )
        self._start, self._kernels = start, KernelPool(start, limits, settings.isolation, spare)
        self._judges = self._kernels
        if for_the_judge(start) != start:
            self._judges = KernelPool(for_the_judge(start), limits, settings.isolation, spare)
        super().__init__(self._kernels, limits)
        if settings.isolation != "auto":
            try:
                self._kernels.template()
            except BaseException:
                self._kernels.close()
                raise

    @property
    def isolation(self) -> str:
        """The isolation level in force, or the provisioner that starts the kernels. Raises KernelStartError."""
        template = self._kernels.template()
        return provisioner_of(self._start) if template is None else template.level

    @property
    def caveats(self) -> tuple[str, ...]:
        """What the level cannot promise here. Raises KernelStartError."""
        template = self._kernels.template()
        return () if template is None else template.notes

    def lend_to_judge(self) -> AbstractContextManager[Asked]:
        """Lend a kernel in which the modules that test code needs are there already. Raises KernelStartError."""
        return self._judges.lend()

    def close(self) -> None:
        """Kill every kernel."""
        super().close()
        self._judges.close()

    def settle(self) -> None:
        """Wait until every kernel that was used is gone."""
        self._kernels.settle()

    def cpu_seconds(self) -> float:
        """Return the CPU time of all the kernels that are gone, and of what they were forked from."""
        template = self._kernels.template()
        return 0.0 if template is None else template.cpu_seconds()


def passing_on(
    attempt: Generator[CheckResult, None, Attempt], shown: frozenset[str] = frozenset()
) -> Generator[CheckResult, None, tuple[frozenset[str], Attempt]]:
    """Yield the results of an attempt but for those shown before; return the ids of all, and what it returns."""
    while True:
        try:
            result = next(attempt)
        except StopIteration as end:
            return shown, end.value
        if result.check_id not in shown:
            shown |= {result.check_id}
            yield result


def provisioner_of(start: Start) -> str:
    """Return the name of what starts the kernels."""
    return str(start.spec.metadata.get("kernel_provisioner", {}).get("provisioner_name", "local-provisioner"))


def load_outcome(error: RemoteError, invalid: bool) -> Outcome:
    """Return what a failure to load the code is called."""
    if invalid:
        return "invalid"
    return "memory" if error.ename == "MemoryError" else "error"
