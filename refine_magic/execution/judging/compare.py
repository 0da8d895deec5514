"""The host's side of a check: evaluate what is left of its expression over plain data, by Python's own operators."""

from __future__ import annotations

import ast
import builtins
import copy
import itertools
import math
import types
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from refine_magic.execution.judging.lift import HOST_FUNCTIONS, placeholder
from refine_magic.execution.judging.setup import attributes
from refine_magic.execution.judging.wire import Answer, Items, Raised

LARGEST = 1_000_000


class TooLarge(ValueError):
    """The value would be larger than a check may make it on the host."""


def guarded_mul(left: Any, right: Any) -> Any:
    """Multiply; raises TooLarge where a sequence would be repeated beyond a million items."""
    for sequence, times in ((left, right), (right, left)):
        if hasattr(sequence, "__len__") and isinstance(times, int) and len(sequence) * times > LARGEST:
            raise TooLarge("a sequence of more than a million items")
    return left * right


def guarded_mod(left: Any, right: Any) -> Any:
    """Take the remainder; raises TooLarge for the formatting of text, whose width the text itself sets."""
    if isinstance(left, (str, bytes, bytearray)):
        raise TooLarge("% formatting")
    return left % right


def guarded_pow(left: Any, right: Any) -> Any:
    """Raise to a power; raises TooLarge where an integer would have more than a million bits."""
    if isinstance(left, (int, Fraction)) and isinstance(right, (int, Fraction)):
        bits: int = max(left.numerator.bit_length(), left.denominator.bit_length())
        if bits * abs(int(right)) > LARGEST:
            raise TooLarge("an integer of more than a million bits")
    return left**right


def guarded_lshift(left: Any, right: Any) -> Any:
    """Shift left; raises TooLarge where an integer would have more than a million bits."""
    if isinstance(right, int) and right > LARGEST:
        raise TooLarge("an integer of more than a million bits")
    return left << right


def guarded_range(*bounds: Any) -> range:
    """Return a range; raises TooLarge beyond a million items."""
    made = range(*bounds)
    if abs(made.stop - made.start) // abs(made.step) > LARGEST:
        raise TooLarge("a range of more than a million items")
    return made


def guarded_round(number: Any, digits: Any = None) -> Any:
    """Round; raises TooLarge where a huge power of ten would be needed."""
    if digits is not None and abs(digits) > 10_000:
        raise TooLarge("rounding to more than ten thousand digits")
    return round(number, digits)


def guarded_bytes(*given: Any) -> bytes:
    """Return bytes; raises TooLarge beyond a million."""
    if given and isinstance(given[0], int) and given[0] > LARGEST:
        raise TooLarge("more than a million bytes")
    return bytes(*given)


def approx(expected: Any, rel: float | None = None, abs: float | None = None, nan_ok: bool = False) -> Any:
    """Return pytest's own approx. Raises ImportError where pytest is not installed."""
    import pytest

    return pytest.approx(expected, rel=rel, abs=abs, nan_ok=nan_ok)


NAMES: dict[str, Any] = {name: getattr(builtins, name) for name in HOST_FUNCTIONS} | {
    name: getattr(builtins, name)
    for name in dir(builtins)
    if isinstance(getattr(builtins, name), type) and issubclass(getattr(builtins, name), BaseException)
}
NAMES |= {function.__name__: function for function in (guarded_mul, guarded_mod, guarded_pow, guarded_lshift)}
NAMES |= {function.__name__: function for function in (guarded_range, guarded_round, guarded_bytes)}
NAMES |= {
    "math": types.SimpleNamespace(**{name: getattr(math, name) for name in attributes("math")}),
    "itertools": types.SimpleNamespace(islice=itertools.islice),
    "pytest": types.SimpleNamespace(approx=approx),
}


class Placeholders(ast.NodeTransformer):
    """Turn ``_0`` into a call, so that an exception is raised only where, and if, the check uses the value."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a placeholder."""
        number = placeholder(node)
        if number is None:
            return node
        return ast.Call(func=ast.Name(id="_value", ctx=ast.Load()), args=[ast.Constant(value=number)], keywords=[])


def evaluate(expression: ast.expr, answers: Sequence[Answer]) -> Any:
    """Return the value of a lifted expression; raises Raised, and whatever Python raises for these values."""

    def value(number: int) -> Any:
        answer = answers[number]
        if answer.error is not None:
            raise Raised(answer.error)
        return answer.value.again() if isinstance(answer.value, Items) else answer.value

    return eval(compiled(expression), {"__builtins__": {}, **NAMES, "_value": value})


@lru_cache(maxsize=1024)
def compiled(expression: ast.expr) -> types.CodeType:
    """Return the code of a lifted expression, which is evaluated for every candidate."""
    body = Placeholders().visit(copy.deepcopy(expression))
    return compile(ast.fix_missing_locations(ast.Expression(body=body)), "<host>", "eval")
