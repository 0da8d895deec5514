"""Completion text to code: what the model meant to be run, and nothing that it did not write."""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
import warnings
from contextlib import suppress
from dataclasses import dataclass

OPENING = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[\w+.-]*)[^\n`]*$")
MARKERS = re.compile(r"\[PYTHON\](.*?)(?:\[/PYTHON\]|\Z)", re.DOTALL)
PYTHON = frozenset({"", "python", "python3", "py", "py3", "ipython", "ipython3"})
CONTROL = re.compile(r"\A(?:\s*<\|\w+\|>)+|(?:<\|\w+\|>\s*)+\Z")


@dataclass(frozen=True)
class Block:
    """A fenced block; `closed` is False where the text ended first."""

    language: str
    code: str
    closed: bool


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a text in order."""
    found: list[Block] = []
    lines, at = CONTROL.sub("", text).replace("\r\n", "\n").split("\n"), 0
    while at < len(lines):
        opened = OPENING.match(lines[at])
        if opened is not None:
            start, at = at + 1, closing(lines, at + 1, opened["fence"])
            found.append(block(opened, lines[start:at], closed=at < len(lines)))
        at += 1
    return found


def closing(lines: list[str], start: int, fence: str) -> int:
    """Return the line that closes a block; a fence in an open docstring does not, where a later one makes it Python."""
    fences = [at for at in range(start, len(lines)) if closes(lines[at].strip(), fence)]
    if not fences:
        return len(lines)
    if not in_docstring("\n".join(lines[start : fences[0]])):
        return fences[0]
    return next((at for at in fences[1:] if parses(textwrap.dedent("\n".join(lines[start:at])))), fences[0])


def closes(line: str, fence: str) -> bool:
    """Tell whether a line closes a block: it is at least as long a fence of the same kind, and nothing else."""
    return line.startswith(fence) and not line.strip(fence[0])


def block(opened: re.Match[str], lines: list[str], *, closed: bool) -> Block:
    """Return a block whose code is dedented."""
    return Block(opened["language"].lower(), textwrap.dedent("\n".join(lines)).strip("\n"), closed)


def extract(text: str, entry_point: str | None) -> str | None:
    """Return the code in a completion, or None where there is none.

    Of several blocks it is the last that defines the entry point, else the first that is Python. Without a block it is
    the whole text, if that is Python which defines something.
    """
    fenced = [found for found in blocks(text) if found.language in PYTHON and found.code.strip()]
    for found in reversed(fenced):
        if entry_point and defines(found.code, entry_point):
            return found.code
    for found in fenced:
        if parses(found.code):
            return found.code
    for found in fenced:
        if found.closed:
            return found.code
    text = CONTROL.sub("", text).replace("\r\n", "\n")
    marked = MARKERS.search(text)
    bare = textwrap.dedent(marked[1] if marked else text).strip("\n")
    return bare if defines_something(bare) else None


def is_complete(text: str, entry_point: str | None) -> bool:
    """Tell whether a closed block already holds what was asked for, so that the rest need not be written."""
    return any(
        found.closed and found.language in PYTHON and found.code.strip() and not in_docstring(found.code)
        and (entry_point is None or defines(found.code, entry_point))
        for found in blocks(text)
    )  # fmt: skip


def defines(code: str, name: str) -> bool:
    """Tell whether the code seems to define the name at its top level; it need not parse."""
    return (
        re.search(rf"^(?:async )?(?:def|class) {re.escape(name)}\b|^{re.escape(name)}\s*[:=](?!=)", code, re.M)
        is not None
    )


def tree(code: str) -> ast.Module | None:
    """Return the code's syntax tree, or None where it is no Python; Python's warnings about it are nobody's here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def parses(code: str) -> bool:
    """Tell whether the code is Python."""
    return tree(code) is not None


def in_docstring(code: str) -> bool:
    """Tell whether the code ends inside a text in triple quotes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(textwrap.dedent(code))
        except SyntaxError as error:
            return error.msg.startswith("unterminated triple-quoted")
        except (ValueError, RecursionError, MemoryError):
            return False
    return False


def defines_something(code: str) -> bool:
    """Tell whether Python code is more than words that happen to parse."""
    parsed = tree(code)
    return parsed is not None and any(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.Import, ast.ImportFrom))
        for node in parsed.body
    )


def digest(code: str) -> str:
    """Return the code's identity: the SHA-256 of its syntax tree, or of its text where it does not parse."""
    parsed, same = tree(code), code.strip()
    if parsed is not None:
        with suppress(ValueError, RecursionError, MemoryError):
            same = ast.dump(parsed)
    return hashlib.sha256(same.encode("utf-8", "surrogatepass")).hexdigest()
