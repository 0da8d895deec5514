"""``raw``: the traceback, or the text of the assertions that failed, as Python would show them."""

from __future__ import annotations

from refine_magic.core.types import Check, CheckResult, ExecutionResult, RemoteError, Spec
from refine_magic.feedback.quote import quote

FIRST_FAILURES = 3


class Raw:
    """What a terminal would show, and nothing more."""

    name = "raw"

    def explain(self, spec: Spec, result: ExecutionResult) -> str:
        """Return the traceback of the code, or one assertion error for each of the first checks that failed."""
        if result.error is not None:
            return quote(trace(result.error))
        shown = [self.failure(check, found) for check, found in failures(spec, result)[:FIRST_FAILURES]]
        return quote("\n\n".join(shown) or result.message or result.outcome)

    def failure(self, check: Check, found: CheckResult) -> str:
        """Return one failure's text."""
        return f"{check.source}\n{trace(found.error) if found.error else 'AssertionError'}"


def failures(spec: Spec, result: ExecutionResult) -> list[tuple[Check, CheckResult]]:
    """Return the visible checks that count and did not pass, with their results; those not reached come last."""
    results = {found.check_id: found for found in result.checks}
    wrong = [
        (check, results[check.id])
        for check in spec.checks
        if check.visible and check.trust != "suspect" and check.id in results and results[check.id].outcome != "passed"
    ]
    return sorted(wrong, key=lambda pair: pair[1].outcome == "not_run")


def trace(error: RemoteError) -> str:
    """Return the traceback, or the error's own line where there is none."""
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in error.traceback) or (
        f"{error.ename}: {error.evalue}"
    )
