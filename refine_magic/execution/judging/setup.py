"""The setup of the checks, read once: which names have literal values, which are modules, what a call needs of it."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from refine_magic.specs.names import bound, parsed, used

IMPLIED = frozenset({"itertools", "math", "pytest"})
HOST_ATTRIBUTES = frozenset(
    """math.isclose math.isnan math.isinf math.isfinite math.sqrt math.fabs math.pi math.e math.tau math.inf math.nan
    pytest.approx itertools.islice""".split()
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


@dataclass(frozen=True)
class Setup:
    """The setup's statements by what they are to a check.

    `constants` are names with literal values, `modules` names that stand for a module or for something in one, such as
    ``{"isclose": "math.isclose"}``, and `outside` all other names that it binds, which no candidate defines.
    """

    body: tuple[ast.stmt, ...] = ()
    constants: Mapping[str, ast.expr] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    outside: frozenset[str] = frozenset()

    def needed(self, names: Iterable[str]) -> str:
        """Return the statements that give these names their values, and what those need in turn."""
        wanted, taken = set(names), set[int]()
        grew = True
        while grew:
            grew = False
            for position, statement in enumerate(self.body):
                if position not in taken and changed(statement) & wanted:
                    taken.add(position)
                    wanted.update(used(statement))
                    grew = True
        missing = [f"import {name}" for name in sorted(IMPLIED & wanted - bound(ast.Module([*self.body], [])))]
        return "\n".join([*missing, *(ast.unparse(self.body[position]) for position in sorted(taken))])

    def lent(self, code: str) -> str:
        """Return the imports, functions and classes that the code uses but does not define, such as a given class."""
        tree = parsed(code)
        names = set(used(tree)) - bound(tree)
        there: set[str] = set()
        for statement in self.body:
            if isinstance(statement, DEFINITIONS):
                there |= bound_by(statement)
        return self.needed(names & there) if names & there else ""


def read(setup: str) -> Setup:
    """Return what the setup's code is to a check; it is valid Python."""
    tree = ast.parse(setup)
    every = IMPLIED.union(*map(bound_by, tree.body))
    constants, modules = dict[str, ast.expr](), {name: name for name in IMPLIED}
    seen: list[str] = []
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_literal(value):
                constants[name] = value
            case ast.Import(names=aliases):
                modules |= {a.asname or a.name.partition(".")[0]: a.name for a in aliases}
            case ast.ImportFrom(module=str(module), names=aliases):
                modules |= {a.asname or a.name: f"{module}.{a.name}" for a in aliases}
        if not isinstance(statement, DEFINITIONS):
            seen += changed(statement) | set(used(statement))
    constants = {name: value for name, value in constants.items() if seen.count(name) == 1}
    return Setup(tuple(tree.body), constants, modules, frozenset(every - set(constants)))


def attributes(module: str) -> list[str]:
    """Return the names that the host takes from a module."""
    return [path.partition(".")[2] for path in HOST_ATTRIBUTES if path.startswith(f"{module}.")]


def bound_by(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds at the top level."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
    return bound(statement)


def changed(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds, or whose values it may change."""
    names = bound_by(statement)
    if isinstance(statement, DEFINITIONS):
        return names
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return names | set(used(statement))
    for node in ast.walk(statement):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            names |= {root_of(node)} - {""}
        elif isinstance(node, ast.Call):  # it may change what it is given, and what it is a method of
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            names |= {name for argument in given for name in used(argument)}
            names |= {root_of(node.func)} - {""} if isinstance(node.func, ast.Attribute) else set()
    return names


def root_of(node: ast.expr) -> str:
    """Return the name that a chain of calls, attributes and subscripts begins with, or nothing."""
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def is_literal(node: ast.expr) -> bool:
    """Tell whether the expression is a literal of plain data."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, MemoryError, RecursionError):
        return False
    return True


class Canonical(ast.NodeTransformer):
    """Write every name from a module the host knows in one way: ``isclose`` and ``m.isclose`` as ``math.isclose``."""

    def __init__(self, modules: Mapping[str, str], local: set[str]) -> None:
        """Take the setup's modules, and the names that the expression binds itself."""
        self.modules = {name: path for name, path in modules.items() if name not in local}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name that was imported from a module."""
        path = self.modules.get(node.id, "")
        return attribute(path) if path in HOST_ATTRIBUTES else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace an attribute of a module that has another name."""
        if isinstance(node.value, ast.Name) and node.value.id in self.modules:
            path = f"{self.modules[node.value.id]}.{node.attr}"
            return attribute(path) if path in HOST_ATTRIBUTES else node
        self.generic_visit(node)
        return node


def attribute(path: str) -> ast.expr:
    """Return ``math.pi`` and its like as a number, anything else as the attribute of its module."""
    module, _, name = path.partition(".")
    value = getattr(math, name, None) if module == "math" else None
    if isinstance(value, float) and name in ("pi", "e", "tau"):
        return ast.Constant(value=value)
    return ast.Attribute(value=ast.Name(id=module, ctx=ast.Load()), attr=name, ctx=ast.Load())
