"""Take an expression of a check apart: what the candidate's kernel evaluates, and what the host does with the values.

In ``sorted(f([3, 1])) == [1, 3]`` only ``f([3, 1])`` goes to the candidate's kernel; sorting and comparing happen here,
on plain data, and the kernel never sees ``[1, 3]``. Which part goes follows from the source alone.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping

from refine_magic.specs.names import BUILTINS, bound

HOST_FUNCTIONS = frozenset(
    """abs all any bool bytes complex dict divmod enumerate float frozenset int isinstance len list max min next range
    reversed round set sorted str sum tuple type zip repr chr ord""".split()
)
HOST_MODULES = frozenset({"math.isclose", "math.isnan", "math.isinf", "pytest.approx"})
PLAIN_METHODS = frozenset(
    """count index keys values items get upper lower strip lstrip rstrip split splitlines startswith endswith find
    isdigit isalpha isalnum islower isupper isspace title capitalize union intersection difference issubset
    issuperset isdisjoint copy total_seconds is_integer as_integer_ratio bit_length decode encode""".split()
)
ALLOWED = (
    ast.Expression, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.IfExp, ast.Constant, ast.Name, ast.List,
    ast.Tuple, ast.Set, ast.Dict, ast.Call, ast.keyword, ast.Attribute, ast.Subscript, ast.Slice, ast.Starred,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Lambda, ast.arguments, ast.arg,
    ast.cmpop, ast.boolop, ast.unaryop, ast.operator, ast.expr_context,
)  # fmt: skip
GUARDED: dict[type[ast.operator], str] = {
    ast.Mult: "guarded_mul",
    ast.Mod: "guarded_mod",
    ast.Pow: "guarded_pow",
    ast.LShift: "guarded_lshift",
}


class NotForHost(Exception):
    """The expression needs more than plain data, so another way of judging must take it."""


class Lift(ast.NodeTransformer):
    """Replace the candidate's parts of an expression by names ``_0``, ``_1``... and collect their sources.

    `constants` are the setup's names with literal values; they are put in place of their names.
    """

    def __init__(self, constants: Mapping[str, ast.expr], outside: frozenset[str]) -> None:
        """Begin with nothing lifted; `outside` are the setup's other names, which no candidate defines."""
        self.calls: list[str] = []
        self.constants, self.outside = constants, outside
        self.local: frozenset[str] = frozenset()

    def lift(self, node: ast.expr) -> ast.expr:
        """Send this expression to the candidate's kernel and put a name in its place."""
        inner = Substitute(self.constants).visit(node)
        names = {n.id for n in ast.walk(inner) if isinstance(n, ast.Name)} - bound(inner)
        if names & self.outside or names & self.local:
            raise NotForHost("the call depends on names that the candidate's kernel does not have")
        self.calls.append(ast.unparse(inner))
        return ast.copy_location(ast.Name(id=f"_{len(self.calls) - 1}", ctx=ast.Load()), node)

    def candidate_root(self, node: ast.expr) -> str | None:
        """Return the candidate's name that a chain of calls, attributes and subscripts begins with."""
        while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
            node = node.func if isinstance(node, ast.Call) else node.value
        return node.id if isinstance(node, ast.Name) and self.is_candidate(node.id) else None

    def is_candidate(self, name: str) -> bool:
        """Tell whether the name can only come from the candidate."""
        return not (name in BUILTINS or name in self.local or name in self.outside or name in self.constants)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Lift a call of the candidate; leave a plain method of its value, such as ``.upper()``, to the host."""
        root = self.candidate_root(node)
        if root is None:
            self.check_host_call(node)
            arguments = [arg.value if isinstance(arg, ast.keyword) else arg for arg in [*node.args, *node.keywords]]
            if any(isinstance(arg, ast.Name) and self.is_candidate(arg.id) for arg in arguments):
                raise NotForHost("the candidate's own function or class is an argument")
            node.args = [self.visit(arg) for arg in node.args]
            node.keywords = [self.visit(keyword) for keyword in node.keywords]
            if isinstance(node.func, ast.Attribute) and not is_module(node.func):
                node.func.value = self.visit(node.func.value)
            return node
        if isinstance(node.func, ast.Attribute) and self.is_plain(node.func, root):
            node.func.value = self.visit(node.func.value)
            node.args = [self.visit(arg) for arg in node.args]
            return node
        return self.lift(node)

    def is_plain(self, method: ast.Attribute, root: str) -> bool:
        """Tell a method of the returned value from one of a class under test, by the names alone."""
        return method.attr in PLAIN_METHODS and isinstance(method.value, ast.Call) and not root[:1].isupper()

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Lift an attribute of the candidate's value."""
        if self.candidate_root(node) is not None:
            return self.lift(node)
        if is_module(node):
            return node
        raise NotForHost(f"the attribute {node.attr}")

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Lift a constant that the candidate defines; put the setup's constants in place."""
        if node.id in self.constants and node.id not in self.local:
            return self.constants[node.id]
        if self.is_candidate(node.id):
            return self.lift(node)
        if node.id in self.outside:
            raise NotForHost(f"{node.id} comes from the setup")
        return node

    def comprehension(self, node: ast.expr) -> ast.expr:
        """Visit a comprehension with its own names known as local."""
        before = self.local
        self.local = before | bound(node)
        self.generic_visit(node)
        self.local = before
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda = comprehension

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Guard the operators that can make a small value huge."""
        self.generic_visit(node)
        guard = GUARDED.get(type(node.op))
        if guard is None:
            return node
        call = ast.Call(func=ast.Name(id=guard, ctx=ast.Load()), args=[node.left, node.right], keywords=[])
        return ast.copy_location(call, node)

    def check_host_call(self, node: ast.Call) -> None:
        """Refuse what the host does not call."""
        match node.func:
            case ast.Name(id=name) if name in HOST_FUNCTIONS:
                return
            case ast.Attribute() as method if is_module(method):
                return
            case ast.Attribute(attr=attr) if attr in PLAIN_METHODS:
                return
        raise NotForHost(f"a call of {ast.unparse(node.func)}")


class Substitute(ast.NodeTransformer):
    """Put literal values in place of the setup's names."""

    def __init__(self, constants: Mapping[str, ast.expr]) -> None:
        """Take the literal values by name."""
        self.constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name that has a literal value."""
        return self.constants.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace the two constants that tests take from math."""
        if isinstance(node.value, ast.Name) and node.value.id == "math" and node.attr in ("pi", "e"):
            return ast.Constant(value=getattr(math, node.attr))
        self.generic_visit(node)
        return node


def is_module(node: ast.Attribute) -> bool:
    """Tell whether this is one of the few functions and constants that the host takes from a module."""
    return isinstance(node.value, ast.Name) and (
        f"{node.value.id}.{node.attr}" in HOST_MODULES or (node.value.id == "math" and node.attr in ("pi", "e", "inf"))
    )


def lift(expression: ast.expr, constants: Mapping[str, ast.expr], outside: frozenset[str]) -> tuple[ast.expr, Lift]:
    """Return the host's part of an expression and what was lifted out of it. Raises NotForHost."""
    lifted = Lift(constants, outside)
    host = lifted.visit(expression)
    for node in ast.walk(host):
        if not isinstance(node, ALLOWED):
            raise NotForHost(f"{type(node).__name__} is not for the host")
    return ast.fix_missing_locations(host), lifted


def constants_of(setup: str) -> tuple[dict[str, ast.expr], frozenset[str]]:
    """Return the setup's names that have literal values, and all the other names that it binds."""
    tree = ast.parse(setup)
    constants: dict[str, ast.expr] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and is_literal(statement.value):
                constants[target.id] = statement.value
    others = bound(tree) - set(constants)
    stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    twice = {name for name in constants if stored.count(name) > 1}
    return {k: v for k, v in constants.items() if k not in twice}, frozenset(others | twice)


def is_literal(node: ast.expr) -> bool:
    """Tell whether the expression is a literal of plain data."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, MemoryError, RecursionError):
        return False
    return True
