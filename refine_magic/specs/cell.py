"""A cell's text: the prompt, a line of three dashes, the checks."""

from __future__ import annotations

import re

SEPARATOR = re.compile(r"^-{3,}[ \t]*$", re.MULTILINE)


def split(text: str) -> tuple[str, str, int]:
    """Return the prompt, the checks, and the number of lines before the checks; no separator means no checks."""
    text = text.replace("\r\n", "\n")
    found = SEPARATOR.search(text)
    if found is None:
        return text.strip("\n"), "", 0
    return text[: found.start()].strip("\n"), text[found.end() :].strip("\n"), lines_before(text, found.end())


def lines_before(text: str, end: int) -> int:
    """Return how many lines stand before the first line of checks after the separator."""
    rest = text[end:]
    blank = len(rest) - len(rest.lstrip("\n"))
    return text[: end + blank].count("\n")
