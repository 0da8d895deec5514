"""The host's side of a check: evaluate what is left of its expression over plain data, by Python's own operators."""

from __future__ import annotations

import ast
import builtins
import math
import types
from typing import Any

from refine_magic.execution.lift import HOST_FUNCTIONS

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
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * right > LARGEST:
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


def approx(expected: Any, rel: float | None = None, abs: float | None = None, nan_ok: bool = False) -> Any:
    """Return pytest's own approx. Raises ImportError where pytest is not installed."""
    import pytest

    return pytest.approx(expected, rel=rel, abs=abs, nan_ok=nan_ok)


NAMES: dict[str, Any] = {name: getattr(builtins, name) for name in HOST_FUNCTIONS} | {
    name: getattr(builtins, name)
    for name in dir(builtins)
    if isinstance(getattr(builtins, name), type) and issubclass(getattr(builtins, name), BaseException)
}
NAMES |= {
    "range": guarded_range,
    "guarded_mul": guarded_mul,
    "guarded_mod": guarded_mod,
    "guarded_pow": guarded_pow,
    "guarded_lshift": guarded_lshift,
    "math": types.SimpleNamespace(
        isclose=math.isclose, isnan=math.isnan, isinf=math.isinf, pi=math.pi, e=math.e, inf=math.inf
    ),
    "pytest": types.SimpleNamespace(approx=approx),
}


def evaluate(expression: ast.expr, values: list[Any]) -> Any:
    """Return the value of a lifted expression; raises whatever Python raises for these values."""
    scope = {f"_{index}": value for index, value in enumerate(values)}
    code = compile(ast.Expression(body=expression), "<host>", "eval")
    return eval(code, {"__builtins__": {}, **NAMES, **scope})
