"""Checks that the host judges: which expressions the candidate's kernel evaluates, and what their values mean."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from refine_magic.core.types import CheckOutcome, CheckResult
from refine_magic.execution import compare
from refine_magic.execution.wire import Answer

SHOWN = 400


class Plan(Protocol):
    """A check that the host can judge."""

    @property
    def check_id(self) -> str:
        """The id of the check."""

    @property
    def calls(self) -> tuple[str, ...]:
        """The expressions that the candidate's kernel evaluates."""

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return the result, given the answers to the calls in order; never raises for a candidate's value."""


@dataclass(frozen=True)
class Assertion:
    """``assert expression``: the host evaluates it over the values of the calls."""

    check_id: str
    expression: ast.expr
    calls: tuple[str, ...]

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return passed where the expression is true for the values that the calls returned."""
        raised = next((answer for answer in answers if answer.error), None)
        expected, shown = self.sides()
        if raised is not None and raised.error is not None:
            observed = f"{raised.error.ename}: {raised.error.evalue}".rstrip(": ")
            return result(self, "error", expected, observed, answers, error=raised.error)
        values = [answer.value for answer in answers]
        try:
            if shown is self.expression or len(values) > 1:
                observed = ", ".join(words(value) for value in values)
            else:
                observed = words(compare.evaluate(shown, again(values)))
            holds = bool(compare.evaluate(self.expression, again(values)))
        except Exception as error:
            observed = ", ".join(words(value) for value in values)
            return result(
                self, "failed", expected, observed, answers, message=f"{type(error).__name__}: {error}"[:SHOWN]
            )
        return result(self, "passed" if holds else "failed", expected, observed, answers)

    def sides(self) -> tuple[str, ast.expr]:
        """Return what is expected, in words or as an expression, and the part whose value is shown as observed."""
        match self.expression:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if lifted(left) and not lifted(right):
                value = cut(ast.unparse(right))
                return (value if isinstance(op, (ast.Eq, ast.Is)) else f"{symbol(op)} {value}"), left
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) if lifted(right):
                return (cut(ast.unparse(left)), right) if not lifted(left) else ("both sides equal", self.expression)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return "a false value", operand
            case ast.Name():
                return "a true value", self.expression
        text = ast.unparse(self.expression)
        for index, call in enumerate(self.calls):
            text = re.sub(rf"\b_{index}\b", lambda _, call=call: call, text)  # type: ignore[misc]
        return cut(text), self.expression


@dataclass(frozen=True)
class Raises:
    """``with pytest.raises(Error, match=...): call``: the call must raise a built-in exception."""

    check_id: str
    names: tuple[str, ...]
    match: str | None
    calls: tuple[str, ...]

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return passed where the call raised one of the exceptions, and its text matches."""
        (answer,) = answers
        expected = " or ".join(self.names) + (f" matching {self.match!r}" if self.match else "")
        if answer.error is None:
            return result(self, "failed", expected, f"returned {words(answer.value)}", answers)
        fits = any(f"builtins.{name}" in answer.kinds for name in self.names)
        fits = fits and (self.match is None or re.search(self.match, answer.error.evalue) is not None)
        observed = f"{answer.error.ename}: {answer.error.evalue}".rstrip(": ")
        error = None if fits else answer.error
        return result(self, "passed" if fits else "failed", expected, observed, answers, error=error)


@dataclass(frozen=True)
class Example:
    """A doctest example: the host shows the value as Python's prompt would, and compares the text."""

    check_id: str
    expression: ast.expr
    want: str
    raises: str | None
    options: Mapping[int, bool] = field(default_factory=dict)
    calls: tuple[str, ...] = ()

    def judge(self, answers: Sequence[Answer]) -> CheckResult:
        """Return passed where the printed text and the value's repr are what the example shows."""
        expected = cut(self.want.strip()) if self.raises is None else cut(self.raises)
        raised = next((answer.error for answer in answers if answer.error), None)
        flags = sum(flag for flag, on in self.options.items() if on)
        checker = doctest.OutputChecker()
        if raised is not None:
            observed = f"{raised.ename}: {raised.evalue}".rstrip(": ")
            fits = self.raises is not None and checker.check_output(self.raises + "\n", observed + "\n", flags)
            outcome: CheckOutcome = "passed" if fits else "failed" if self.raises else "error"
            return result(self, outcome, expected, observed, answers, error=None if fits else raised)
        try:
            value = compare.evaluate(self.expression, [answer.value for answer in answers])
        except Exception as error:
            message = f"{type(error).__name__}: {error}"[:SHOWN]
            return result(self, "failed", expected, None, answers, message=message)
        got = "".join(answer.stdout for answer in answers) + ("" if value is None else f"{value!r}\n")
        same = self.raises is None and (
            checker.check_output(self.want, got, flags) or same_set(self.want, value, any(a.stdout for a in answers))
        )
        return result(self, "passed" if same else "failed", expected, cut(got.strip() or "None"), answers)


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


def again(values: Sequence[Any]) -> list[Any]:
    """Return the values with any iterator at its beginning."""
    return [type(v)(v._items, v._more) if hasattr(v, "_more") else v for v in values]


def lifted(node: ast.expr) -> bool:
    """Tell whether a value from the candidate's kernel is part of the expression."""
    return any(isinstance(n, ast.Name) and re.fullmatch(r"_\d+", n.id) for n in ast.walk(node))


def same_set(want: str, value: Any, printed: bool) -> bool:
    """Tell whether a set is the one that the example shows, whose order of items means nothing."""
    if printed or not isinstance(value, (set, frozenset)):
        return False
    try:
        return bool(ast.literal_eval(want.strip()) == value)
    except (ValueError, SyntaxError, TypeError):
        return False


def symbol(op: ast.cmpop) -> str:
    """Return a comparison as it is written."""
    return ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[1:-1].strip()


def words(value: Any) -> str:
    """Return the value's repr, cut for showing."""
    try:
        return cut(repr(value))
    except ValueError:  # an integer with more digits than Python converts
        return f"<{type(value).__name__} too large to show>"


def cut(text: str) -> str:
    """Return the text with its middle left out where it is long."""
    if len(text) <= SHOWN:
        return text
    return f"{text[: SHOWN - 100]} ... {len(text) - SHOWN} characters ... {text[-100:]}"
