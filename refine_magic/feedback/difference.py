"""Where two values differ, in one line: which element, which key, how far off."""

from __future__ import annotations

import ast
from typing import Any


def difference(expected: str | None, observed: str | None) -> str:
    """Return where the two literals differ first, or nothing where they are no literals."""
    try:
        return explain(ast.literal_eval(expected or ""), ast.literal_eval(observed or ""))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ""


def explain(expected: Any, observed: Any, where: str = "") -> str:
    """Return where two values differ first; the path to it, such as ``[2]['a']``, comes before the words."""
    at = f"at {where}: " if where else ""
    if type(expected) is not type(observed):
        if is_number(expected) and is_number(observed) and expected != observed:
            return at + number(expected, observed)
        return f"{at}expected {kind(expected)}, got {kind(observed)}"
    if expected == observed:
        return ""
    if isinstance(expected, (list, tuple)):
        return sequence(expected, observed, where)
    if isinstance(expected, dict):
        return mapping(expected, observed, where)
    if isinstance(expected, (set, frozenset)):
        return at + members(expected, observed)
    if isinstance(expected, (str, bytes)):
        return at + text(expected, observed)
    if is_number(expected):
        return at + number(expected, observed)
    return ""


def sequence(expected: Any, observed: Any, where: str) -> str:
    """Return the first element that differs, and how the lengths do."""
    lengths = ""
    if len(expected) != len(observed):
        lengths = f"expected {count(expected)}, got {len(observed)}"
    for index, (left, right) in enumerate(zip(expected, observed, strict=False)):
        if left != right:
            inner = explain(left, right, f"{where}[{index}]")
            first = inner or f"at {where}[{index}]: expected {left!r}, got {right!r}"
            return f"{first}; {lengths}" if lengths else first
    return (f"at {where}: " if where else "") + lengths


def mapping(expected: dict[Any, Any], observed: dict[Any, Any], where: str) -> str:
    """Return the keys that are missing, extra, or hold something else."""
    at = f"at {where}: " if where else ""
    missing = [key for key in expected if key not in observed]
    extra = [key for key in observed if key not in expected]
    if missing or extra:
        parts = [f"missing keys {listed(missing)}"] if missing else []
        return at + "; ".join([*parts, f"extra keys {listed(extra)}"] if extra else parts)
    for key, value in expected.items():
        if value != observed[key]:
            inner = f"{where}[{key!r}]"
            return explain(value, observed[key], inner) or f"at {inner}: expected {value!r}, got {observed[key]!r}"
    return ""


def members(expected: Any, observed: Any) -> str:
    """Return what a set lacks and what it should not hold."""
    missing, extra = sorted(expected - observed, key=repr), sorted(observed - expected, key=repr)
    parts = [f"missing {listed(missing)}"] if missing else []
    return "; ".join([*parts, f"extra {listed(extra)}"] if extra else parts)


def text(expected: Any, observed: Any) -> str:
    """Return the first position at which two texts part."""
    same = next((i for i, (a, b) in enumerate(zip(expected, observed, strict=False)) if a != b), None)
    if same is None:
        same = min(len(expected), len(observed))
    left, right = expected[same : same + 20], observed[same : same + 20]
    return f"differs from character {same}: expected {left!r}, got {right!r}"


def is_number(value: Any) -> bool:
    """Tell whether a value is a number that another can be subtracted from; True and False are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def number(expected: float, observed: float) -> str:
    """Return how far off a number is."""
    try:
        return f"off by {observed - expected:+.12g}"
    except OverflowError:
        return "off by more than a float can hold"


def kind(value: Any) -> str:
    """Return a value's type with its article."""
    name = "None" if value is None else type(value).__name__
    return name if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def count(items: Any) -> str:
    """Return the number of items in words."""
    return f"{len(items)} item{'' if len(items) == 1 else 's'}"


def listed(items: list[Any]) -> str:
    """Return at most five items, separated by commas."""
    shown = ", ".join(repr(item) for item in items[:5])
    return f"{shown}, and {len(items) - 5} more" if len(items) > 5 else shown
