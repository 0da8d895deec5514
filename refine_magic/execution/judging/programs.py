"""Whole programs: standard input in, and what comes out compared here, on the host."""

from __future__ import annotations

import base64
import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refine_magic.core.types import Check, CheckOutcome, CheckResult, RemoteError
from refine_magic.execution.judging import wire
from refine_magic.execution.judging.plan import cut

SHOWN = 400


@dataclass(frozen=True)
class Program:
    """A program's input, and the output that it must have; blanks at the ends of lines and of the text do not count."""

    check_id: str
    stdin: str
    stdout: str

    def judge(self, reply: Mapping[str, Any]) -> CheckResult:
        """Return passed where the program ended well and wrote the output. Raises wire.Malformed."""
        try:
            found = reply["program"]
            status, error = found["status"], found["error"]
            out = base64.b64decode(found["out"]).decode("utf-8", "backslashreplace")
            err = base64.b64decode(found["err"]).decode("utf-8", "backslashreplace")
            remote = wire.remote_error(error) if error else ended(status, err)
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise wire.Malformed(f"no program's end: {type(wrong).__name__}") from None
        if remote is not None:
            outcome: CheckOutcome = "timeout" if remote.evalue == "SIGXCPU" else "error"
        else:
            outcome = "passed" if lines(out) == lines(self.stdout) else "failed"
        return CheckResult(
            check_id=self.check_id,
            outcome=outcome,
            expected=cut(repr(self.stdout)),
            observed=wire.clean(cut(repr(out.replace("\r\n", "\n")))),
            error=remote,
            message=f"{remote.ename}: {remote.evalue}".rstrip(": ")[:SHOWN] if remote else "",
            judged="host",
        )


def make_program(check: Check) -> Program:
    """Return the program that an io check describes."""
    given = json.loads(check.source)
    return Program(check.id, given["stdin"], given["stdout"])


def ended(status: int, stderr: str) -> RemoteError | None:
    """Return in words how a program ended that did not end well; None for one that did."""
    if status == 0:
        return None
    lines = tuple(stderr.splitlines()[-12:])
    if status > 0:
        return RemoteError(ename="SystemExit", evalue=str(status), traceback=lines)
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return RemoteError(ename="Killed", evalue=name, traceback=lines)


def lines(text: str) -> list[str]:
    """Return the lines of an output without blanks at their ends, and without empty lines at its end."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).rstrip("\n").split("\n")
