"""What is left of the checks that a model wrote, once they are cleaned; trust comes later, from candidates."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections import Counter
from collections.abc import Sequence

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check
from refine_magic.specs import names, source

ASSERT = re.compile(r"^\s*(?:[-*\d.)]+\s*)?`?(assert\s.+?)`?\s*$", re.MULTILINE)
QUOTES = 20  # at most so many ends are tried for one assert
SCHEMA = {
    "type": "object",
    "properties": {"checks": {"type": "array", "items": {"type": "string"}}},
    "required": ["checks"],
}


def read(text: str) -> list[str]:
    """Return the statements in a reply: those of its JSON, or every line that is an assert where it is none."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1])["checks"]
        statements = [statement for statement in found if isinstance(statement, str)]
    except (ValueError, KeyError, TypeError, RecursionError):
        statements = []
    return statements or ASSERT.findall(text) or quoted(text)


def quoted(text: str) -> list[str]:
    """Return the asserts in broken JSON: each up to the last quote that leaves Python, were it escaped or not."""
    found = []
    for part in text.split('"assert')[1:]:
        ends = [at for at, sign in enumerate(part) if sign == '"'][-QUOTES:]
        texts = ("assert" + part[:end].replace('\\"', '"').replace("\\\\", "\\") for end in reversed(ends))
        found += [next((statement for statement in texts if single_assert(statement)), "")]
    return [statement for statement in found if statement]


def clean(statements: Sequence[str], given: Sequence[Check], entry_point: str | None, most: int) -> list[Check]:
    """Return the statements that can be checks, at most so many, numbered after those that are given.

    Left out: what does not compile or is no single assert, what does not call the entry point (the name most called,
    where it is not known), what is there already, and what contradicts a check of the user's or another one.
    """
    parsed = [tree for tree in map(single_assert, statements) if tree is not None]
    entry = entry_point or most_called(parsed)
    calling = [tree for tree in parsed if entry is not None and entry in names.called(tree)]
    fitting = without_contradictions(calling, [tree for tree in map(single_assert, sources(given)) if tree is not None])
    known = {ast.dump(tree) for tree in map(single_assert, sources(given)) if tree is not None}
    kept = [text for text in dict.fromkeys(map(ast.unparse, fitting)) if ast.dump(ast.parse(text)) not in known]
    return [
        Check(id=f"c{number}", source=text, kind="call", origin="generated", trust="suspect")
        for number, text in enumerate(kept[:most], len(given) + 1)
    ]


def sources(checks: Sequence[Check]) -> list[str]:
    """Return the checks as statements; an example of a doctest is the assert that it means."""
    return [as_assert(check.source) for check in checks]


def as_assert(text: str) -> str:
    """Return a doctest example as an assert, anything else as it is."""
    lines = text.strip().split("\n")
    if len(lines) == 2 and lines[0].startswith(">>> "):
        return f"assert {lines[0].removeprefix('>>> ')} == {lines[1]}"
    return text


def single_assert(text: str) -> ast.Module | None:
    """Return the tree of a text that is one assert and nothing else, and compiles."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's warnings about the model's text are nobody's here
        try:
            tree = ast.parse(text.strip())
            checks, _ = source.parse(text.strip())
            compile(tree, "<check>", "exec")
        except (SyntaxError, ValueError, SpecError, RecursionError, MemoryError):
            return None
    fits = len(tree.body) == 1 and isinstance(tree.body[0], ast.Assert) and len(checks) == 1
    return without_message(tree) if fits else None


def without_message(tree: ast.Module) -> ast.Module:
    """Return the assert without the text that it would fail with."""
    (statement,) = tree.body
    assert isinstance(statement, ast.Assert)
    return ast.parse(ast.unparse(ast.Assert(test=statement.test, msg=None)))


def most_called(trees: Sequence[ast.Module]) -> str | None:
    """Return the name that most of the asserts call and that Python does not define."""
    counted = Counter(name for tree in trees for name in names.called(tree) if name in names.free(tree))
    return counted.most_common(1)[0][0] if counted else None


def without_contradictions(generated: Sequence[ast.Module], given: Sequence[ast.Module]) -> list[ast.Module]:
    """Return the generated asserts that agree with each other, and with what the user says of the same call."""
    told = {key: value for key, value in map(call_and_value, given) if key}
    said: dict[str, set[str]] = {}
    for tree in generated:
        key, value = call_and_value(tree)
        said.setdefault(key, set()).add(value)
    fitting = []
    for tree in generated:
        key, value = call_and_value(tree)
        if not key or (len(said[key]) == 1 and told.get(key, value) == value):
            fitting.append(tree)
    return fitting


def call_and_value(tree: ast.Module) -> tuple[str, str]:
    """Return the call and the literal that an assert compares, or two empty texts for another form."""
    match tree.body[0]:
        case ast.Assert(test=ast.Compare(left=ast.Call() as call, ops=[ast.Eq()], comparators=[value])):
            try:
                return ast.unparse(call), repr(ast.literal_eval(value))
            except (ValueError, TypeError):
                return "", ""
    return "", ""
