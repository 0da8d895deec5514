"""``summary``: plain words, from templates, on which calls gave what in place of what; no code and no traceback."""

from __future__ import annotations

from collections.abc import Sequence

from refine_magic.core.types import Check, CheckResult, ExecutionResult, Spec
from refine_magic.feedback import report
from refine_magic.feedback.difference import difference
from refine_magic.feedback.quote import one_line, quote
from refine_magic.words import title

FAILED = "{what} gave {observed} instead of {expected}{hint}."
BARE = "{what} did not hold{note}."
RAISED = "{what} raised {error}."
RETURNED = "{what} {observed} instead of raising {expected}."
RAISED_OTHER = "{what} raised {error} instead of {expected}."
LATE = "{what} did not finish in time."
NOT_RUN = "{what} was not tried, because of the failure before it."
BROKEN = "The code raised {error} before any check could run."


class Summary:
    """One sentence for each of the first failures."""

    name = "summary"

    def explain(self, spec: Spec, result: ExecutionResult, regressed: Sequence[str] = ()) -> str:
        """Return the outcome and the first failures in sentences; at most 8 KiB."""
        parts = [report.outcome(result)]
        if result.error is not None:
            parts.append(quote(BROKEN.format(error=one_line(f"{result.error.ename}: {result.error.evalue}"))))
            return report.joined([*parts, *report.beside(spec, result)])
        wrong, (passed, all_told) = report.failures(spec, result), report.told(spec, result)
        parts.append(f"{passed} of {all_told} checks passed. " + ("What the others found:" if wrong else ""))
        first = wrong[: report.FIRST_FAILURES]
        if first:
            parts.append(quote("\n".join(sentence(check, found, regressed) for check, found in first)))
        if len(wrong) > len(first):
            parts.append(f"{len(wrong) - len(first)} more failed.")
        return report.joined([*parts, *report.beside(spec, result)])


def sentence(check: Check, found: CheckResult, regressed: Sequence[str] = ()) -> str:
    """Return one failure in a sentence, and another one where an earlier candidate passed the check."""
    hint = difference(found.expected, found.observed)
    values = {
        "what": one_line(what(check, found), 160),
        "observed": one_line(found.observed or "nothing", 120),
        "expected": one_line(found.expected or "nothing", 120),
        "hint": f" ({one_line(hint, 100)})" if hint else "",
        "note": f" ({one_line(found.message, 100)})" if found.message else "",
        "error": one_line(f"{found.error.ename}: {found.error.evalue}".rstrip(": ")) if found.error else "an error",
    }
    said = template(check, found).format(**values)
    word = report.regression(check, regressed)
    return f"{said} {word[0].upper()}{word[1:]}." if word else said


def what(check: Check, found: CheckResult) -> str:
    """Return what was tried: the call, or the check's first line."""
    if check.kind == "io":
        return report.source(check)
    if check.kind == "raises":
        return " ".join(line.strip() for line in check.source.strip().split("\n")[1:]) or check.source
    return title(check, found)


def template(check: Check, found: CheckResult) -> str:
    """Return the sentence that fits."""
    if check.kind == "raises" and found.outcome == "failed" and found.observed and found.expected:
        return RAISED_OTHER if found.error else RETURNED
    if found.outcome == "timeout":
        return LATE
    if found.outcome == "not_run":
        return NOT_RUN
    if found.outcome == "error" or (found.error is not None and found.error.ename != "AssertionError"):
        return RAISED
    return FAILED if found.observed is not None and found.expected is not None else BARE
