"""Take a check's source apart: on the host where that is possible, next to the candidate otherwise.

Which way is taken follows from the source alone, never from what a candidate returns.
"""

from __future__ import annotations

import ast
import doctest

from refine_magic.core.types import Check, CheckKind
from refine_magic.execution.judging import compare, fixtures
from refine_magic.execution.judging.lift import HOST_FUNCTIONS, NotForHost, Request, lift, placeholder, request
from refine_magic.execution.judging.plan import Assertion, Example, InARow, Plan, Raises
from refine_magic.execution.judging.setup import Setup, root_of
from refine_magic.execution.judging.straight import assertions
from refine_magic.specs import names

EXPECTING = frozenset({"pytest.raises", "raises", "self.assertRaises"})
DECIDING = frozenset({"all", "any", "isinstance", "bool"})


def make_plan(check: Check, setup: Setup) -> Plan | None:
    """Return the host's plan for a check, or None where only the candidate's own kernel can judge it."""
    try:
        if check.kind == "call" and check.source.lstrip().startswith(">>>"):
            return plan_example(check, setup)
        if check.kind == "call":
            return plan_assertion(check, setup)
        if check.kind == "raises":
            return plan_raises(check, setup)
        if check.kind == "program" and not check.source.lstrip().startswith(">>>"):
            return plan_straight(check, setup)
    except NotForHost:
        return None
    return None


def plan_straight(check: Check, setup: Setup) -> Plan:
    """Take test code apart that comes down to assertions in a row. Raises NotForHost."""
    if fixtures.touches_every_test(setup):
        raise NotForHost("something is done before every test")
    parts = []
    for source in assertions(check.source):
        kind: CheckKind = "raises" if source.startswith("with ") else "call"
        plan = make_plan(Check(id=check.id, source=source, kind=kind), setup)
        if plan is None:
            raise NotForHost("one of the assertions is not for the host")
        parts.append((source, plan))
    return InARow(check.id, tuple(parts))


def plan_assertion(check: Check, setup: Setup) -> Plan:
    """Take an assert statement apart. Raises NotForHost."""
    match ast.parse(check.source.strip()).body:
        case [ast.Assert(test=test)]:
            if compares_objects(test, setup):
                raise NotForHost("objects of a class under test are compared with each other")
            return Assertion(check.id, *known(test, setup))
    raise NotForHost("not one assert")


def compares_objects(test: ast.expr, setup: Setup) -> bool:
    """Tell whether two objects of a class under test are compared, by the names alone: ``Point(1) == Point(1)``."""
    match test:
        case ast.Compare(left=left, comparators=[right]):
            classes = [side.func for side in (left, right) if isinstance(side, ast.Call)]
            named = [made.id for made in classes if isinstance(made, ast.Name) and made.id[:1].isupper()]
            return len(named) == 2 and all(name not in setup.outside for name in named)
    return False


def plan_raises(check: Check, setup: Setup) -> Plan:
    """Take ``with pytest.raises(...): call`` apart. Raises NotForHost."""
    match ast.parse(check.source.strip()).body:
        case [
            ast.With(
                items=[ast.withitem(context_expr=ast.Call(func, [kinds], keywords), optional_vars=None)],
                body=[ast.Expr(value=call)],
            )
        ] if ast.unparse(func) in EXPECTING:
            if not takes_from_candidate(call, setup):
                raise NotForHost("nothing of the candidate is called")
            return Raises(check.id, builtin_names(kinds), pattern_of(keywords), (request(call, setup),))
    raise NotForHost("more than one call that raises")


def builtin_names(kinds: ast.expr) -> tuple[str, ...]:
    """Return the names of the built-in exceptions expected. Raises NotForHost for any other."""
    found = []
    for kind in kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]:
        known_kind = compare.NAMES.get(kind.id) if isinstance(kind, ast.Name) else None
        if not (isinstance(kind, ast.Name) and isinstance(known_kind, type) and issubclass(known_kind, BaseException)):
            raise NotForHost("an exception that is not built in")
        found.append(known_kind.__name__)
    return tuple(found)


def pattern_of(keywords: list[ast.keyword]) -> str | None:
    """Return the pattern of ``match=``. Raises NotForHost for anything else."""
    match keywords:
        case []:
            return None
        case [ast.keyword(arg="match", value=ast.Constant(value=str(pattern)))]:
            return pattern
    raise NotForHost("arguments of raises that the host does not know")


def plan_example(check: Check, setup: Setup) -> Plan:
    """Take a doctest example apart. Raises NotForHost."""
    match doctest.DocTestParser().get_examples(check.source):
        case [example]:
            pass
        case _:
            raise NotForHost("not one example")
    raises = example.exc_msg.strip() if example.exc_msg else None
    match ast.parse(example.source.strip()).body:
        case [ast.Expr(value=expression)]:
            host, calls = example_parts(expression, setup)
            return Example(check.id, host, example.want, raises, example.options, calls)
    raise NotForHost("not an expression")


def example_parts(expression: ast.expr, setup: Setup) -> tuple[ast.expr, tuple[Request, ...]]:
    """Return the host's part and the requests; what only shows a value is shown by the candidate's kernel.

    ``f(3)`` and ``sorted(f(3))`` say nothing of what is expected, and their text keeps a subclass's own repr; in
    ``f(3) == 9`` it is the comparison that decides, so that is the host's.
    """
    if decides(expression):
        return known(expression, setup)
    if not takes_from_candidate(expression, setup):
        raise NotForHost("nothing of the candidate is called")
    return ast.Name(id="_0", ctx=ast.Load()), (request(expression, setup, shown=True),)


def decides(expression: ast.expr) -> bool:
    """Tell whether the expression itself says what is expected."""
    return any(
        isinstance(node, (ast.Compare, ast.BoolOp, ast.IfExp))
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DECIDING)
        for node in ast.walk(expression)
    )


def takes_from_candidate(expression: ast.expr, setup: Setup) -> bool:
    """Tell whether a name in the expression can only come from the candidate."""
    return any(name not in setup.outside and name not in setup.constants for name in names.free(expression))


def known(expression: ast.expr, setup: Setup) -> tuple[ast.expr, tuple[Request, ...]]:
    """Lift, and make sure that the host knows every name that is left. Raises NotForHost.

    Where nothing is the candidate's, a builtin that the check calls is taken for one that the candidate defines anew.
    """
    source = ast.unparse(expression)
    host, requests = lift(expression, setup)
    if not requests:
        anew = frozenset(root_of(node) for node in ast.walk(expression) if isinstance(node, ast.Call))
        host, requests = lift(ast.parse(source, mode="eval").body, setup, (anew & HOST_FUNCTIONS) - setup.outside)
    reads = [node for node in ast.walk(host) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    unknown = {node.id for node in reads if placeholder(node) is None} - names.bound(host) - set(compare.NAMES)
    if unknown or not requests:
        raise NotForHost(f"the host does not know {', '.join(sorted(unknown)) or 'what to call'}")
    return host, requests
