"""JSON lines to checks: input and output pairs, recorded calls with their results, programs with their output.

Each line is one of ``{"input": X, "output": Y}`` (one argument), ``{"args": [...], "kwargs": {...}, "output": Y}``,
``{"call": "f(1, 2)", "result": 3}`` (a behaviour trace), either with ``"repr": "(1, 2)"`` for a result that is no
JSON, or ``"raises": "ValueError"``, and ``{"stdin": ..., "stdout": ...}`` for a whole program.
"""

from __future__ import annotations

import ast
import json
import math
from typing import Any

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check, CheckKind

RESULTS = ("output", "result", "expected", "returns")
KNOWN = ("call", "function", "input", "args", "kwargs", "repr", "raises", "stdin", "stdout", *RESULTS)


def parse(text: str, entry_point: str | None = None) -> tuple[list[Check], str]:
    """Return a check for each line, and their setup. Raises SpecError with the line that is wrong."""
    made: list[Check] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            source, kind = check(record_of(line), entry_point)
        except SpecError as error:
            raise SpecError(f"line {number}: {error}") from error
        made.append(Check(id=f"c{len(made) + 1}", source=source, kind=kind))
    return made, "import pytest" if any(check.kind == "raises" for check in made) else ""


def record_of(line: str) -> dict[str, Any]:
    """Return one line's record. Raises SpecError."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"this is not JSON: {error}") from error
    if not isinstance(record, dict):
        raise SpecError('this is no object such as {"input": 2, "output": 4}')
    unknown = [name for name in record if name not in KNOWN]
    if unknown:
        raise SpecError(f"{', '.join(unknown)}: not known here; there are {', '.join(KNOWN)}")
    return record


def check(record: dict[str, Any], entry_point: str | None) -> tuple[str, CheckKind]:
    """Return the source and kind of one record's check. Raises SpecError."""
    if "stdin" in record or "stdout" in record:
        if not isinstance(record.get("stdout"), str) or not isinstance(record.get("stdin", ""), str):
            raise SpecError("a program needs its stdout, and perhaps its stdin, as texts")
        return json.dumps({"stdin": record.get("stdin", ""), "stdout": record["stdout"]}), "io"
    call = call_of(record, entry_point)
    if "raises" in record:
        name = str(record["raises"]).partition(":")[0].strip()
        if not all(part.isidentifier() for part in name.split(".")):
            raise SpecError(f"{name!r} is no exception's name")
        return f"with pytest.raises({name}):\n    {call}", "raises"
    if "repr" in record:
        return compared(call, shown(record["repr"])), "call"
    given = [name for name in RESULTS if name in record]
    if not given:
        raise SpecError("neither an output nor what it raises is given")
    return compared(call, literal(record[given[0]])), "call"


def compared(call: str, value: str) -> str:
    """Return the assertion that a call gives a value."""
    if "float('nan')" in value:
        raise SpecError("NaN equals nothing, not even itself: check it with math.isnan below the dashes")
    return f"assert {call} {'is' if value == 'None' else '=='} {value}"


def shown(text: object) -> str:
    """Return a value that is given as Python shows it. Raises SpecError where it is no literal."""
    try:
        ast.literal_eval(str(text))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise SpecError(f"repr: {text!r} is no literal") from error
    return str(text).strip()


def literal(value: Any) -> str:
    """Return JSON data as a Python expression."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {literal(inner)}" for key, inner in value.items()) + "}"
    return repr(value)


def call_of(record: dict[str, Any], entry_point: str | None) -> str:
    """Return the call that a record describes. Raises SpecError where nothing says what is called."""
    called = str(record.get("call") or record.get("function") or entry_point or "")
    if not called:
        raise SpecError("nothing says which function is called; name it with --entry-point")
    if "(" in called:
        return whole_call(called)
    if not all(part.isidentifier() for part in called.split(".")):
        raise SpecError(f"{called!r} is no function's name and no call")
    args, kwargs = record.get("args", []), record.get("kwargs", {})
    if not isinstance(args, list) or not isinstance(kwargs, dict):
        raise SpecError("args must be a list, and kwargs an object")
    if "input" in record:
        if "args" in record or "kwargs" in record:
            raise SpecError("input is the one argument; give several with args and kwargs alone")
        args = [record["input"]]
    return f"{called}({', '.join([*map(literal, args), *(f'{name}={literal(v)}' for name, v in kwargs.items())])})"


def whole_call(text: str) -> str:
    """Return a call that is given as source. Raises SpecError where it is none."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise SpecError(f"{text!r} is no call") from error
    if not isinstance(tree, ast.Call):
        raise SpecError(f"{text!r} is no call")
    return ast.unparse(tree)
