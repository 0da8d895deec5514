"""What a candidate printed or raised is data: it is fenced and cut, and never becomes part of the instructions."""

from __future__ import annotations

import re

MOST = 2048
LONGEST_FENCE = 16


def shorten(text: str, most: int = MOST) -> str:
    """Return the text's head and tail where it has more than `most` bytes, saying how much is left out."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return text
    half = most // 2
    head, tail = data[:half].decode("utf-8", "ignore"), data[-half:].decode("utf-8", "ignore")
    return f"{head}\n... {len(text) - len(head) - len(tail)} characters left out ...\n{tail}"


def quote(text: str, most: int = MOST) -> str:
    """Return the text in a fence that it cannot close itself; a very long run of backticks is told by its length."""
    told = re.sub(rf"`{{{LONGEST_FENCE},}}", lambda run: f"[{len(run[0])} backticks]", text.rstrip("\n"))
    shown = shorten(told, most)
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"


def one_line(text: str, most: int = 200) -> str:
    """Return the text in one line, with its line ends written out."""
    return shorten(text.replace("\n", "\\n").replace("\r", "\\r"), most).replace("\n", " ")
