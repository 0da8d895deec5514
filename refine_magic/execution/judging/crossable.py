"""Whether test code may run in the judge's kernel, with stubs for the candidate's functions; by its source alone.

Plain data, iterators, built-in exceptions and functions that the candidate returns can cross. What cannot, or may not,
runs next to the candidate: in doubt a good candidate must not fail because of the way that was chosen.
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator, Sequence

from refine_magic.execution.judging import allowed
from refine_magic.execution.judging.allowed import NotCrossing
from refine_magic.execution.judging.setup import is_literal, root_of
from refine_magic.specs.fixtures import arguments, decorators, is_fixture
from refine_magic.specs.names import BUILTINS

MOST_CALLS = 1000
LARGEST = 20_000
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def candidate_names(tree: ast.Module) -> tuple[str, ...]:
    """Return the names that the code reads from its module and neither it nor Python defines, sorted."""
    top = symtable.symtable(ast.unparse(tree), "<check>", "exec")
    read: set[str] = set()
    own = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    waiting = [top]
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        for symbol in table.get_symbols():
            is_outer = table is top or symbol.is_global()
            read |= {symbol.get_name()} if symbol.is_referenced() and is_outer else set()
            own |= {symbol.get_name()} if symbol.is_assigned() and symbol.is_declared_global() else set()
    return tuple(sorted(read - own - BUILTINS))


def why_not(tree: ast.Module, names: Sequence[str]) -> str | None:
    """Return why the code may not run in the judge's kernel, or None where it may; `names` are the candidate's."""
    if not names:
        return "no name can only be the candidate's"  # it may be a builtin that the candidate defines anew
    try:
        Reading(tree, frozenset(names)).check()
    except NotCrossing as reason:
        return str(reason)
    return None


class Reading:
    """One reading of test code, by its rules one after the other."""

    def __init__(self, tree: ast.Module, names: frozenset[str]) -> None:
        """Take the code and the candidate's names in it."""
        self.tree, self.names = tree, names
        self.nodes = list(ast.walk(tree))
        self.parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}
        self.modules = allowed.modules(self.nodes)
        helpers = [n for n in self.nodes if isinstance(n, FUNCTIONS) and not is_fixture(n)]
        self.functions = {node.name for node in helpers if not node.name.startswith("test")}
        self.called = {n.func.id for n in self.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}

    def check(self) -> None:
        """Raise NotCrossing with the first reason against the judge's kernel."""
        for name in self.names:
            if name[:1].isupper() and ("_" not in name or name.isupper()) and not self.gives_data(name):
                raise NotCrossing(f"{name} is a class or a constant under test")
        for node in self.nodes:
            allowed.check(node, self.modules)
            match node:
                case ast.Name(ctx=ast.Load()):
                    self.check_name(node)
                case ast.Attribute():
                    self.check_attribute(node)
                case ast.FunctionDef():
                    self.check_function(node)
                case ast.Lambda():
                    self.check_lambda(node)
                case ast.GeneratorExp():
                    self.check_generator(node)
                case ast.Call(func=ast.Name(id=name)) if name in allowed.ITERATORS:
                    self.check_generator(node)
        self.check_size()

    def gives_data(self, name: str) -> bool:
        """Tell whether every use of a name is a call that is compared with a literal: then it is no class."""
        for node in self.nodes:
            if isinstance(node, ast.Name) and node.id == name:
                call = self.parents.get(node)
                compared = self.parents.get(call) if isinstance(call, ast.Call) and call.func is node else None
                if not isinstance(compared, ast.Compare):
                    return False
                if not any(is_literal(side) for side in (compared.left, *compared.comparators)):
                    return False
        return True

    def check_name(self, node: ast.Name) -> None:
        """Refuse a name of the candidate's that may be more than a function, and a function given to the candidate."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            return
        if node.id in self.names:
            if node.id not in self.called and not self.is_given_on(node):
                raise NotCrossing(f"{node.id} may be no function")
            if isinstance(parent, (ast.Attribute, ast.Subscript, ast.Compare, ast.For)):
                raise NotCrossing(f"more of {node.id} is used than its calls")
            if isinstance(parent, ast.Call) and root_of(parent.func) in allowed.LOOKS_AT:
                raise NotCrossing(f"{node.id} is looked at")
        elif node.id in self.functions and not self.is_consumed(node) and node not in self.in_decorators():
            raise NotCrossing(f"{node.id} may be given to the code under test")

    def in_decorators(self) -> set[ast.AST]:
        """Return the names that are decorators."""
        return {mark for node in self.nodes for mark in decorators(node)}

    def is_given_on(self, node: ast.expr) -> bool:
        """Tell whether something is an argument of a helper of the tests, or of what only calls it."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.Call):
            callee = ast.unparse(parent.func)
            return callee in self.functions or callee in allowed.CALLERS
        return False

    def is_consumed(self, node: ast.expr) -> bool:
        """Tell whether a function goes to what only calls it, such as ``map`` or ``key=``."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.keyword):
            parent = self.parents.get(parent) if parent.arg in ("key", "default_factory") else None
        if isinstance(parent, ast.Call):
            callee = ast.unparse(parent.func)
            return callee in allowed.CALLERS or callee.rpartition(".")[2] in ("sort", "defaultdict")
        return False

    def check_lambda(self, node: ast.Lambda) -> None:
        """Refuse a function that may be given to the candidate."""
        if not self.is_consumed(node):
            raise NotCrossing("a function may be given to the code under test")

    def check_generator(self, node: ast.expr) -> None:
        """Refuse an iterator that may be given to the candidate: it must be used up where it stands."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.Call) and parent.func is not node:
            callee = ast.unparse(parent.func)
            if callee in allowed.USING_UP or callee.rpartition(".")[2] in ("join", "extend", "update"):
                return
        if not isinstance(parent, (ast.For, ast.comprehension, ast.Starred)):
            raise NotCrossing("an iterator may be given to the code under test")

    def check_attribute(self, node: ast.Attribute) -> None:
        """Refuse an attribute that plain data may not have."""
        root = root_of(node)
        if root in self.names and isinstance(node.value, ast.Name):
            raise NotCrossing(f"an attribute of {root}")
        if root in self.modules:
            allowed.check_module(self.modules[root], node)
        elif node.attr not in allowed.ATTRIBUTES and ast.unparse(node.value) not in ("self", "cls"):
            raise NotCrossing(f"the attribute {node.attr}")

    def check_function(self, node: ast.FunctionDef) -> None:
        """Refuse fixtures that are about more than data, and generators that are no fixtures."""
        if is_fixture(node) or node.name.startswith("test"):
            for name in arguments(node):
                if name in allowed.FIXTURES_APART:
                    raise NotCrossing(f"the fixture {name}")
        elif any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node)):
            raise NotCrossing(f"{node.name} is a generator")

    def check_size(self) -> None:
        """Refuse more calls than a stub can make in time, and values that are slow to send; literals tell both."""
        for node in self.nodes:
            numbers = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) is int]
            grows = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Pow, ast.LShift))
            if (
                grows
                and any(isinstance(n, (ast.List, ast.Tuple)) for n in ast.walk(node))
                and max(numbers, default=0) > LARGEST
            ):
                raise NotCrossing("a large value")
            if isinstance(node, ast.Call) and root_of(node.func) == "range" and max(numbers, default=0) > LARGEST:
                raise NotCrossing("a large range")
        if self.calls_in(self.tree.body) > MOST_CALLS:
            raise NotCrossing("many calls")

    def calls_in(self, nodes: Sequence[ast.AST]) -> int:
        """Return about how many calls of candidate's functions the code makes, as far as its literals tell."""
        return sum(self.calls_of(node) for node in nodes)

    def calls_of(self, node: ast.AST) -> int:
        """Return about how many calls one node makes; what is not known counts as ten times."""
        inner = self.calls_in(list(ast.iter_child_nodes(node)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            inner += node.func.id in self.names or node.func.id in self.functions
        loops: Iterator[ast.expr] = iter(())
        if isinstance(node, (ast.For, ast.comprehension)):
            loops = iter([node.iter])
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            loops = iter([each.iter for each in node.generators])
        for items in loops:
            inner *= length(items)
        return min(inner, MOST_CALLS + 1)


def length(items: ast.expr) -> int:
    """Return about how many items there are to go through: as many as literals say, or ten."""
    match items:
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            return len(elts)
        case ast.Call(func=ast.Name(id="range"), args=args):
            numbers = [n.value for arg in args for n in ast.walk(arg) if isinstance(n, ast.Constant)]
            whole = [abs(number) for number in numbers if type(number) is int]
            return max(whole, default=10)
        case ast.Call(args=[first, *_]):
            return length(first)
    return 10
