"""Which names a piece of test code takes from the candidate: those it uses and neither it nor Python defines."""

from __future__ import annotations

import ast
import builtins
import contextlib
import warnings
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
TRIES = 20

SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp,
)  # fmt: skip
BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__"}


def bound(tree: ast.AST) -> set[str]:
    """Return every name that the code binds anywhere: assignments, parameters, definitions, imports, handlers."""
    return {name for node in ast.walk(tree) if (name := binds(node)) is not None}


def defined(tree: ast.AST) -> set[str]:
    """Return the names that the code binds at its top level, not inside of a function, a class or a comprehension."""
    names: set[str] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if (name := binds(node)) is not None:
            names.add(name)
        if not isinstance(node, SCOPES):
            waiting.extend(ast.iter_child_nodes(node))
    return names


def binds(node: ast.AST) -> str | None:
    """Return the name that the node itself binds, if it binds one."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            return name
        case ast.alias(name=name, asname=alias):
            return alias or name.partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return name
    return None


def used(tree: ast.AST) -> list[str]:
    """Return the names that the code reads, in the order of their places in the source, each once."""
    reads = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    reads.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(node.id for node in reads))


def free(tree: ast.AST) -> list[str]:
    """Return the names that the code reads and does not bind, without the builtins, in order."""
    own = bound(tree)
    return [name for name in used(tree) if name not in own and name not in BUILTINS]


def called(tree: ast.AST) -> list[str]:
    """Return the plain names that the code calls, in order, each once."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    calls.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(node.func.id for node in calls if isinstance(node.func, ast.Name)))


def parsed(code: str) -> ast.Module:
    """Return a candidate's syntax tree; an odd escape in it is no news for the user's own cell.

    Raises SyntaxError, ValueError, RecursionError, MemoryError and OverflowError.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return steady(lambda: ast.parse(code, "<candidate>"))


def steady(read: Callable[[], T]) -> T:
    """Return what reading code gives, tried again where Python fails at it.

    Up to 3.12 it counts the depth of a syntax tree for all threads together and raises SystemError where two build one
    at the same time: https://github.com/python/cpython/issues/106905.
    """
    for _ in range(TRIES):
        with contextlib.suppress(SystemError):
            return read()
    return read()
