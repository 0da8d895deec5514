"""Checks from several places as one spec: numbered through, each kept once, their setups joined."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check
from refine_magic.specs import doctests, names, reading, source


@dataclass(frozen=True)
class Part:
    """The checks from one place, and the setup that they need."""

    checks: Sequence[Check]
    setup: str = ""
    where: str = ""


def numbered(parts: Sequence[Part]) -> tuple[Check, ...]:
    """Return all the checks, each once, numbered from c1; an example of a doctest is another than an assert."""
    kept: dict[Hashable, Check] = {}
    for check in (check for part in parts for check in part.checks):
        kept.setdefault(identity(check), check)
    return tuple(check.model_copy(update={"id": f"c{n}"}) for n, check in enumerate(kept.values(), 1))


def identity(check: Check) -> Hashable:
    """Return what makes two checks the same: the syntax tree, layout and comments aside.

    A doctest example in the prompt is never the same as one below, so that both show.
    """
    if check.source.lstrip().startswith(">>>"):
        examples = doctests.examples(check.source)
        return check.origin == "doctest", *((dump(e.source), e.want, *sorted(e.options.items())) for e in examples)
    if check.kind in ("human", "io"):
        return check.kind, check.source
    return ast.dump(reading.tree_of(check))


def dump(code: str) -> str:
    """Return the syntax tree of valid code as a text."""
    return ast.dump(ast.parse(code))


def joined(parts: Iterable[Part]) -> str:
    """Return the setups as one, a statement that is there already left out.

    Raises SpecError where two places define the same name differently: one of them would get the other's.
    """
    lines: list[str] = []
    seen: set[str] = set()
    meanings: dict[str, tuple[str, str]] = {}
    for part in parts:
        tree = ast.parse(part.setup)
        own = {name: meaning for statement in tree.body for name, meaning in meant(statement).items()}
        for name, meaning in own.items():
            before, where = meanings.setdefault(name, (meaning, part.where))
            if before != meaning:
                raise SpecError(f"{name} is defined differently in {told(where)} and in {told(part.where)}: rename one")
        new = [each for each in tree.body if not isinstance(each, ast.Pass) and ast.dump(each) not in seen]
        lines += [source.source_of(part.setup, statement) for statement in new]
        seen |= {ast.dump(statement) for statement in new}
    return "\n".join(lines)


def told(where: str) -> str:
    """Return the name of a place."""
    return where or "the checks below the dashes"


def meant(statement: ast.stmt) -> dict[str, str]:
    """Return what the names that a statement binds stand for, as a text that is the same for the same thing."""
    match statement:
        case ast.Import(names=aliases):
            first = {alias: alias.name.partition(".")[0] for alias in aliases}
            return {alias.asname or first[alias]: alias.name if alias.asname else first[alias] for alias in aliases}
        case ast.ImportFrom(module=module, names=aliases):
            return {alias.asname or alias.name: f"{module}.{alias.name}" for alias in aliases if alias.name != "*"}
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {statement.name: ast.dump(statement)}
    return {name: ast.dump(statement) for name in names.defined(statement)}
