"""Take a check's source apart: on the host where that is possible, next to the candidate otherwise.

Which way is taken follows from the source alone, never from what a candidate returns.
"""

from __future__ import annotations

import ast
import doctest
from collections.abc import Mapping

from refine_magic.core.types import Check
from refine_magic.execution import compare
from refine_magic.execution.lift import NotForHost, constants_of, lift
from refine_magic.execution.plan import Assertion, Example, Plan, Raises


def make_plan(check: Check, setup: str) -> Plan | None:
    """Return the host's plan for a check, or None where only the candidate's own kernel can judge it."""
    constants, outside = constants_of(setup)
    try:
        if check.kind == "call" and check.source.lstrip().startswith(">>>"):
            return plan_example(check, constants, outside)
        if check.kind == "call":
            return plan_assertion(check, constants, outside)
        if check.kind == "raises":
            return plan_raises(check, constants, outside)
    except NotForHost:
        return None
    return None


def plan_assertion(check: Check, constants: Mapping[str, ast.expr], outside: frozenset[str]) -> Plan:
    """Take an assert statement apart. Raises NotForHost."""
    statement = ast.parse(check.source.strip()).body[0]
    if not isinstance(statement, ast.Assert):
        raise NotForHost("not an assert")
    host, lifted_out = known(statement.test, constants, outside)
    return Assertion(check.id, host, tuple(lifted_out))


def plan_raises(check: Check, constants: Mapping[str, ast.expr], outside: frozenset[str]) -> Plan:
    """Take ``with pytest.raises(...): call`` apart. Raises NotForHost."""
    match ast.parse(check.source.strip()).body[0]:
        case ast.With(
            items=[ast.withitem(context_expr=ast.Call(args=[kinds], keywords=keywords), optional_vars=None)],
            body=[ast.Expr(value=call)],
        ):
            host, calls = known(call, constants, outside)
            if isinstance(host, ast.Name):
                return Raises(check.id, builtin_names(kinds), pattern_of(keywords), tuple(calls))
    raise NotForHost("more than one call that raises")


def builtin_names(kinds: ast.expr) -> tuple[str, ...]:
    """Return the names of the built-in exceptions expected. Raises NotForHost for any other."""
    names = []
    for kind in kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]:
        known_kind = compare.NAMES.get(kind.id) if isinstance(kind, ast.Name) else None
        if not (isinstance(kind, ast.Name) and isinstance(known_kind, type) and issubclass(known_kind, BaseException)):
            raise NotForHost("an exception that is not built in")
        names.append(kind.id)
    return tuple(names)


def pattern_of(keywords: list[ast.keyword]) -> str | None:
    """Return the pattern of ``match=``. Raises NotForHost for anything else."""
    match keywords:
        case []:
            return None
        case [ast.keyword(arg="match", value=ast.Constant(value=str(pattern)))]:
            return pattern
    raise NotForHost("arguments of raises that the host does not know")


def plan_example(check: Check, constants: Mapping[str, ast.expr], outside: frozenset[str]) -> Plan:
    """Take a doctest example apart. Raises NotForHost."""
    (example,) = doctest.DocTestParser().get_examples(check.source)
    tree = ast.parse(example.source.strip())
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        raise NotForHost("not an expression")
    expression = tree.body[0].value
    host, calls = known(expression, constants, outside)
    raises = example.exc_msg.strip() if example.exc_msg else None
    return Example(check.id, host, example.want, raises, example.options, tuple(calls))


def known(
    expression: ast.expr, constants: Mapping[str, ast.expr], outside: frozenset[str]
) -> tuple[ast.expr, list[str]]:
    """Lift, and make sure that the host knows every name that is left. Raises NotForHost."""
    host, lifted_out = lift(expression, constants, outside)
    names = {node.id for node in ast.walk(host) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    own = {node.id for node in ast.walk(host) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(host) if isinstance(node, ast.arg)}
    placeholders = {f"_{index}" for index in range(len(lifted_out.calls))}
    unknown = names - own - placeholders - set(compare.NAMES)
    if unknown or not lifted_out.calls:
        raise NotForHost(f"the host does not know {', '.join(sorted(unknown)) or 'what to call'}")
    return host, lifted_out.calls
