"""MBPP's tasks from the shared data folder; a test that needs them is skipped where they are not there."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from refine_magic.core.types import Check, Spec

FILE = Path(__file__).parents[2].parent / "shared" / "data" / "mbpp.jsonl"


@dataclass(frozen=True)
class Task:
    number: int
    code: str
    setup: str
    tests: tuple[str, ...]


@functools.cache
def read() -> dict[int, Task]:
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return {
        row["task_id"]: Task(
            row["task_id"],
            row["code"].replace("\r\n", "\n"),
            row["test_setup_code"].replace("\r\n", "\n"),
            tuple(row["test_list"]),
        )
        for row in rows
    }


def tasks() -> dict[int, Task]:
    if not FILE.exists():
        pytest.skip(f"MBPP is not at {FILE}")
    return read()


def task(number: int) -> Task:
    return tasks()[number]


def spec_of(task: Task) -> Spec:
    checks = tuple(Check(id=f"c{number}", source=source) for number, source in enumerate(task.tests, 1))
    return Spec(checks=checks, setup=task.setup)
