"""Test code that comes down to single assertions: a test function's asserts in a row, loops over literals unrolled.

What can be written out like that is judged on the host, assertion by assertion, and the candidate's kernel sees none
of it. Whether it can follows from the source alone.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refine_magic.execution.judging.lift import NotForHost
from refine_magic.execution.judging.setup import is_literal
from refine_magic.specs import names

MOST = 200
KNOWN_MODULES = frozenset({"math", "pytest", "unittest"})
COMPARED: dict[str, type[ast.cmpop]] = {
    "assertEqual": ast.Eq,
    "assertNotEqual": ast.NotEq,
    "assertIn": ast.In,
    "assertNotIn": ast.NotIn,
    "assertIs": ast.Is,
    "assertLess": ast.Lt,
    "assertLessEqual": ast.LtE,
    "assertGreater": ast.Gt,
    "assertGreaterEqual": ast.GtE,
}


@dataclass
class Writer:
    """Writes test code out as assertions; `values` are the literals that its names stand for."""

    written: list[ast.stmt] = field(default_factory=list)

    def body(self, statements: Sequence[ast.stmt], values: Mapping[str, ast.expr]) -> None:
        """Write statements out, in order. Raises NotForHost for anything that is more than an assertion in a row."""
        values = dict(values)
        for statement in statements:
            match statement:
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    continue
                case ast.Import(names=aliases) if all(a.name in KNOWN_MODULES and not a.asname for a in aliases):
                    continue
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    values[name] = unchanged(name, self.literal(value, values), statements)
                case ast.For(orelse=[]):
                    self.loop(statement, values)
                case ast.Assert() | ast.With() | ast.Expr(value=ast.Call()):
                    self.written.append(filled(assertion(statement), values))
                case _:
                    raise NotForHost(f"{type(statement).__name__} in a test")
            if len(self.written) > MOST:
                raise NotForHost(f"more than {MOST} assertions")

    def literal(self, value: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
        """Return the literal that an expression is. Raises NotForHost where it is none."""
        found: ast.expr = Fill(values).visit(copy.deepcopy(value))
        if not is_literal(found):
            raise NotForHost("a value that is no literal")
        return found

    def loop(self, statement: ast.For, values: Mapping[str, ast.expr]) -> None:
        """Write a loop over literals out, once for each item. Raises NotForHost."""
        items = elements(Fill(values).visit(copy.deepcopy(statement.iter)))
        for item in items:
            bound = bindings(statement.target, item)
            own = {name: unchanged(name, value, statement.body) for name, value in bound.items()}
            self.body(statement.body, {**values, **own})


class Fill(ast.NodeTransformer):
    """Put literals in place of the names that stand for them."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        """Take the literals by name."""
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name that is read and has a literal."""
        value = self.values.get(node.id) if isinstance(node.ctx, ast.Load) else None
        return node if value is None else copy.deepcopy(value)


def unchanged(name: str, value: ast.expr, within: Sequence[ast.stmt]) -> ast.expr:
    """Return a literal that no assertion can change for the next one.

    Raises NotForHost for a list, a dict or a set that is used more than once, or in a loop.
    """
    reads = [n for s in within for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    loops = [n for s in within for n in ast.walk(s) if isinstance(n, (ast.For, ast.comprehension))]
    if any(isinstance(node, (ast.List, ast.Dict, ast.Set)) for node in ast.walk(value)):
        if sum(node.id == name for node in reads) > 1 or any(name in names.used(loop) for loop in loops):
            raise NotForHost("a value that one assertion could change for the next")
    return value


def filled(statement: ast.stmt, values: Mapping[str, ast.expr]) -> ast.stmt:
    """Return a statement with literals in place of names. Raises NotForHost where it binds such a name anew."""
    if names.bound(statement) & set(values):
        raise NotForHost("a name that means two things")
    made = Fill(values).visit(copy.deepcopy(statement))
    return ast.fix_missing_locations(made)  # type: ignore[no-any-return]


def assertion(statement: ast.stmt) -> ast.stmt:
    """Return a method call of unittest as the assert that it is, anything else as it is. Raises NotForHost."""
    match statement:
        case ast.Assert() | ast.With():
            return statement
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=args, keywords=[])):
            return ast.Assert(test=tested(name, args), msg=None)
    raise NotForHost("a call in a test")


def tested(name: str, args: Sequence[ast.expr]) -> ast.expr:
    """Return what a method of unittest asserts. Raises NotForHost for one that is not known here."""
    match name, args:
        case _, [left, right] if name in COMPARED:
            return ast.Compare(left=left, ops=[COMPARED[name]()], comparators=[right])
        case "assertTrue", [value]:
            return value
        case "assertFalse", [value]:
            return ast.UnaryOp(op=ast.Not(), operand=value)
        case "assertIsNone", [value]:
            return ast.Compare(left=value, ops=[ast.Is()], comparators=[ast.Constant(value=None)])
    raise NotForHost(f"self.{name}")


def elements(iterable: ast.expr) -> list[ast.expr]:
    """Return the items of a literal, or of a range of literals. Raises NotForHost."""
    match iterable:
        case ast.List(elts=items) | ast.Tuple(elts=items) if is_literal(iterable) and len(items) <= MOST:
            return items
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if args and all(map(is_literal, args)):
            bounds = [ast.literal_eval(arg) for arg in args]
            if all(type(bound) is int for bound in bounds) and len(bounds) < 3 and bounds[-1] - min(0, *bounds) <= MOST:
                return [ast.Constant(value=number) for number in range(*bounds)]
    raise NotForHost("a loop over more than literals")


def bindings(target: ast.expr, item: ast.expr) -> dict[str, ast.expr]:
    """Return which literal each name of a loop's target stands for. Raises NotForHost."""
    match target, item:
        case ast.Name(id=name), _:
            return {name: item}
        case ast.Tuple(elts=targets), (ast.Tuple(elts=items) | ast.List(elts=items)) if len(targets) == len(items):
            pairs = [bindings(each, part) for each, part in zip(targets, items, strict=True)]
            return {name: value for pair in pairs for name, value in pair.items()}
    raise NotForHost("a loop's target that is no name")


def assertions(source: str) -> list[str]:
    """Return the assertions that test code comes down to, each as source. Raises NotForHost."""
    writer = Writer()
    for statement in ast.parse(source).body:
        match statement:
            case ast.FunctionDef(decorator_list=[], args=args) if not ast.unparse(args):
                writer.body(statement.body, {})
            case ast.ClassDef(decorator_list=[], body=methods):
                for method in methods:
                    writer.body(test_method(method), {})
            case _:
                writer.body([statement], {})
    if not writer.written:
        raise NotForHost("no assertion")
    return [ast.unparse(statement) for statement in writer.written]


def test_method(statement: ast.stmt) -> list[ast.stmt]:
    """Return the body of a test method without more than ``self``. Raises NotForHost for anything else in a class."""
    match statement:
        case ast.FunctionDef(name=name, decorator_list=[], body=body, args=args) if name.startswith("test"):
            if ast.unparse(args) == "self":
                return body
        case ast.Expr(value=ast.Constant()):
            return []
    raise NotForHost("more than test methods in a class")
