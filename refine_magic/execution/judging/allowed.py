"""What test code may use in the judge's kernel: modules, builtins, attributes, ways to call the candidate."""

from __future__ import annotations

import ast
import collections
import datetime
import decimal
import fractions
from collections.abc import Iterable, Mapping

from refine_magic.execution.judging.setup import root_of
from refine_magic.specs.source import is_test_class

MODULES = frozenset(
    """math cmath itertools functools operator collections random string re json decimal fractions datetime statistics
    typing copy calendar bisect heapq textwrap base64 hashlib pytest unittest hypothesis doctest contextlib io sys
    __future__ pprint numbers""".split()
)
PARTS: dict[str, frozenset[str]] = {
    "sys": frozenset({"maxsize", "float_info", "version_info", "stdout"}),
    "io": frozenset({"StringIO"}),
    "contextlib": frozenset({"redirect_stdout", "suppress", "nullcontext"}),
}
APART: dict[str, frozenset[str]] = {
    "pytest": frozenset({"warns", "deprecated_call", "MonkeyPatch", "importorskip", "fail_on", "LogCaptureFixture"}),
    "unittest": frozenset({"mock", "IsolatedAsyncioTestCase"}),
    "random": frozenset({"seed", "setstate", "getstate"}),
    "decimal": frozenset({"getcontext", "setcontext", "localcontext"}),
    "functools": frozenset({"cache", "lru_cache"}),
}
SELF_APART = frozenset({"assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"})
BUILTINS_APART = frozenset(
    """open input eval exec compile globals locals vars dir setattr delattr hasattr getattr callable super property
    object memoryview help breakpoint __import__ aiter anext""".split()
)
FIXTURES_APART = frozenset(
    """cache capfd capfdbinary caplog capsysbinary doctest_namespace mocker monkeypatch pytestconfig pytester
    record_property record_testsuite_property recwarn testdir tmp_path tmp_path_factory tmpdir tmpdir_factory""".split()
)
LOOKS_AT = frozenset({"isinstance", "issubclass", "type", "repr", "str", "len", "sorted", "list", "id", "print"})
CALLERS = frozenset(
    """map filter sorted min max list.sort functools.reduce reduce functools.partial partial pytest.raises
    self.assertRaises self.assertRaisesRegex itertools.starmap starmap itertools.groupby groupby""".split()
)
USING_UP = frozenset(
    """all any sum sorted list set tuple dict frozenset max min len enumerate zip map filter next str.join Counter
    collections.Counter collections.deque deque""".split()
)
ITERATORS = frozenset({"iter", "map", "filter", "zip", "enumerate", "reversed"})
OF_EXCEPTIONS = frozenset({"value", "type", "typename", "match", "exception", "args", "errno"})
OF_FIXTURES = frozenset({"readouterr", "out", "err", "param", "getvalue"})
OF_DATA = (
    str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range, decimal.Decimal,
    fractions.Fraction, datetime.datetime, datetime.date, datetime.time, datetime.timedelta, collections.deque,
    collections.Counter, collections.OrderedDict, collections.defaultdict,
)  # fmt: skip
OF_RANDOM = frozenset({"randint", "randrange", "random", "uniform", "choice", "choices", "sample", "shuffle", "gauss"})
ATTRIBUTES = OF_EXCEPTIONS.union(
    OF_FIXTURES, OF_RANDOM, (name for kind in OF_DATA for name in dir(kind) if not name.startswith("_"))
)
CONTEXTS = frozenset(
    """pytest.raises raises self.assertRaises self.assertRaisesRegex self.subTest redirect_stdout suppress
    contextlib.redirect_stdout contextlib.suppress nullcontext contextlib.nullcontext subtests.test""".split()
)
BASES = frozenset({"unittest.TestCase", "TestCase", "object"})
NEVER = (
    ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await, ast.Global, ast.Nonlocal, ast.Delete, ast.Match,
)  # fmt: skip


class NotCrossing(Exception):
    """The code must run next to the candidate."""


def modules(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return what each imported name stands for, such as ``{"np": "numpy", "StringIO": "io.StringIO"}``."""
    found: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.Import(names=aliases):
                found |= {a.asname or a.name.partition(".")[0]: a.name for a in aliases}
            case ast.ImportFrom(module=module, names=aliases):
                found |= {a.asname or a.name: f"{module}.{a.name}" for a in aliases}
    return found


def check(node: ast.AST, imported: Mapping[str, str]) -> None:
    """Raise NotCrossing for a node that the judge's kernel is not for, wherever it stands."""
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                check_path(alias.name)
        case ast.ImportFrom(module=module, names=aliases):
            for alias in aliases:
                check_path(f"{module}.{alias.name}")
        case ast.Name(id=name, ctx=ast.Load()) if name in BUILTINS_APART:
            raise NotCrossing(f"{name} is used")
        case ast.ClassDef():
            check_class(node)
        case ast.With(items=items):
            for item in items:
                check_context(item.context_expr, imported)
        case ast.ExceptHandler(type=kind) if kind is not None:
            check_exceptions(kind, imported)
        case ast.Attribute(value=ast.Name(id="self"), attr=attr) if attr in SELF_APART:
            raise NotCrossing(attr)
        case _ if isinstance(node, NEVER):
            raise NotCrossing(f"{type(node).__name__} in a test")


def check_path(path: str) -> None:
    """Raise NotCrossing for a module, or a part of one, that is not for the judge's kernel."""
    module, _, rest = path.partition(".")
    part = rest.partition(".")[0]
    if module not in MODULES or part == "*" or part in APART.get(module, ()):
        raise NotCrossing(path)
    if part and module in PARTS and part not in PARTS[module]:
        raise NotCrossing(path)


def check_module(path: str, node: ast.Attribute) -> None:
    """Raise NotCrossing for an attribute of a module that is not for the judge's kernel."""
    if isinstance(node.value, ast.Name):
        check_path(f"{path}.{node.attr}")


def check_class(node: ast.ClassDef) -> None:
    """Raise NotCrossing for a class that is no plain test class: its objects may be given to the candidate."""
    if not is_test_class(node) or node.keywords or any(ast.unparse(base) not in BASES for base in node.bases):
        raise NotCrossing(f"the class {node.name}")


def check_context(context: ast.expr, imported: Mapping[str, str]) -> None:
    """Raise NotCrossing for a context that is about more than exceptions and what is printed."""
    if not isinstance(context, ast.Call) or ast.unparse(context.func) not in CONTEXTS:
        raise NotCrossing("a context")
    name = ast.unparse(context.func).rpartition(".")[2].lower()
    if "raises" in name or name == "suppress":
        for kind in context.args[:1]:
            check_exceptions(kind, imported)


def check_exceptions(kind: ast.expr, imported: Mapping[str, str]) -> None:
    """Raise NotCrossing for an exception that is imported: only built-in ones are known on the other side."""
    for each in kind.elts if isinstance(kind, ast.Tuple) else [kind]:
        if root_of(each) in imported or isinstance(each, ast.Attribute):
            raise NotCrossing("an exception that is not built in")
