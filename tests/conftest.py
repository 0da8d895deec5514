"""What several parts of the tests share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def tape(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes a tape of replies to the problem ``p`` and returns its model spec."""

    def write(*codes: str, seconds: float = 0.0, problem: str = "p", checks: tuple[str, ...] = ()) -> str:
        lines = [{"tape": 1, "note": "written by a test"}]
        if checks:
            reply = json.dumps({"checks": checks})
            lines.append({"problem": problem, "request": 0, "purpose": "checks", "reply": reply})
        for request, code in enumerate(codes):
            reply = code if "```" in code or not code else f"```python\n{code}\n```\n"
            lines.append({"problem": problem, "request": request, "reply": reply, "seconds": seconds})
        file = tmp_path / "tape.jsonl"
        file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
        return f"replay:{file}"

    return write
