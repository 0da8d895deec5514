"""From typed plain data to exact values: the leaves, which the host and the kernels read in the same way.

Stand-alone, standard library only; nothing of the data is executed, and what would grow huge is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

LONGEST_RANGE = 1_000_000
LARGEST_EXPONENT = 1_000_000


class Malformed(ValueError):
    """The kernel answered with something that our harness does not send."""


def bounded_range(bounds: list[str]) -> range:
    """Return a range. Raises ValueError where going through it would take long."""
    made = range(*(int(bound, 16) for bound in bounds))
    if abs(made.stop - made.start) // abs(made.step) > LONGEST_RANGE:
        raise ValueError("a range of more than a million items")
    return made


def bounded_decimal(text: str) -> Decimal:
    """Return a decimal. Raises ValueError where its integer would have more than a million digits."""
    made = Decimal(text)
    if made.is_finite() and made.adjusted() > LARGEST_EXPONENT:
        raise ValueError("a decimal of more than a million digits")
    return made


LEAVES: dict[str, Callable[[Any], Any]] = {
    "int": lambda v: int(v, 16),
    "complex": lambda v: complex(float(v[0]), float(v[1])),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "range": bounded_range,
    "Decimal": bounded_decimal,
    "Fraction": lambda v: Fraction(int(v[0], 16), int(v[1], 16)),
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda v: timedelta(*v),
}
