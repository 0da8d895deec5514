"""Python test code to checks and setup: asserts, ``pytest.raises`` blocks, test functions, test classes."""

from __future__ import annotations

import ast
import textwrap

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check, CheckKind
from refine_magic.specs import names

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
    for position, statement in enumerate(tree.body):
        source = source_of(text, statement)
        kind = kind_of(statement)
        if kind is not None:
            checks.append((source, kind))
        elif is_inert(statement):
            setup.append(source)
        else:
            rest = [source_of(text, later) for later in tree.body[position:]]
            if any(is_checking(later) for later in tree.body[position:]):
                checks.append(("\n".join(rest), "program"))
            else:
                setup.extend(rest)
            break
    reject_fixtures(tree, lines_before)
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


def source_of(text: str, statement: ast.stmt) -> str:
    """Return the statement's source lines, decorators included."""
    decorators = getattr(statement, "decorator_list", [])
    start = min([statement.lineno, *(node.lineno for node in decorators)])
    if start == statement.lineno == statement.end_lineno:
        return ast.get_source_segment(text, statement) or ast.unparse(statement)
    return "\n".join(text.splitlines()[start - 1 : statement.end_lineno])


def kind_of(statement: ast.stmt) -> CheckKind | None:
    """Return what kind of check a statement is, or None where it is none."""
    match statement:
        case ast.Assert():
            return "call"
        case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Attribute(attr="raises")))]):
            return "raises"
        case ast.FunctionDef(name=name) if name.startswith("test"):
            return "program"
        case ast.ClassDef() if is_test_class(statement):
            return "program"
        case ast.For() | ast.While() | ast.If() | ast.Try() | ast.With() if is_checking(statement):
            return "program"
    return None


def is_test_class(statement: ast.ClassDef) -> bool:
    """Tell whether a class is a unittest case, or a pytest class by its name."""
    bases = [ast.unparse(base) for base in statement.bases]
    return statement.name.startswith("Test") or any(base.endswith("TestCase") for base in bases)


def is_checking(statement: ast.stmt) -> bool:
    """Tell whether an assert stands anywhere in the statement, outside of a helper that is only defined."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and kind_of_definition(statement) is None:
        return False
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return isinstance(statement.value.func, ast.Name) and statement.value.func.id.startswith(("check", "test"))
    return any(isinstance(node, ast.Assert) for node in ast.walk(statement))


def kind_of_definition(statement: ast.FunctionDef | ast.ClassDef) -> CheckKind | None:
    """Return `program` for a test function or class."""
    if isinstance(statement, ast.FunctionDef):
        return "program" if statement.name.startswith("test") else None
    return "program" if is_test_class(statement) else None


def is_inert(statement: ast.stmt) -> bool:
    """Tell whether a statement can stand before all the checks: an import, a definition, a literal, a docstring."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef() | ast.Pass():
            return True
        case ast.Assign(value=value):
            return not any(isinstance(node, ast.Call) for node in ast.walk(value))
        case ast.Expr(value=ast.Constant()):
            return True
    return False


def reject_fixtures(tree: ast.Module, lines_before: int) -> None:
    """Raise SpecError for a test function with arguments: fixtures and parametrize are not run."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and node.args.args:
            raise SpecError(
                f"line {node.lineno + lines_before}: {node.name} takes arguments, but fixtures and parametrize are "
                "not supported yet; write the values into the test"
            )
