"""What a candidate printed or raised is data: it is fenced and cut, and never becomes part of the instructions."""

from __future__ import annotations

import re

MOST = 2048


def shorten(text: str, most: int = MOST) -> str:
    """Return the text's head and tail where it has more than `most` characters, saying how much is left out."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n... {len(text) - 2 * half} characters left out ...\n{text[-half:]}"


def quote(text: str, most: int = MOST) -> str:
    """Return the text in a fence that it cannot close itself."""
    shown = shorten(text.rstrip("\n"), most)
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"
