"""What a run's candidates may use, in the words of the command line."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

UNITS = {"": 1, "b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def in_bytes(value: Any) -> Any:
    """Return ``2GiB`` as a number of bytes. Raises ValueError for text that is no size."""
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", value)
    if found is None or found[2].lower() not in UNITS:
        raise ValueError(f"{value!r} is no size such as 512MiB or 2GiB")
    return int(float(found[1]) * UNITS[found[2].lower()])


def by_name(words: Any) -> Any:
    """Return ``["memory=2GiB", "network=on"]`` as values by name, anything else as it is.

    Raises ValueError for a word that sets nothing.
    """
    if isinstance(words, str):
        words = words.split(",")
    if not isinstance(words, (list, tuple)):
        return words
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = str(word).partition("=")
        if not equals:
            raise ValueError(f"{word!r} sets no limit; write it as memory=2GiB; there are {', '.join(NAMES)}")
        found[name.strip().replace("-", "_")] = value.strip()
    return found


Size = Annotated[int, BeforeValidator(in_bytes), Field(gt=0)]


class LimitSettings(BaseModel):
    """Limits of one candidate besides its time: seconds of CPU time, sizes in bytes, counts.

    `memory` holds for each process and for all together; `result` and `depth` are those of one value that a check
    looks at; without `cpu`, a candidate may use 5 s, or as much as a timeout above 10 s allows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cpu: int | None = Field(default=None, ge=1)
    memory: Size = 1 << 30
    processes: int = Field(default=64, ge=8)
    files: int = Field(default=256, ge=64)
    file_size: Size = 64 << 20
    output: Size = 4 << 20
    result: Size = 256 << 10
    depth: int = Field(default=50, ge=1, le=90)
    network: bool = False

    @model_validator(mode="before")
    @classmethod
    def read(cls, given: Any) -> Any:
        """Read the words of the command line. Raises ValueError."""
        given = by_name(given)
        unknown = [name for name in given if name not in cls.model_fields] if isinstance(given, dict) else []
        if unknown:
            raise ValueError(f"there is no limit {', '.join(unknown)}; there are {', '.join(NAMES)}")
        return given


NAMES = tuple(LimitSettings.model_fields)
