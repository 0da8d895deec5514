"""Checks by reference and the user's own verdict, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.console import Console
from rich.padding import Padding
from rich.syntax import Syntax

from refine_magic.cli import status
from refine_magic.cli.show import RunView
from refine_magic.core.errors import SpecError
from refine_magic.core.limits import NAMES
from refine_magic.core.types import ExecutionResult
from refine_magic.specs import human
from refine_magic.specs.gather import Text, gather

LIMIT_HELP = f"A limit of a candidate, such as memory=2GiB or network=on; there are {', '.join(NAMES)}. Repeatable."
CHECKS_HELP = "Checks in a .py file, doctest text, JSONL, or FILE.ipynb[:TAG]; '-' is standard input."


def texts(references: Sequence[str]) -> list[Text]:
    """Return the check texts that the references name. Raises SpecError."""
    found: list[Text] = []
    for reference in references:
        found += [Text(status.read("-", "the checks"))] if reference == "-" else gather(reference)
    return found


def one_standard_input(*users: str | bool) -> None:
    """Raise click.UsageError where more than one part wants standard input; True is one that does."""
    if sum(user is True or user == "-" for user in users) > 1:
        raise click.UsageError(
            "standard input can be the prompt, the code, the checks or your answer (--ask), only one"
        )


class Asking:
    """Asks the user to accept the code, below what the view has shown so far."""

    def __init__(self, view: RunView, console: Console) -> None:
        """Take the view, whose live line must be gone while the user writes."""
        self._view, self._console = view, console

    def __call__(self, code: str, result: ExecutionResult) -> str | None:
        """Return None, or the user's hint. Raises SpecError where there is nobody to answer."""
        self._view.close()
        self._console.print(Padding(Syntax(code, "python", background_color="default"), (0, 2)))
        try:
            answer = click.prompt(human.ASKED.rstrip(": "), default="", show_default=False, err=True)
        except click.Abort as abort:
            if isinstance(abort.__context__, KeyboardInterrupt):
                raise KeyboardInterrupt from None
            raise SpecError("--ask needs somebody to ask, and standard input is at its end") from None
        return human.hint(answer)
