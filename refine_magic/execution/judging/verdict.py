"""What a runner inside a kernel found, as a check's result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from refine_magic.core.types import CheckOutcome, CheckResult, RemoteError
from refine_magic.execution.judging import wire

SHOWN = 400


def result(
    check_id: str, judged: Literal["judge", "in-kernel"], found: Mapping[str, Any], theirs: RemoteError | None = None
) -> CheckResult:
    """Return the result for a runner's verdict; `theirs` is the candidate's exception where that is what ended it.

    Raises wire.Malformed for data that no runner of ours sends.
    """
    stdout = wire.clean(found.get("stdout", ""))[:SHOWN]
    if found.get("passed") is True:
        return CheckResult(check_id=check_id, outcome="passed", stdout=stdout, judged=judged)
    try:
        error = theirs or (wire.remote_error(found["error"]) if found.get("error") else None)
        sides = found.get("sides") or (None, None)
        expected, observed = (None if side is None else wire.clean(side)[:SHOWN] for side in sides)
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise wire.Malformed(f"no verdict: {type(wrong).__name__}") from None
    outcome: CheckOutcome = "failed" if found.get("failed") is True and theirs is None else "error"
    said = f"{error.ename}: {error.evalue}".rstrip(": ") if error is not None else ""
    words = wire.clean(found.get("words") or "")
    return CheckResult(
        check_id=check_id,
        outcome=outcome,
        expected=expected,
        observed=observed,
        message=(": ".join(part for part in (words, said) if part) or "it did not pass")[:SHOWN],
        error=error,
        stdout=stdout,
        judged=judged,
    )
