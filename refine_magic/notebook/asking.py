"""The user's own verdict, through the kernel's standard input."""

from __future__ import annotations

from typing import Any

from IPython.core.error import StdinNotImplementedError

from refine_magic.core.errors import SpecError
from refine_magic.core.types import ExecutionResult
from refine_magic.specs import human

NOBODY = "--ask needs somebody to ask, and this front end takes no input"


def ask_user(code: str, result: ExecutionResult) -> str | None:
    """Show the code and ask: None accepts it, anything else is a hint. Raises SpecError where nobody can answer."""
    print(code, flush=True)
    try:
        return human.hint(input(human.ASKED))
    except (StdinNotImplementedError, EOFError):
        raise SpecError(NOBODY) from None


def require_stdin(shell: Any) -> None:
    """Raise SpecError where the front end says that it takes no input, before a model is asked for anything."""
    kernel = getattr(shell, "kernel", None)
    if kernel is not None and not getattr(kernel, "_allow_stdin", True):
        raise SpecError(NOBODY)
