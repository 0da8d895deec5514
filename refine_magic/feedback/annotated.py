"""``annotated``, the default: each failed check with what was expected, what was observed, and where they differ."""

from __future__ import annotations

from refine_magic.core.types import Check, CheckResult, ExecutionResult, Spec
from refine_magic.feedback.difference import difference
from refine_magic.feedback.quote import quote, shorten
from refine_magic.feedback.raw import FIRST_FAILURES, failures, trace

OUTCOMES = {
    "timeout": "The code did not finish in time: it may loop forever.",
    "memory": "The code used too much memory.",
    "output_limit": "The code printed too much.",
    "crashed": "The code ended its Python process.",
    "invalid": "The code is not valid Python.",
}


class Annotated:
    """Expression, expected, observed, and the first difference."""

    name = "annotated"

    def explain(self, spec: Spec, result: ExecutionResult) -> str:
        """Return the outcome in words, then the first failures; at most about 6 KiB."""
        parts = [OUTCOMES[result.outcome]] if result.outcome in OUTCOMES else []
        if result.error is not None:
            parts.append("Running the code raised an error before any check:\n" + quote(trace(result.error)))
            return "\n\n".join(parts)
        wrong = failures(spec, result)
        parts.append(f"{result.passed} of {len(result.checks)} checks passed. " + ("These failed:" if wrong else ""))
        parts += [quote(self.failure(check, found), 1024) for check, found in wrong[:FIRST_FAILURES]]
        if len(wrong) > FIRST_FAILURES:
            parts.append(f"{len(wrong) - FIRST_FAILURES} more failed.")
        return "\n\n".join(part.strip() for part in parts)

    def failure(self, check: Check, found: CheckResult) -> str:
        """Return one failed check, a line for each thing known of it."""
        lines = [shorten(check.source, 400)]
        if found.outcome == "not_run":
            return "\n".join([*lines, "not run, because of the failure before it"])
        if found.expected is not None and not found.error:
            lines.append(f"expected: {found.expected}")
        if found.observed is not None:
            lines.append(f"observed: {found.observed}")
        hint = difference(found.expected, found.observed)
        lines += [f"difference: {hint}"] if hint else []
        lines += [f"note: {found.message}"] if found.message else []
        lines += [shorten(trace(found.error).strip(), 600)] if found.error else []
        lines += [f"printed: {shorten(found.stdout.strip(), 200)}"] if found.stdout.strip() else []
        return "\n".join(lines)
