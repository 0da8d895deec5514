"""What every feedback strategy tells beside the checks: the outcome, findings, the user's words, what stays hidden."""

from __future__ import annotations

import json
from collections.abc import Sequence

from refine_magic.core.types import Check, CheckResult, ExecutionResult, RemoteError, Spec
from refine_magic.feedback.quote import quote, shorten

FIRST_FAILURES = 3
FINDINGS = 5
OUTCOMES = {
    "timeout": "The code did not finish in time: it may loop forever.",
    "memory": "The code used too much memory.",
    "output_limit": "The code printed too much.",
    "crashed": "The code ended its Python process.",
}
NOT_PYTHON = "The code is not valid Python."
NOT_RUN = "The code was not run, because it cannot work as it is."
SYNTAX = ("SyntaxError", "IndentationError", "TabError", "ValueError", "RecursionError", "MemoryError")


def failures(spec: Spec, result: ExecutionResult) -> list[tuple[Check, CheckResult]]:
    """Return the checks that the model may see and that did not pass, with their results; those not reached come last.

    A question to the user is none of them: the user's words are told apart.
    """
    found = [pair for pair in wrong(spec, result) if pair[0].visible and pair[0].kind != "human"]
    return sorted(found, key=lambda pair: pair[1].outcome == "not_run")


def wrong(spec: Spec, result: ExecutionResult) -> list[tuple[Check, CheckResult]]:
    """Return the checks that count and did not pass, with their results."""
    results = {found.check_id: found for found in result.checks}
    pairs = [(check, results[check.id]) for check in spec.checks if check.counts and check.id in results]
    return [pair for pair in pairs if pair[1].outcome != "passed"]


def told(spec: Spec, result: ExecutionResult) -> tuple[int, int]:
    """Return how many of the checks that the model may see passed, and how many there are."""
    seen = {check.id for check in spec.checks if check.told and check.kind != "human"}
    outcomes = [found.outcome for found in result.checks if found.check_id in seen]
    return outcomes.count("passed"), len(outcomes)


def outcome(result: ExecutionResult) -> str:
    """Return the outcome of the whole run in words, or nothing where the checks say it all."""
    if result.outcome != "invalid":
        return OUTCOMES.get(result.outcome, "")
    return NOT_PYTHON if result.error is None or result.error.ename in SYNTAX else NOT_RUN


def beside(spec: Spec, result: ExecutionResult) -> list[str]:
    """Return what is told beside the failed checks: hidden ones where only they fail, findings, the user's words."""
    parts = []
    hidden = [check for check, _ in wrong(spec, result) if not check.visible]
    if hidden and not failures(spec, result) and result.error is None:
        some = (
            "1 check that you cannot see fails"
            if len(hidden) == 1
            else f"{len(hidden)} checks that you cannot see fail"
        )
        parts.append(f"{some}: the code must work in general, not only for the examples.")
    if result.findings:
        parts.append("Reading the code without running it found:\n" + quote("\n".join(result.findings[:FINDINGS]), 800))
    parts += [f"The user says: {shorten(hint, 1024)}" for hint in hints(spec, result)]
    return parts


def source(check: Check) -> str:
    """Return what was checked: the check's source, or in words, what a program was given."""
    if check.kind == "io":
        return f"the program, with standard input {json.loads(check.source)['stdin']!r}"
    return check.source


def hints(spec: Spec, result: ExecutionResult) -> list[str]:
    """Return what the user said of the code."""
    return [found.message for check, found in wrong(spec, result) if check.kind == "human" and found.message][:1]


def regression(check: Check, regressed: Sequence[str]) -> str:
    """Return a word on a check that an earlier candidate passed, or nothing."""
    return "an earlier version of the code passed this check" if check.id in regressed else ""


def joined(parts: Sequence[str]) -> str:
    """Return the parts that say something, with a blank line between them."""
    return "\n\n".join(part.strip() for part in parts if part.strip())


def trace(error: RemoteError) -> str:
    """Return the traceback, or the error's own line where there is none."""
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in error.traceback) or (
        f"{error.ename}: {error.evalue}"
    )
