"""Completion text to code: what the model meant to be run, and nothing that it did not write."""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
import warnings
from contextlib import suppress
from dataclasses import dataclass

from refine_magic.prompting import wrapped

OPENING = re.compile(r"^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[\w+.-]*)[^\n`]*$")
MARKERS = re.compile(r"\[PYTHON\](.*?)(?:\[/PYTHON\]|\Z)", re.DOTALL)
PYTHON = frozenset({"", "python", "python3", "py", "py3", "ipython", "ipython3"})
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.Import, ast.ImportFrom)
SESSION = frozenset({"pycon", "doctest", "python-repl"})


@dataclass(frozen=True)
class Block:
    """A fenced block; `closed` is False where the text ended first."""

    language: str
    code: str
    closed: bool


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a text in order."""
    found: list[Block] = []
    lines, at = wrapped.plain(text).split("\n"), 0
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

    Of several blocks it is the last that defines the entry point, with those that define what it needs, else the first
    that is Python. Without a block it is what stands in markers, HTML or JSON, or the whole text, if that is Python
    which defines something. A diff holds no code: only parts of one.
    """
    fenced = usable(text)
    for found in reversed(fenced):
        if entry_point and defines(found.code, entry_point):
            return with_helpers(found, fenced, entry_point)
    for found in fenced:
        if parses(found.code):
            return found.code
    for found in fenced:
        if found.closed:
            return found.code
    bare = [code for code in unfenced(wrapped.plain(text)) if defines_something(code)]
    return next((code for code in bare if entry_point and defines(code, entry_point)), bare[0] if bare else None)


def unfenced(text: str) -> list[str]:
    """Return what may be code in a text without fences: what markers, HTML or JSON hold, or all of it."""
    marked = MARKERS.search(text)
    structured = wrapped.in_json(text) if text.rstrip("` \n").endswith("}") else []
    inner = [code for value in structured for code in (*(found.code for found in usable(value)), value)]
    found = (marked[1] if marked else text, *wrapped.in_html(text), *inner)
    return [wrapped.mended(textwrap.dedent(code).strip("\n"), parses) for code in found]


def usable(text: str, *, closed: bool = False) -> list[Block]:
    """Return the blocks that hold Python, or something that was meant to be Python and is no diff."""
    found = []
    for each in blocks(text):
        if each.language not in PYTHON | SESSION or not each.code.strip() or (closed and not each.closed):
            continue
        code = wrapped.mended(each.code, parses)
        if not each.closed and not parses(code):
            code = wrapped.without_prose_below(code, parses)
        typed = each.language in SESSION or wrapped.without_prompts(each.code) != each.code
        if defines_something(code) if typed else parses(code) or not wrapped.is_diff(code):
            found.append(Block(each.language, code, each.closed))
    return found


def with_helpers(chosen: Block, fenced: list[Block], entry_point: str) -> str:
    """Return the chosen block's code, after the blocks of definitions that it needs and does not hold."""
    needed, taken = unbound(chosen.code), [chosen]
    for other in reversed(fenced):
        if other is chosen or defines(other.code, entry_point) or not only_defines(other.code):
            continue
        there = {name for name in needed if defines(other.code, name) or imports(other.code, name)}
        if there:
            needed = (needed - there) | unbound(other.code)
            taken.insert(0, other)
    return "\n\n\n".join(each.code for each in taken)


def is_complete(text: str, entry_point: str | None) -> bool:
    """Tell whether a closed block already holds what was asked for, so that the rest need not be written."""
    return any(
        not in_docstring(found.code) and (entry_point is None or defines(found.code, entry_point))
        for found in usable(text, closed=True)
    )


def unbound(code: str) -> set[str]:
    """Return the names that Python code reads and nowhere binds, builtins among them."""
    nodes = list(ast.walk(tree(code) or ast.Module([], [])))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    bound |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {(node.asname or node.name).partition(".")[0] for node in nodes if isinstance(node, ast.alias)}
    return {node.id for node in names} - bound


def only_defines(code: str) -> bool:
    """Tell whether Python code defines and imports, and does nothing else when it runs."""
    parsed = tree(code)
    return parsed is not None and all(isinstance(node, DEFINITIONS) for node in parsed.body)


def imports(code: str, name: str) -> bool:
    """Tell whether the code imports the name."""
    return any(
        isinstance(node, ast.alias) and (node.asname or node.name).partition(".")[0] == name
        for node in ast.walk(tree(code) or ast.Module([], []))
    )


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
    return parsed is not None and any(isinstance(node, DEFINITIONS) for node in parsed.body)


def digest(code: str) -> str:
    """Return the code's identity: the SHA-256 of its syntax tree, or of its text where it does not parse."""
    parsed, same = tree(code), code.strip()
    if parsed is not None:
        with suppress(ValueError, RecursionError, MemoryError):
            same = ast.dump(parsed)
    return hashlib.sha256(same.encode("utf-8", "surrogatepass")).hexdigest()
