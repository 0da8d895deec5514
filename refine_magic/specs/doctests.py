"""Doctest examples in a prompt are checks."""

from __future__ import annotations

import ast
import doctest

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check, Origin
from refine_magic.specs import names


def examples(text: str) -> list[doctest.Example]:
    """Return the examples of a text. Raises SpecError with the line for one that is not well formed."""
    try:
        return doctest.DocTestParser().get_examples(text)
    except ValueError as error:
        raise SpecError(f"a doctest example cannot be read: {error}") from error


def parse(text: str, first: int = 1, origin: Origin = "doctest", lines_before: int = 0) -> tuple[list[Check], str]:
    """Return the checks, numbered from `first`, and the setup that the examples of a text make.

    Independent examples are a check each; where one depends on the state that another leaves, all are one check, run
    in order. Imports are setup. Raises SpecError with the line for a syntax error in an example; `lines_before` are the
    lines above the text in what the user wrote.
    """
    found = [(example, tree(example, lines_before, origin)) for example in examples(text)]
    imports = [example.source for example, parsed in found if is_import(parsed)]
    rest = [(example, parsed) for example, parsed in found if not is_import(parsed)]
    if any(not example.want and not example.exc_msg for example, _ in rest) or shares_names(rest):
        source = "\n".join(written(example) for example, _ in rest)
        return [Check(id=f"c{first}", source=source, kind="program", origin=origin)], "".join(imports)
    checks = [
        Check(id=f"c{number}", source=written(example), kind="call", origin=origin)
        for number, (example, _) in enumerate(rest, first)
    ]
    return checks, "".join(imports)


def tree(example: doctest.Example, lines_before: int, origin: Origin) -> ast.Module:
    """Return the example's syntax tree. Raises SpecError with the line."""
    try:
        return ast.parse(example.source)
    except SyntaxError as error:
        line = lines_before + example.lineno + (error.lineno or 1)
        place = " of the prompt" if origin == "doctest" else ""
        raise SpecError(
            f"line {line}{place}: syntax error in a doctest example: {error.msg}: {example.source.strip()}"
        ) from error


def is_import(parsed: ast.Module) -> bool:
    """Tell whether the example only imports."""
    return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in parsed.body)


def shares_names(rest: list[tuple[doctest.Example, ast.Module]]) -> bool:
    """Tell whether an example binds a name."""
    return any(isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
               for _, parsed in rest for statement in parsed.body if not isinstance(statement, ast.Expr)
               for node in ast.walk(statement)) or any(
        isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and names.bound(statement)
        for _, parsed in rest for statement in parsed.body
    )  # fmt: skip


def written(example: doctest.Example) -> str:
    """Return the example as it stands in a text, without indentation."""
    first, *more = example.source.rstrip("\n").split("\n")
    prompt = "\n".join([f">>> {first}", *(f"... {line}" for line in more)])
    return f"{prompt}\n{example.want}".rstrip("\n")
