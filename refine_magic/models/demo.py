"""``demo``: a Llama where Ollama has one, else the tape of the Fibonacci problem, which says that it is scripted."""

from __future__ import annotations

from refine_magic.core.errors import ModelError
from refine_magic.core.protocols import Model
from refine_magic.models.ollama import Ollama
from refine_magic.models.replay import shipped

PREFERRED = ("llama3.2", "llama3.1", "llama3", "llama")


def choose_llama(names: list[str]) -> str | None:
    """Return the first of the names that is a Llama, the preferred ones first."""
    for family in PREFERRED:
        found = sorted(name for name in names if name.startswith(family) and "guard" not in name)
        if found:
            return found[0]
    return None


def open_model(argument: str) -> Model:
    """Return the model for ``demo``; ``demo:TAPE`` is the tape in any case. Raises ReplayError for an unknown tape."""
    if argument:
        return shipped(argument)
    try:
        found = choose_llama(Ollama("").installed())
    except ModelError:
        found = None
    return Ollama(found) if found else shipped("fibonacci")
