"""What a test needs of the setup when pytest runs it: fixtures are asked for by the names of arguments."""

from __future__ import annotations

import ast

from refine_magic.execution.judging.setup import Setup, bound_by
from refine_magic.specs.fixtures import decorators, fixture_names, is_fixture
from refine_magic.specs.names import used

XUNIT = frozenset(
    "setup_module teardown_module setup_function teardown_function setUpModule tearDownModule pytestmark".split()
)


def needed(tree: ast.Module, setup: Setup) -> str:
    """Return the part of the setup that test code needs, the fixtures that it asks for by name included.

    A fixture may be named by an argument, or in a text, as ``usefixtures`` does; an autouse one is always needed.
    """
    there = {name: node for node in setup.body if is_fixture(node) for name in fixture_names(node)}
    automatic = {name for name, node in there.items() if is_automatic(node)}
    wanted, source = set[str](), ""
    while True:
        whole = [tree, *(there[name] for name in wanted), ast.parse(source)]
        asked = {name for part in whole for name in asked_for(part)} & set(there)
        grown = wanted | asked | automatic
        functions = {node.name for name in grown if isinstance(node := there[name], ast.FunctionDef)}
        told = XUNIT if any(isinstance(n, (ast.FunctionDef, ast.ClassDef)) for n in tree.body) else ()
        after = setup.needed({"*", *used(tree), *functions, *told, *annotated(tree)})
        if grown == wanted and after == source:
            return source
        wanted, source = grown, after


def is_automatic(node: ast.AST) -> bool:
    """Tell a fixture that every test gets without asking."""
    return is_fixture(node) and any("autouse" in ast.unparse(mark) for mark in decorators(node))


def touches_every_test(setup: Setup) -> bool:
    """Tell whether something in the setup is done for every test: an autouse fixture, a mark, ``setup_function``."""
    return any(is_automatic(node) or bound_by(node) & XUNIT for node in setup.body)


def asked_for(tree: ast.AST) -> set[str]:
    """Return the names of arguments, and every text: a fixture may be asked for by either."""
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return arguments | texts


def annotated(tree: ast.AST) -> set[str]:
    """Return the names that annotations use; they are read when the code is loaded."""
    return {name for node in ast.walk(tree) if isinstance(node, ast.arg) and node.annotation for name in used(node)}


def needs_pytest(tree: ast.Module) -> bool:
    """Tell whether only pytest can run the tests: for a fixture, a mark, or an argument of a test."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if any(map(is_pytests, decorators(node))):
                return True
            case ast.Assign(targets=[ast.Name(id="pytestmark")]):
                return True
            case ast.FunctionDef(name=name) if name in XUNIT:
                return True
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test"):
                arguments = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                if set(arguments) - {"self"} and not decorators(node):
                    return True
            case ast.Attribute(attr="skip" | "xfail" | "importorskip", value=ast.Name(id="pytest")):
                return True
    return False


def is_pytests(decorator: ast.expr) -> bool:
    """Tell a decorator of pytest's by its name."""
    return any(part in ast.unparse(decorator) for part in ("pytest.", "mark.", "fixture"))
