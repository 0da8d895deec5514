"""Checks that the host judges: which expressions the candidate's kernel evaluates, and what their values mean."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from refine_magic.core.types import CheckOutcome, CheckResult, RemoteError
from refine_magic.execution.judging import compare
from refine_magic.execution.judging.lift import Request, placeholder
from refine_magic.execution.judging.wire import Answer, Raised, clean

SHOWN = 400


class Plan(Protocol):
    """A check that the host can judge."""

    @property
    def check_id(self) -> str:
        """The id of the check."""

    @property
    def calls(self) -> tuple[Request, ...]:
        """The expressions that the candidate's kernel evaluates."""

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return the result, given the answers to the calls in order; never raises for a candidate's value."""


@dataclass(frozen=True)
class Assertion:
    """``assert expression``: the host evaluates it over the values of the calls."""

    check_id: str
    expression: ast.expr
    calls: tuple[Request, ...]

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return passed where the expression is true for the values that the calls returned."""
        expected, shown = self.sides()
        try:
            holds = bool(compare.evaluate(self.expression, answers))
        except Raised as raised:
            return result(self, "error", expected, str(raised).rstrip(": "), answers, error=raised.error)
        except Exception as error:
            message = f"{type(error).__name__}: {words(error, str)}"
            return result(self, "failed", expected, self.observed(shown, answers), answers, message=message)
        return result(self, "passed" if holds else "failed", expected, self.observed(shown, answers), answers)

    def observed(self, shown: ast.expr, answers: Sequence[Answer]) -> str:
        """Return the value of the part that is shown, or the values of all the calls."""
        if shown is not self.expression and len(answers) == 1:
            try:
                return words(compare.evaluate(shown, answers))
            except Exception:
                return words(answers[0].value)
        return ", ".join(words(answer.value) if answer.error is None else answer.error.ename for answer in answers)

    def sides(self) -> tuple[str, ast.expr]:
        """Return what is expected, in words or as an expression, and the part whose value is shown as observed."""
        match self.expression:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if lifted(left) and not lifted(right):
                value = self.value_of(right)
                return (value if isinstance(op, (ast.Eq, ast.Is)) else f"{symbol(op)} {value}"), left
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) if lifted(right):
                return (self.value_of(left), right) if not lifted(left) else ("both sides equal", self.expression)
            case ast.UnaryOp(op=ast.Not(), operand=operand) if placeholder(operand) is not None:
                return "a false value", operand
        return "a true value", self.expression

    def value_of(self, expression: ast.expr) -> str:
        """Return the value of an expression that takes nothing from the candidate, or its text where it has none."""
        try:
            return words(compare.evaluate(expression, ()))
        except Exception:
            return cut(self.text(expression))

    def text(self, expression: ast.expr) -> str:
        """Return an expression as the check's author wrote it, or nearly so."""
        text = re.sub(r"\b_(\d+)\b", lambda found: self.calls[int(found[1])].source, ast.unparse(expression))
        return re.sub(r"\bguarded_(range|round|bytes)\b", r"\1", text)


@dataclass(frozen=True)
class Raises:
    """``with pytest.raises(Error, match=...): call``: the call must raise a built-in exception."""

    check_id: str
    names: tuple[str, ...]
    match: str | None
    calls: tuple[Request, ...]

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return passed where the call raised one of the exceptions, and its text matches."""
        (answer,) = answers
        expected = " or ".join(self.names) + (f" matching {self.match!r}" if self.match else "")
        if answer.error is None:
            return result(self, "failed", expected, f"returned {words(answer.value)}", answers)
        fits = bool(set(self.names) & set(answer.kinds))
        fits = fits and (self.match is None or re.search(self.match, answer.error.evalue) is not None)
        error = None if fits else answer.error
        return result(self, "passed" if fits else "failed", expected, told(answer.error), answers, error=error)


@dataclass(frozen=True)
class Example:
    """A doctest example: its text as Python's prompt would show it, compared here by doctest's own rules.

    Where the host has a part of the expression, it shows the value; else the candidate's kernel does.
    """

    check_id: str
    expression: ast.expr
    want: str
    raises: str | None
    options: Mapping[int, bool] = field(default_factory=dict)
    calls: tuple[Request, ...] = ()

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return passed where the printed text and the value's repr are what the example shows."""
        expected = cut(self.want.strip()) if self.raises is None else cut(self.raises)
        printed = "".join(answer.stdout for answer in answers)
        try:
            got = printed + self.shown(answers)
        except Raised as raised:
            return self.judge_error(raised.error, expected, answers)
        except Exception as error:
            message = f"{type(error).__name__}: {words(error, str)}"
            return result(self, "failed", expected, None, answers, message=message)
        same = self.raises is None and (
            doctest.OutputChecker().check_output(self.want, got, self.flags) or same_sets(self.want, got)
        )
        return result(self, "passed" if same else "failed", expected, cut(got.strip() or "None"), answers)

    @property
    def flags(self) -> int:
        """The example's own options, such as ELLIPSIS."""
        return sum(flag for flag, on in self.options.items() if on)

    def shown(self, answers: Sequence[Answer]) -> str:
        """Return the value's line at the prompt; raises what `compare.evaluate` raises."""
        if answers[0].shown is not None:
            return f"{answers[0].shown}\n"
        value = compare.evaluate(self.expression, answers)
        return "" if value is None else f"{value!r}\n"

    def judge_error(self, error: RemoteError, expected: str, answers: Sequence[Answer]) -> CheckResult:
        """Return passed where the example shows this exception."""
        observed = told(error)
        if self.raises is None:
            return result(self, "error", expected, observed, answers, error=error)
        if self.flags & doctest.IGNORE_EXCEPTION_DETAIL:
            fits = self.raises.partition(":")[0].rpartition(".")[2] == error.ename
        else:
            fits = doctest.OutputChecker().check_output(self.raises + "\n", observed + "\n", self.flags)
        return result(self, "passed" if fits else "failed", expected, observed, answers, error=None if fits else error)


@dataclass(frozen=True)
class InARow:
    """Several assertions as one check, such as a test function: each must hold, and the first that does not is told."""

    check_id: str
    parts: tuple[tuple[str, Plan], ...]

    @property
    def calls(self) -> tuple[Request, ...]:
        """The calls of all the assertions, in order."""
        return tuple(call for _, plan in self.parts for call in plan.calls)

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return passed where every assertion holds, else the result of the first that does not, with its source."""
        left = list(answers)
        for source, plan in self.parts:
            own, left = left[: len(plan.calls)], left[len(plan.calls) :]
            found = plan.judge(own)
            if found.outcome != "passed":
                message = f"{cut(source)}{f': {found.message}' if found.message else ''}"
                return found.model_copy(update={"message": message})
        return result(self, "passed", None, None, answers)


def result(
    plan: Plan,
    outcome: CheckOutcome,
    expected: str | None,
    observed: str | None,
    answers: Sequence[Answer],
    **more: Any,
) -> CheckResult:
    """Return the host's result for a plan."""
    stdout = "".join(answer.stdout for answer in answers)[:SHOWN]
    return CheckResult(
        check_id=plan.check_id,
        outcome=outcome,
        expected=expected,
        observed=observed,
        stdout=stdout,
        judged="host",
        **more,
    )


def told(error: RemoteError) -> str:
    """Return an exception in one line, as a traceback ends."""
    return f"{error.ename}: {error.evalue}" if error.evalue else error.ename


def lifted(node: ast.expr) -> bool:
    """Tell whether a value from the candidate's kernel is part of the expression."""
    return any(isinstance(n, ast.Name) and placeholder(n) is not None for n in ast.walk(node))


def same_sets(want: str, got: str) -> bool:
    """Tell whether two texts show the same plain data, where the order of a set's items means nothing."""
    if "{" not in want:
        return False
    try:
        return in_order(ast.parse(want.strip(), mode="eval").body) == in_order(ast.parse(got.strip(), mode="eval").body)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


def in_order(node: ast.expr) -> str:
    """Return the dump of an expression with the items of its sets sorted. Raises RecursionError."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Set):
            inner.elts.sort(key=ast.dump)
    return ast.dump(node)


def symbol(op: ast.cmpop) -> str:
    """Return a comparison as it is written."""
    return ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[1:-1].strip()


def words(value: Any, how: Callable[[Any], str] = repr) -> str:
    """Return the value's repr, or its str, cut for showing; a value that is too large or too deep says so."""
    try:
        return clean(cut(how(value)))
    except Exception:
        return f"<{type(value).__name__} that cannot be shown>"


def cut(text: str) -> str:
    """Return the text with its middle left out where it is long."""
    if len(text) <= SHOWN:
        return text
    return f"{text[: SHOWN - 100]} ... {len(text) - SHOWN} characters ... {text[-100:]}"
