"""``annotated``, the default: each failed check with what was expected, what was observed, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from refine_magic.core.types import Check, CheckResult, ExecutionResult, RemoteError, Spec
from refine_magic.feedback import report
from refine_magic.feedback.difference import difference
from refine_magic.feedback.quote import quote, shorten


class Annotated:
    """Expression, expected, observed, and the first difference."""

    name = "annotated"

    def explain(self, spec: Spec, result: ExecutionResult, regressed: Sequence[str] = ()) -> str:
        """Return the outcome in words, then the first failures; at most 8 KiB."""
        parts = [report.outcome(result)]
        if result.error is not None:
            what = "Its error:" if result.outcome == "invalid" else "Running the code raised an error before any check:"
            parts.append(f"{what}\n" + quote(self.error(result.error)))
            return report.joined([*parts, *report.beside(spec, result)])
        wrong, (passed, all_told) = report.failures(spec, result), report.told(spec, result)
        parts.append(f"{passed} of {all_told} checks passed. " + ("These failed:" if wrong else ""))
        first = wrong[: report.FIRST_FAILURES]
        parts += [quote(self.failure(check, found, regressed), 1024) for check, found in first]
        if len(wrong) > len(first):
            parts.append(f"{len(wrong) - len(first)} more failed.")
        return report.joined([*parts, *report.beside(spec, result)])

    def error(self, error: RemoteError) -> str:
        """Return what is told of an exception."""
        return report.trace(error)

    def failure(self, check: Check, found: CheckResult, regressed: Sequence[str] = ()) -> str:
        """Return one failed check, a line for each thing known of it."""
        lines = [shorten(report.source(check), 400)]
        if found.outcome == "not_run":
            return "\n".join([*lines, "not run, because of the failure before it"])
        if found.expected is not None and not found.error:
            lines.append(f"expected: {found.expected}")
        if found.observed is not None:
            lines.append(f"observed: {found.observed}")
        hint = difference(found.expected, found.observed)
        lines += [f"difference: {hint}"] if hint else []
        lines += [f"note: {found.message}"] if found.message else []
        lines += [shorten(self.error(found.error).strip(), 600)] if found.error else []
        lines += [f"printed: {shorten(found.stdout.strip(), 200)}"] if found.stdout.strip() else []
        word = report.regression(check, regressed)
        return "\n".join([*lines, *([f"regressed: {word}"] if word else [])])
