"""``raw``: the traceback, or the text of the assertions that failed, as Python would show them."""

from __future__ import annotations

from collections.abc import Sequence

from refine_magic.core.types import Check, CheckResult, ExecutionResult, Spec
from refine_magic.feedback import report
from refine_magic.feedback.quote import quote, shorten


class Raw:
    """What a terminal would show, and nothing more."""

    name = "raw"

    def explain(self, spec: Spec, result: ExecutionResult, regressed: Sequence[str] = ()) -> str:
        """Return the traceback of the code, or one assertion error for each of the first checks that failed."""
        beside = report.beside(spec, result)
        if result.error is not None:
            return report.joined([quote(report.trace(result.error)), *beside])
        wrong = report.failures(spec, result)[: report.FIRST_FAILURES]
        shown = "\n\n".join(self.failure(check, found, regressed) for check, found in wrong)
        if not shown and not beside:
            shown = result.message or result.outcome
        return report.joined([quote(shown) if shown else "", *beside])

    def failure(self, check: Check, found: CheckResult, regressed: Sequence[str]) -> str:
        """Return one failure's text."""
        word = report.regression(check, regressed)
        lines = [
            shorten(report.source(check), 300),
            shorten(report.trace(found.error), 400) if found.error else bare(check, found),
        ]
        return "\n".join([*lines, *([word] if word else [])])


def bare(check: Check, found: CheckResult) -> str:
    """Return what is shown of a failure without an exception: what a program wrote, or an assert's bare name."""
    if check.kind == "io" and found.observed is not None:
        return f"it wrote {found.observed}, not {found.expected}"
    return "AssertionError"
