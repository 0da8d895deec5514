"""The isolation levels, the strongest first: which of them can be had here, and what to do about one that cannot."""

from __future__ import annotations

from refine_magic.core.errors import ExecutorError, IsolationUnavailable, KernelStartError
from refine_magic.execution.kernels.template import Make, Template

LEVELS = ("namespaces", "landlock", "limits")
REMEDIES = {
    "namespaces": "it needs Linux 5.12 or newer and user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0; in Docker --security-opt seccomp=unconfined), ",
    "landlock": "it needs Linux 5.13 or newer with landlock among the security modules (lsm=landlock,...), ",
}


def strongest(make: Make, level: str) -> Template:
    """Return a template at the level asked for, or with ``auto`` at the first of `LEVELS` that can be had.

    A template rehearses all that a level takes before it is there, so that trying is probing. Raises
    IsolationUnavailable with the reason and what to do, and KernelStartError.
    """
    if level != "auto":
        try:
            return Template(make, level)
        except IsolationUnavailable as error:
            raise IsolationUnavailable(
                f"isolation {level!r} cannot be had here: {error}; {REMEDIES.get(level, '')}"
                "or use --isolation auto for the strongest there is"
            ) from error
    why = ""
    for candidate in LEVELS:
        try:
            return Template(make, candidate)
        except IsolationUnavailable as error:
            why = str(error)
    raise KernelStartError(f"no kernel can be started, at any isolation level: {why}")


def probe(make: Make) -> dict[str, str]:
    """Return why each level cannot be had here, or nothing where it can."""
    found = {}
    for level in LEVELS:
        try:
            Template(make, level).close()
            found[level] = ""
        except ExecutorError as error:
            found[level] = str(error)
    return found
