"""A reply as it is written, with its cost; the frame that every adapter fills in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from refine_magic.core.types import Usage

Pieces = Generator[str, None, None]


class TextStream:
    """Wraps an adapter's generator of text; the adapter calls `finish` when it knows the cost.

    Where the reply is closed before its end the server has not said what it cost: then the pieces are counted, one
    token each, and the usage says that it is an estimate.
    """

    def __init__(self, write: Callable[[TextStream], Pieces], prompt_characters: int = 0) -> None:
        """Start nothing yet: `write` is called at the first piece."""
        self._pieces = write(self)
        self._count = 0
        self._usage: Usage | None = None
        self._prompt_characters = prompt_characters

    def __iter__(self) -> Iterator[str]:
        """Yield the pieces of text. Raises ModelError."""
        for piece in self._pieces:
            self._count += 1
            yield piece

    def finish(self, usage: Usage) -> None:
        """Take down what the reply cost."""
        self._usage = usage

    def close(self) -> None:
        """Stop the server's work."""
        self._pieces.close()

    @property
    def usage(self) -> Usage:
        """What the reply cost; an estimate (one token a piece, four characters a token) where it was closed early."""
        if self._usage is not None:
            return self._usage
        prompt = -(-self._prompt_characters // 4)
        return Usage(prompt_tokens=prompt, completion_tokens=self._count, finish_reason="closed", estimated=True)
