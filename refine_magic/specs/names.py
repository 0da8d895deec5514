"""Which names a piece of test code takes from the candidate: those it uses and neither it nor Python defines."""

from __future__ import annotations

import ast
import builtins

BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__"}


def bound(tree: ast.AST) -> set[str]:
    """Return every name that the code binds anywhere: assignments, parameters, definitions, imports, handlers."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=alias):
                names.add(alias or name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add(name)
            case _:
                pass
    return names


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
