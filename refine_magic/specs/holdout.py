"""Keep a share of the user's checks from the model: code that hard-codes the answers it was shown fails on them."""

from __future__ import annotations

import hashlib
import math

from refine_magic.core.types import Check, Spec


def hold_out(spec: Spec, share: float) -> Spec:
    """Return the spec with that share (0 to 1) of the checks below the prompt made invisible to the model.

    Which ones follows from their text alone, so that a run can be repeated; at least one check stays visible. Doctests
    and examples stand in the prompt and cannot be held out.
    """
    own = [check for check in spec.checks if check.origin == "user" and check.kind != "human"]
    others = len(spec.checks) - len(own)
    most = len(own) if others else len(own) - 1
    number = min(math.ceil(share * len(own)), most) if share > 0 else 0
    hidden = {check.id for check in sorted(own, key=digest)[: max(number, 0)]}
    checks = tuple(
        check.model_copy(update={"visible": False}) if check.id in hidden else check for check in spec.checks
    )
    return spec.model_copy(update={"checks": checks})


def digest(check: Check) -> str:
    """Return what the choice goes by."""
    return hashlib.sha256(check.source.encode("utf-8", "replace")).hexdigest()
