"""Assert statements that say which values they compared when they fail.

Stand-alone, standard library only: pytest's own rewriting needs pytest, a file and an import.
"""

from __future__ import annotations

import ast
import reprlib
from typing import Any

SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
LONGEST = 400
FAILED = "@refine_failed"


class Telling(ast.NodeTransformer):
    """Replaces each assert by one that keeps the values of its two sides."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        """Return the statements that evaluate both sides, compare them and raise what tells of them."""
        values: list[ast.expr] = [node.test]
        test: ast.expr = load("@value")
        symbol, names = "", ["@value"]
        if isinstance(node.test, ast.Compare) and len(node.test.ops) == 1:
            values, names = [node.test.left, node.test.comparators[0]], ["@left", "@right"]
            test = ast.Compare(left=load("@left"), ops=node.test.ops, comparators=[load("@right")])
            symbol = SYMBOLS[type(node.test.ops[0])]
        stored: list[ast.stmt] = [
            ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value)
            for name, value in zip(names, values)  # noqa: B905 - Python 3.9 has no strict
        ]
        told = [ast.Constant(value=ast.unparse(value)) for value in values]
        kept: ast.expr = ast.Tuple(elts=[load(name) for name in names], ctx=ast.Load())
        message = node.msg or ast.Constant(value=None)
        failure = ast.Call(
            func=load(FAILED),
            args=[ast.Tuple(elts=list(told), ctx=ast.Load()), ast.Constant(value=symbol), kept, message],
            keywords=[],
        )
        check = ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test), body=[ast.Raise(exc=failure)], orelse=[])
        freed = ast.Assign(
            targets=[ast.Name(id=name, ctx=ast.Store()) for name in names], value=ast.Constant(value=None)
        )
        return [ast.fix_missing_locations(ast.copy_location(made, node)) for made in (*stored, check, freed)]


def load(name: str) -> ast.Name:
    """Return the reading of a name."""
    return ast.Name(id=name, ctx=ast.Load())


def failed(sources: tuple[str, ...], symbol: str, values: tuple[Any, ...], message: Any) -> AssertionError:
    """Return the error of an assert, with the values it compared as `refine`, expected and observed."""
    shown = [show(value) for value in values]
    where = [f"{value} = {source}" for value, source in zip(shown, sources) if tells(source)]  # noqa: B905
    said = f"{message}: " if message is not None else ""
    text = f"{said}assert {f' {symbol} '.join(shown)}" + (f", where {' and '.join(where)}" if where else "")
    error = AssertionError(text)
    if symbol:
        plain = [is_plain(source) for source in sources]
        observed, expected = (shown[1], shown[0]) if plain == [True, False] else (shown[0], shown[1])
        error.refine = (expected if symbol in ("==", "is") else f"{symbol} {expected}", observed)  # type: ignore[attr-defined]
    return error


def tells(source: str) -> bool:
    """Tell an expression whose value is worth a word: no literal and no name."""
    return not source.isidentifier() and not is_plain(source)


def is_plain(source: str) -> bool:
    """Tell a literal."""
    try:
        ast.literal_eval(source)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def show(value: Any) -> str:
    """Return a value's repr, cut, whatever the value is."""
    try:
        text = repr(value)
    except Exception as error:
        return f"<its repr raised {type(error).__name__}>"
    return text if len(text) <= LONGEST else reprlib.repr(value)[:LONGEST]


def compiled(source: str, filename: str) -> Any:
    """Return the code of test source whose asserts tell of their values. Raises SyntaxError."""
    return compile(Telling().visit(ast.parse(source, filename)), filename, "exec", dont_inherit=True)
