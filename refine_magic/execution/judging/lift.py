"""Take an expression of a check apart: what the candidate's kernel evaluates, and what the host does with the values.

In ``sorted(f([3, 1])) == [1, 3]`` only ``f([3, 1])`` goes to the candidate's kernel; sorting and comparing happen here,
on plain data, and the kernel never sees ``[1, 3]``. Which part goes follows from the source alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from refine_magic.execution.judging.setup import HOST_ATTRIBUTES, Canonical, Setup, is_literal, root_of
from refine_magic.specs.names import BUILTINS, bound

HOST_FUNCTIONS = frozenset(
    """abs all any bool bytes complex dict divmod enumerate float frozenset int isinstance len list max min next range
    reversed round set sorted str sum tuple type zip repr chr ord iter map filter""".split()
)
# A predicate of the returned value decides the check, so it is the host's; any other method runs next to the candidate.
PLAIN_METHODS = frozenset(
    """upper lower strip lstrip rstrip split splitlines startswith endswith isdigit isalpha isalnum islower isupper
    isspace istitle isnumeric isdecimal isidentifier isascii title capitalize issubset issuperset isdisjoint
    is_integer""".split()
)
METHODS_OF_PLAIN_DATA = PLAIN_METHODS | frozenset(
    "count index keys values items get find union intersection difference join copy bit_length".split()
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
GUARDED_FUNCTIONS = frozenset({"range", "round", "bytes"})
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class NotForHost(Exception):
    """The expression needs more than plain data, so another way of judging must take it."""


@dataclass(frozen=True)
class Request:
    """One expression for the candidate's kernel, after the part of the setup that it needs.

    `take` is how many items of an iterator are wanted; with `shown`, its repr is wanted in place of its value.
    """

    source: str
    setup: str = ""
    take: int | None = None
    shown: bool = False

    def __str__(self) -> str:
        """Return the harness's call."""
        return f"call({self.source!r}, {self.setup!r}, {self.take!r}, {self.shown!r})"


class Lift(ast.NodeTransformer):
    """Replace the candidate's parts of an expression by names ``_0``, ``_1``... and collect their sources."""

    def __init__(self, setup: Setup, candidate: frozenset[str] = frozenset()) -> None:
        """Begin with nothing lifted; `candidate` are builtins that the candidate is known to define anew."""
        self.requests: list[Request] = []
        self.setup, self.candidate = setup, candidate
        self.local: frozenset[str] = frozenset()
        self.repeated = False
        self.take: int | None = None
        self.compared: set[ast.expr] = set()

    def lift(self, node: ast.expr) -> ast.expr:
        """Send this expression to the candidate's kernel and put a name in its place. Raises NotForHost."""
        if self.repeated:
            raise NotForHost("the call is made more than once")
        self.requests.append(request(node, self.setup, self.local, take=self.take))
        return ast.copy_location(ast.Name(id=f"_{len(self.requests) - 1}", ctx=ast.Load()), node)

    def from_candidate(self, node: ast.expr) -> bool:
        """Tell whether a chain of calls, attributes and subscripts begins with a name of the candidate's."""
        return self.is_candidate(root_of(node))

    def is_candidate(self, name: str) -> bool:
        """Tell whether the name can only come from the candidate."""
        if name in self.candidate:
            return True
        known = name in BUILTINS or name in self.local or name in self.setup.outside or name in self.setup.constants
        return bool(name) and not known

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Lift a call of the candidate; leave a predicate of its value, such as ``.isupper()``, to the host."""
        if not self.from_candidate(node):
            return self.host_call(node)
        if isinstance(node.func, ast.Name) and is_class_name(node.func.id) and node not in self.compared:
            raise NotForHost("an object of a class under test")
        if isinstance(node.func, ast.Attribute) and self.is_predicate(node.func):
            node.func.value = self.visit(node.func.value)
            node.args = [self.visit(arg) for arg in node.args]
            return node
        return self.lift(node)

    def is_predicate(self, method: ast.Attribute) -> bool:
        """Tell a method of the returned value from one of a class or module under test, by the names alone."""
        named = root_of(method)[:1].isupper()
        return method.attr in PLAIN_METHODS and isinstance(method.value, (ast.Call, ast.Subscript)) and not named

    def host_call(self, node: ast.Call) -> ast.expr:
        """Visit a call that the host makes. Raises NotForHost for one that it does not know."""
        match node.func:
            case ast.Name(id=name) if name in HOST_FUNCTIONS and name not in self.local:
                node.func.id = f"guarded_{name}" if name in GUARDED_FUNCTIONS else name
            case ast.Attribute() as method if is_known(method):
                pass
            case ast.Attribute(attr=attr) if attr in METHODS_OF_PLAIN_DATA:
                node.func.value = self.visit(node.func.value)
            case _:
                raise NotForHost(f"a call of {ast.unparse(node.func)}")
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(isinstance(arg, ast.Name) and self.is_candidate(arg.id) for arg in arguments):
            raise NotForHost("the candidate's own function or class is an argument")
        before, self.take = self.take, taken(node)
        node.args = [self.visit(arg) for arg in node.args]
        self.take = before
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Lift an attribute of the candidate's value."""
        if self.from_candidate(node):
            return self.lift(node)
        if is_known(node):
            return node
        raise NotForHost(f"the attribute {node.attr}")

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Lift an item of the candidate's value: nothing of what is expected goes with it."""
        if self.from_candidate(node):
            return self.lift(node)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Lift a constant that the candidate defines; put the setup's constants in place."""
        if node.id in self.local or not isinstance(node.ctx, ast.Load):
            return node
        if node.id in self.setup.constants:
            return self.setup.constants[node.id]
        if self.is_candidate(node.id):
            return self.lift(node)
        if node.id in self.setup.outside:
            raise NotForHost(f"{node.id} comes from the setup")
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Visit a comparison; which of the candidate's objects are the same one, only its kernel can tell.

        What is compared with a literal is taken for plain data, whatever its name looks like.
        """
        sides = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if isinstance(op, (ast.Is, ast.IsNot)) and self.from_candidate(left) and self.from_candidate(right):
                raise NotForHost("the identity of two values of the candidate")
        if any(is_literal(side) for side in sides):
            self.compared |= {side for side in sides if isinstance(side, ast.Call)}
        self.generic_visit(node)
        return node

    def comprehension(self, node: Comprehension) -> ast.expr:
        """Visit a comprehension: what it goes through is evaluated once, all else again and again."""
        if len(node.generators) > 1:
            raise NotForHost("a comprehension over more than one thing")
        node.generators[0].iter = self.visit(node.generators[0].iter)
        before = self.local, self.repeated
        self.local, self.repeated = self.local | bound(node), True
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        visited = [self.visit(part) for part in parts]
        if isinstance(node, ast.DictComp):
            node.key, node.value = visited
        else:
            (node.elt,) = visited
        node.generators[0].ifs = [self.visit(test) for test in node.generators[0].ifs]
        self.local, self.repeated = before
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Visit a function of the check: its body may be evaluated again and again."""
        before = self.local, self.repeated
        self.local, self.repeated = self.local | bound(node), True
        node.body = self.visit(node.body)
        self.local, self.repeated = before
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Guard the operators that can make a small value huge."""
        if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            raise NotForHost("% formatting")
        self.generic_visit(node)
        guard = GUARDED.get(type(node.op))
        if guard is None:
            return node
        call = ast.Call(func=ast.Name(id=guard, ctx=ast.Load()), args=[node.left, node.right], keywords=[])
        return ast.copy_location(call, node)


class Substitute(ast.NodeTransformer):
    """Put literal values in place of the setup's names."""

    def __init__(self, constants: Mapping[str, ast.expr]) -> None:
        """Take the literal values by name."""
        self.constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name that has a literal value."""
        return self.constants.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def request(
    node: ast.expr, setup: Setup, local: frozenset[str] = frozenset(), *, take: int | None = None, shown: bool = False
) -> Request:
    """Return the request for a whole expression. Raises NotForHost where it needs names of the check's own."""
    own = bound(node)
    inner = Substitute({name: value for name, value in setup.constants.items() if name not in own}).visit(node)
    names = {n.id for n in ast.walk(inner) if isinstance(n, ast.Name)} - own
    if names & local:
        raise NotForHost("the call depends on a name of a comprehension or a lambda")
    return Request(ast.unparse(inner), setup.needed(names & setup.outside), take, shown)


def is_class_name(name: str) -> bool:
    """Tell a class by its name, which is in capitalised words."""
    return name[:1].isupper() and "_" not in name


def taken(node: ast.Call) -> int | None:
    """Return how many items of its argument a call takes, where its source says so."""
    match node:
        case ast.Call(func=ast.Name(id="next"), args=[_, *_]):
            return 1
        case ast.Call(func=ast.Attribute(attr="islice"), args=[_, ast.Constant(value=int(most))]):
            return most
    return None


def placeholder(node: ast.expr) -> int | None:
    """Return the number of the request whose value this name stands for."""
    if isinstance(node, ast.Name) and re.fullmatch(r"_\d+", node.id):
        return int(node.id[1:])
    return None


def is_known(node: ast.Attribute) -> bool:
    """Tell whether this is one of the few functions and constants that the host takes from a module."""
    return isinstance(node.value, ast.Name) and f"{node.value.id}.{node.attr}" in HOST_ATTRIBUTES


def lift(
    expression: ast.expr, setup: Setup, candidate: frozenset[str] = frozenset()
) -> tuple[ast.expr, tuple[Request, ...]]:
    """Return the host's part of an expression and what was lifted out of it. Raises NotForHost."""
    lifted = Lift(setup, candidate)
    host = lifted.visit(Canonical(setup.modules, bound(expression)).visit(expression))
    for node in ast.walk(host):
        if not isinstance(node, ALLOWED):
            raise NotForHost(f"{type(node).__name__} is not for the host")
    return ast.fix_missing_locations(host), tuple(lifted.requests)
