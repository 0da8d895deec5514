"""In the judge's kernel: run a check against stubs, and keep the verdict for the host.

Stand-alone, standard library only.
"""

from __future__ import annotations

import builtins
import contextlib
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refine_magic.execution.inside import runner
    from refine_magic.execution.inside.encoder import OutputLimit
    from refine_magic.execution.inside.stubs import Counterpart
else:
    import _refine_runner as runner
    from _refine_encoder import OutputLimit
    from _refine_stubs import Counterpart

VERDICT = ""


def judge(text: str) -> None:
    """Run the check of the request; its verdict is `VERDICT`, as JSON."""
    global VERDICT
    VERDICT = ""
    request: dict[str, Any] = json.loads(text)
    harness = sys.modules["_refine_harness"].harness
    counterpart = Counterpart(builtins.input, request["bytes"], harness.depth)
    out, err = harness.printed(), harness.printed()
    scope = {"__builtins__": builtins, **{name: counterpart.stub(name) for name in request["names"]}}
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            found = runner.run(request, scope)
        except OutputLimit as error:
            found = {"passed": False, "failed": True, "words": str(error)}
    raised = found.pop("exception", None)
    found["own"], found["broken"], found["calls"] = counterpart.own, counterpart.broken, len(counterpart.raised)
    found["theirs"] = next((n for n, each in enumerate(counterpart.raised) if each is raised), None)
    found["stdout"] = out.text()
    VERDICT = json.dumps(found)
