"""What can be said of code without running it: whether it can work at all, and what looks wrong in it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pyflakes import checker, messages

from refine_magic.core.errors import SpecError
from refine_magic.core.types import RemoteError, Spec
from refine_magic.specs import names
from refine_magic.specs.problem import taken_names

TOLD = (
    messages.UndefinedName,
    messages.UndefinedLocal,
    messages.RedefinedWhileUnused,
    messages.IsLiteral,
    messages.StringDotFormatMissingArgument,
    messages.PercentFormatPositionalCountMismatch,
    messages.RaiseNotImplemented,
)
MOST = 5
BY_IPYTHON = frozenset({"get_ipython", "display", "exit", "quit", "In", "Out"})
DYNAMIC = frozenset({"exec", "eval", "globals", "locals", "vars", "setattr", "__builtins__", "builtins", "__import__"})


@dataclass(frozen=True)
class Analysis:
    """The findings, and where the code cannot work at all, the error that it would meet."""

    findings: tuple[str, ...] = ()
    error: RemoteError | None = None


def analyse(code: str, entry_point: str | None = None, given: Collection[str] = ()) -> Analysis:
    """Return what can be said of the code; `given` are names that it may use without defining them.

    There is an error for a syntax error, an entry point that the code defines nowhere, and an undefined name that is
    certain to be looked up when the code is loaded; any other undefined name is a finding only.
    """
    broken = syntax_error(code)
    if broken is not None:
        return Analysis(error=broken)
    try:
        tree = names.parsed(code)
        found = [message for message in flakes(tree) if isinstance(message, TOLD)]
        undefined = [
            each for each in found if isinstance(each, messages.UndefinedName) and each.message_args[0] not in given
        ]
        others = [each for each in found if not isinstance(each, messages.UndefinedName)]
        told = tuple(dict.fromkeys(map(words, sorted([*undefined, *others], key=lambda each: each.lineno))))[:MOST]
        return Analysis(told, None if is_dynamic(tree) else fatal(tree, undefined, entry_point, given))
    except (RecursionError, MemoryError):
        return Analysis()


def fatal(
    tree: ast.Module, undefined: Sequence[messages.Message], entry_point: str | None, given: Collection[str]
) -> RemoteError | None:
    """Return the error that code without dynamic names is certain to meet, or None."""
    sure = {(node.lineno, node.col_offset) for node in at_load(tree.body) if isinstance(node, ast.Name)}
    for message in undefined:
        if (message.lineno, message.col) in sure:
            return name_error(f"name {message.message_args[0]!r} is not defined (line {message.lineno})")
    if entry_point is None or entry_point in given or entry_point in names.bound(tree):
        return None
    defined = sorted(name for name in names.defined(tree) if not name.startswith("_"))
    there = f"it defines {', '.join(defined[:MOST])}" if defined else "it defines nothing"
    return name_error(
        f"name {entry_point!r} is not defined: the checks call it, and the code does not define it; {there}"
    )


def name_error(text: str) -> RemoteError:
    """Return a NameError as Jupyter words it."""
    return RemoteError(ename="NameError", evalue=text, traceback=(f"NameError: {text}",))


def syntax_error(code: str) -> RemoteError | None:
    """Return what is wrong with the code's syntax, without running it."""
    try:
        names.parsed(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        line = getattr(error, "lineno", None)
        text = (getattr(error, "text", None) or "").rstrip()
        where = (f'  File "<candidate>", line {line}', f"    {text.strip()}") if line else ()
        message = getattr(error, "msg", None) or str(error)
        evalue = f"{message} (line {line})" if line else message
        return RemoteError(
            ename=type(error).__name__, evalue=evalue, traceback=(*where, f"{type(error).__name__}: {evalue}")
        )
    return None


def flakes(tree: ast.Module) -> list[messages.Message]:
    """Return what pyflakes says of the code.

    It gets a copy: it writes a node's parent into every node, and Python shares the nodes of operators and contexts
    among all trees of a process, so that copying any other tree later would drag this whole one along.
    """
    return list(checker.Checker(copy.deepcopy(tree), filename="<candidate>", builtins=BY_IPYTHON).messages)


def words(message: messages.Message) -> str:
    """Return a message of pyflakes in one line."""
    return f"line {message.lineno}: {message.message % message.message_args}"[:200]


def is_dynamic(tree: ast.Module) -> bool:
    """Tell whether the code may define names in a way that reading it does not show."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in DYNAMIC:
            return True
        if isinstance(node, ast.alias) and node.name in ("*", "builtins"):
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("modules", "__dict__"):
            return True
    return False


def at_load(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes that are evaluated whenever the code is loaded, whatever its branches do."""
    for statement in body:
        yield from evaluated(statement)
        if isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return


def evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node, and the parts of it that are evaluated whenever it is; annotations are left out."""
    yield node
    parts: list[ast.AST | None]
    match node:
        case ast.BoolOp(values=[first, *_]):
            parts = [first]
        case ast.Compare(left=left, comparators=[first, *_]):
            parts = [left, first]
        case ast.IfExp(test=test) | ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            parts = [test]
        case ast.For(iter=source) | ast.comprehension(iter=source):
            parts = [source]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            parts = [node.generators[0].iter]
        case ast.With(items=[first, *_]):
            parts = [first.context_expr]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            parts = [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]
        case ast.Lambda():
            parts = [*node.args.defaults, *node.args.kw_defaults]
        case ast.ClassDef():
            parts = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
            yield from at_load(node.body)
        case ast.AnnAssign():
            parts = [node.value]
        case ast.Match(subject=subject):
            parts = [subject]
        case ast.Try() | ast.AsyncFor() | ast.AsyncWith() | ast.Delete():
            parts = []
        case _:
            parts = [] if type(node).__name__ in ("TryStar", "TypeAlias") else list(ast.iter_child_nodes(node))
    for part in parts:
        if part is not None:
            yield from evaluated(part)


def needed_by_all(spec: Spec) -> str | None:
    """Return the name that every check takes from the candidate, so that none passes without it; None where none is."""
    common: list[str] | None = None
    for check in spec.checks:
        try:
            taken = [] if check.kind in ("human", "io") else taken_names(check, spec.setup)
        except (SyntaxError, ValueError, SpecError):
            return None
        common = taken if common is None else [name for name in common if name in taken]
    return common[0] if common else None


def of_spec(code: str, spec: Spec) -> Analysis:
    """Return what can be said of a candidate for a spec, whose setup may lend it names."""
    needed, given = names.steady(lambda: wanted(spec))
    return names.steady(lambda: analyse(code, needed, given))


@lru_cache(maxsize=16)
def wanted(spec: Spec) -> tuple[str | None, frozenset[str]]:
    """Return the name that every check needs of a candidate, if there is one, and the names that the setup gives."""
    return needed_by_all(spec), frozenset(names.defined(ast.parse(spec.setup)))
