"""R = execute(C) against S: one candidate, one fresh kernel, one verdict."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence

from refine_magic.core import standing
from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Candidate, CheckResult, ExecutionResult, Outcome, RemoteError, Settings, Spec
from refine_magic.execution.judging import setup as setups
from refine_magic.execution.judging.sitting import Ended, Sitting, in_order
from refine_magic.execution.kernels.kernel import find_kernelspec
from refine_magic.execution.kernels.pool import KernelPool
from refine_magic.execution.limits import Limits
from refine_magic.specs import static

LEVELS = ("limits",)
STUCK = ("timeout", "memory", "crashed", "output_limit")


class KernelExecutor:
    """Judges each candidate in a kernel of its own, from a pool of fresh ones."""

    def __init__(self, settings: Settings, limits: Limits | None = None) -> None:
        """Set up the pool; `limits` are those of the settings' timeout where none are given.

        Raises IsolationUnavailable, and KernelStartError for an unknown kernelspec.
        """
        if settings.isolation not in ("auto", *LEVELS):
            raise IsolationUnavailable(
                f"isolation {settings.isolation!r} cannot be had in this version; use --isolation limits, "
                "or auto for the strongest there is"
            )
        self._limits = limits or Limits(wall_seconds=settings.timeout, cpu_seconds=int(settings.timeout) + 3)
        self._pool = KernelPool(find_kernelspec(settings.kernel), self._limits)

    @property
    def isolation(self) -> str:
        """The isolation level in force."""
        return LEVELS[0]

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
        with self._pool.lend() as kernel:
            began = time.monotonic()
            sitting = Sitting(kernel, began + self._limits.wall_seconds)
            results: list[CheckResult] = []
            outcome, message, error = yield from self.sit(sitting, candidate.code, spec, results)
            seconds = time.monotonic() - began
        return self.result(
            spec, results, outcome, message=message, error=error, sitting=sitting, seconds=seconds, read=read
        )

    def sit(
        self, sitting: Sitting, code: str, spec: Spec, results: list[CheckResult]
    ) -> Generator[CheckResult, None, tuple[Outcome, str, RemoteError | None]]:
        """Load the code and judge every check into `results`; return the outcome, words for it, and the error."""
        setup = setups.read(spec.setup)
        try:
            loaded = sitting.load(code, setup)
            if loaded.error is not None:
                return load_outcome(loaded.error, loaded.invalid), "", loaded.error
            for check, plan in in_order(spec, setup):
                asked = time.monotonic()
                result = sitting.judge(check, plan, spec.setup)
                results.append(result.model_copy(update={"duration": time.monotonic() - asked}))
                yield results[-1]
        except Ended as ended:
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
        left = [check.id for check, _ in in_order(spec, setups.read(spec.setup)) if check.id not in done]
        if left and sitting is not None and error is None and outcome in STUCK:
            stuck = "timeout" if outcome == "timeout" else "error"
            done[left[0]] = CheckResult.model_validate({"check_id": left[0], "outcome": stuck, "message": message})
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
            message=message,
            findings=read.findings,
        )


def load_outcome(error: RemoteError, invalid: bool) -> Outcome:
    """Return what a failure to load the code is called."""
    if invalid:
        return "invalid"
    return "memory" if error.ename == "MemoryError" else "error"
