"""Completion text to code: what the model meant to be run, and nothing that it did not write."""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
from dataclasses import dataclass

OPENING = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[\w+.-]*)[^\n`]*$")
MARKERS = re.compile(r"\[PYTHON\](.*?)(?:\[/PYTHON\]|\Z)", re.DOTALL)
PYTHON = frozenset({"", "python", "python3", "py", "py3", "ipython", "ipython3"})
CONTROL = re.compile(r"<\|[a-z_]+\|>")


@dataclass(frozen=True)
class Block:
    """A fenced block; `closed` is False where the text ended first."""

    language: str
    code: str
    closed: bool


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a text in order."""
    found: list[Block] = []
    opened: re.Match[str] | None = None
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if opened is None:
            opened, lines = OPENING.match(line), []
        elif line.strip().startswith(opened["fence"]) and not line.strip().strip(opened["fence"][0]):
            found.append(block(opened, lines, closed=True))
            opened = None
        else:
            lines.append(line)
    if opened is not None:
        found.append(block(opened, lines, closed=False))
    return found


def block(opened: re.Match[str], lines: list[str], *, closed: bool) -> Block:
    """Return a block whose code is dedented."""
    return Block(opened["language"].lower(), textwrap.dedent("\n".join(lines)).strip("\n"), closed)


def extract(text: str, entry_point: str | None) -> str | None:
    """Return the code in a completion, or None where there is none.

    Of several blocks it is the last that defines the entry point, else the first that is Python. Without a block it is
    the whole text, if that is Python which defines something.
    """
    text = CONTROL.sub("", text).replace("\r\n", "\n")
    fenced = [found for found in blocks(text) if found.language in PYTHON and found.code.strip()]
    for found in reversed(fenced):
        if entry_point and defines(found.code, entry_point):
            return found.code
    for found in fenced:
        if parses(found.code) or found.closed:
            return found.code
    marked = MARKERS.search(text)
    bare = textwrap.dedent(marked[1] if marked else text).strip("\n")
    return bare if parses(bare) and defines_something(bare) else None


def is_complete(text: str, entry_point: str | None) -> bool:
    """Tell whether a closed block already holds what was asked for, so that the rest need not be written."""
    return any(
        found.closed and found.language in PYTHON and found.code.strip()
        and (entry_point is None or defines(found.code, entry_point))
        for found in blocks(text)
    )  # fmt: skip


def defines(code: str, name: str) -> bool:
    """Tell whether the code seems to define the name at its top level; it need not parse."""
    return (
        re.search(rf"^(?:async )?(?:def|class) {re.escape(name)}\b|^{re.escape(name)}\s*[:=]", code, re.M) is not None
    )


def parses(code: str) -> bool:
    """Tell whether the code is Python."""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def defines_something(code: str) -> bool:
    """Tell whether Python code is more than words that happen to parse."""
    return any(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.Import, ast.ImportFrom))
        for node in ast.parse(code).body
    )


def digest(code: str) -> str:
    """Return the code's identity: the SHA-256 of its syntax tree, or of its text where it does not parse."""
    try:
        same = ast.dump(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        same = code.strip()
    return hashlib.sha256(same.encode("utf-8", "surrogatepass")).hexdigest()
