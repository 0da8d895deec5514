"""A test file imports the code under test from a module that is not there: such an import is taken out."""

from __future__ import annotations

import ast
import importlib.util
import re

from refine_magic.core.errors import SpecError

LIBRARIES = frozenset(
    """attr bs4 dateutil httpx hypothesis matplotlib more_itertools networkx nose numpy pandas PIL plotly polars
    pydantic pytest regex requests scipy seaborn sklearn sortedcontainers statsmodels sympy torch""".split()
)

Place = tuple[int, int, int, str]


def without_absent(text: str) -> str:
    """Return the test code without imports of modules that cannot be found; every line stays where it is.

    ``solution.f`` becomes ``f``, and ``from solution import f as g`` becomes ``g = f``. Code with a syntax error is
    returned as it is. Raises SpecError with the line where such a module is used in another way.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text
    changes: list[Place] = []
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level or is_absent(node.module or "")):
            changes += dropped(node, "; ".join(f"{a.asname} = {a.name}" for a in node.names if a.asname) or "pass")
        elif isinstance(node, ast.Import) and any(is_absent(alias.name) for alias in node.names):
            kept = [alias for alias in node.names if not is_absent(alias.name)]
            modules |= {alias.asname or alias.name for alias in node.names if alias not in kept}
            changes += dropped(node, ast.unparse(ast.Import(kept)) if kept else "pass")
        elif isinstance(node, ast.Expr) and ast.unparse(node).startswith(("sys.path.insert(", "sys.path.append(")):
            changes += dropped(node, "pass")
    return replaced(text, [*changes, *attributes(tree, modules)]) if changes else text


def is_absent(module: str) -> bool:
    """Tell whether a module cannot be found; only its first part is looked for, so that nothing is imported.

    Raises SpecError for a library that is not installed: it is not the code under test.
    """
    first = module.partition(".")[0]
    try:
        absent = importlib.util.find_spec(first) is None
    except (ImportError, ValueError):
        absent = True
    if absent and first in LIBRARIES:
        raise SpecError(f"the checks import {first}, which is not installed here; get it with 'pip install {first}'")
    return absent


def dropped(node: ast.stmt, instead: str) -> list[Place]:
    """Return the changes that put something else in a statement's place, on its first line."""
    last = node.end_lineno or node.lineno
    if last == node.lineno:
        return [(node.lineno, node.col_offset, node.end_col_offset or 0, instead)]
    middle = [(line, 0, -1, "") for line in range(node.lineno + 1, last)]
    return [(node.lineno, node.col_offset, -1, instead), *middle, (last, 0, node.end_col_offset or 0, "")]


def attributes(tree: ast.Module, modules: set[str]) -> list[Place]:
    """Return the changes that take a module's name from before its attributes. Raises SpecError."""
    changes: list[Place] = []
    seen: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in modules and node.lineno == node.end_lineno:
            seen |= set(ast.walk(node.value))
            end = (node.end_col_offset or 0) - len(node.attr.encode())
            changes.append((node.lineno, node.col_offset, end, ""))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in {name.partition(".")[0] for name in modules} and node not in seen:
            raise SpecError(
                f"line {node.lineno}: the module {node.id} cannot be found, and only its functions and classes "
                f"can be had from the code under test, as in {node.id}.f(2)"
            )
    return changes


def replaced(text: str, changes: list[Place]) -> str:
    """Return the text with the changes, from the last to the first; columns count bytes, as in a syntax tree."""
    lines = [line.encode("utf-8", "surrogatepass") for line in re.split(r"\n", text)]
    for number, start, end, instead in sorted(changes, reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:start] + instead.encode() + (b"" if end < 0 else line[end:])
    return b"\n".join(lines).decode("utf-8", "surrogatepass")
