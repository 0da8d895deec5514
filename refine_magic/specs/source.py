"""Python test code to checks and setup: asserts, ``pytest.raises`` blocks, test functions, test classes."""

from __future__ import annotations

import ast
import textwrap

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check, CheckKind
from refine_magic.specs import fixtures, names

IMPLIED = ("math", "pytest", "unittest")


def parse(text: str, first: int = 1, lines_before: int = 0) -> tuple[list[Check], str]:
    """Return the checks, numbered from `first`, and the setup that they need.

    A statement that is no check is setup. From the first one on that may change something between two checks
    (a call, an assignment of more than a literal), the rest is one check, run in order. Raises SpecError with the
    line for a syntax error; `lines_before` are the lines above the text in what the user wrote.
    """
    text = textwrap.dedent(text)
    tree = parse_python(text, lines_before)
    checks: list[tuple[str, CheckKind]] = []
    setup: list[str] = []
    body = [statement for statement in tree.body if not is_main_guard(statement)]
    helpers = asserting(body)
    for position, statement in enumerate(body):
        source = source_of(text, statement)
        kind = kind_of(statement, helpers)
        if kind is not None:
            checks.append((source, kind))
        elif is_inert(statement):
            setup.append(source)
        else:
            rest = [source_of(text, later) for later in body[position:]]
            if any(is_checking(later, helpers) for later in body[position:]):
                checks.append(("\n".join(rest), "program"))
            else:
                setup.extend(rest)
            break
    fixtures.reject_unknown(tree, [node for node in tree.body if is_test(node)], lines_before)
    implied = [f"import {name}" for name in IMPLIED if name in names.free(tree)]
    made = [Check(id=f"c{number}", source=source, kind=kind) for number, (source, kind) in enumerate(checks, first)]
    return made, "\n".join([*implied, *setup])


def parse_python(text: str, lines_before: int) -> ast.Module:
    """Return the syntax tree. Raises SpecError with the line."""
    try:
        return ast.parse(text)
    except SyntaxError as error:
        line = (error.lineno or 1) + lines_before
        shown = (error.text or "").strip()
        raise SpecError(f"line {line}: the checks have a syntax error: {error.msg}: {shown}") from error
    except ValueError as error:
        raise SpecError(f"the checks cannot be read: {error}") from error


def is_python(text: str) -> bool:
    """Tell whether the text is Python, and not doctest examples."""
    try:
        parse_python(textwrap.dedent(text), 0)
    except SpecError:
        return False
    return True


def source_of(text: str, statement: ast.stmt) -> str:
    """Return the statement's source, decorators included."""
    decorators = getattr(statement, "decorator_list", [])
    start = min([statement.lineno, *(node.lineno for node in decorators)])
    above = text.split("\n")[start - 1 : statement.lineno - 1]
    return "\n".join([*above, ast.get_source_segment(text, statement) or ast.unparse(statement)])


def kind_of(statement: ast.stmt, helpers: frozenset[str]) -> CheckKind | None:
    """Return what kind of check a statement is, or None where it is none."""
    match statement:
        case ast.Assert():
            return "call"
        case ast.With() if expects_error(statement) and len(statement.items) == 1:
            return "raises"
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if is_test(statement):
            return "program"
        case ast.For() | ast.While() | ast.If() | ast.Try() | ast.With() if is_checking(statement, helpers):
            return "program"
    return None


def is_test(statement: ast.stmt) -> bool:
    """Tell whether a definition is a test function or class, and no fixture that is named like one."""
    if isinstance(statement, ast.ClassDef):
        return is_test_class(statement)
    named = isinstance(statement, fixtures.Function) and statement.name.startswith("test")
    return named and not fixtures.is_fixture(statement)


def is_test_class(statement: ast.ClassDef) -> bool:
    """Tell whether a class is a unittest case, or a pytest class by its name."""
    bases = [ast.unparse(base) for base in statement.bases]
    return statement.name.startswith("Test") or any(base.endswith("TestCase") for base in bases)


def is_checking(statement: ast.stmt, helpers: frozenset[str]) -> bool:
    """Tell whether the statement can fail a check: an assert, a raise, a ``raises`` block or a call of a helper in it.

    A helper that is only defined checks nothing yet.
    """
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not is_test(statement):
        return False
    return any(
        isinstance(node, (ast.Assert, ast.Raise)) or expects_error(node) or is_helper_call(node, helpers)
        for node in ast.walk(statement)
    )


def expects_error(node: ast.AST) -> bool:
    """Tell whether the node is a ``with pytest.raises(...)`` block, or one of the same form."""
    match node:
        case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Attribute(attr="raises"))), *_]):
            return True
    return False


def is_helper_call(node: ast.AST, helpers: frozenset[str]) -> bool:
    """Tell whether the node calls a helper that asserts, or one whose name says so."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name in helpers or name.startswith(("check", "test"))
    return False


def asserting(body: list[ast.stmt]) -> frozenset[str]:
    """Return the names of the functions that assert something when they are called."""
    return frozenset(
        statement.name
        for statement in body
        if isinstance(statement, ast.FunctionDef) and any(isinstance(node, ast.Assert) for node in ast.walk(statement))
    )


def is_main_guard(statement: ast.stmt) -> bool:
    """Tell whether a statement is ``if __name__ == "__main__":`` around a call of the test runner."""
    return (
        isinstance(statement, ast.If)
        and "__name__" in names.used(statement.test)
        and not any(isinstance(node, ast.Assert) for node in ast.walk(statement))
    )


def is_inert(statement: ast.stmt) -> bool:
    """Tell whether a statement can stand before all the checks: an import, a definition, a literal, a docstring."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Pass():
            return True
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
            return all(ast.unparse(call.func).startswith("pytest.") for call in calls)
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Try():
            inner = [*statement.body, *statement.orelse, *statement.finalbody]
            inner += [each for handler in statement.handlers for each in handler.body]
            return all(isinstance(each, (ast.Import, ast.ImportFrom, ast.Pass)) for each in inner)
    return False
