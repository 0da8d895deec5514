"""Test code that the host cannot take apart: in which kernel it runs, by which runner, and what it needs there.

All of it follows from the source alone, that of the check and of the part of the setup which the check needs.
"""

from __future__ import annotations

import ast
import doctest
from dataclasses import dataclass
from typing import Literal

from refine_magic.core.types import Check
from refine_magic.execution.judging import crossable, fixtures
from refine_magic.execution.judging.setup import Setup
from refine_magic.specs.fixtures import is_fixture
from refine_magic.specs.source import is_test_class

Runner = Literal["plain", "pytest", "unittest", "doctest"]


@dataclass(frozen=True)
class TestCode:
    """Test code for a kernel; `names` are the candidate's that it uses, `setup` is what the judge's kernel gets of it.

    `outside_loop` says that it starts an event loop of its own.
    """

    __test__ = False
    check_id: str
    judged: Literal["judge", "in-kernel"]
    source: str
    setup: str
    names: tuple[str, ...]
    tests: tuple[str, ...]
    how: Runner
    outside_loop: bool


def make_test_code(check: Check, setup: Setup) -> TestCode:
    """Return what running the check takes, and where it may run."""
    source = check.source
    is_doctest = source.lstrip().startswith(">>>")
    examples = doctest.DocTestParser().get_examples(source) if is_doctest else []
    tree = ast.parse("".join(each.source for each in examples) if is_doctest else source)
    needed = fixtures.needed(tree, setup)
    whole = ast.parse(f"{needed}\n{ast.unparse(tree)}")
    names = crossable.candidate_names(whole)
    tests = () if is_doctest else tuple(tests_in(tree))
    return TestCode(
        check_id=check.id,
        judged="judge" if crossable.why_not(whole, names) is None else "in-kernel",
        source=source,
        setup=needed,
        names=names,
        tests=tests,
        how="doctest" if is_doctest else runner(tree, needed, tests),
        outside_loop="asyncio" in ast.dump(whole) or any(isinstance(n, ast.AsyncFunctionDef) for n in ast.walk(whole)),
    )


def runner(tree: ast.Module, setup: str, tests: tuple[str, ...]) -> Runner:
    """Return the runner that the code is written for; plain functions and statements need none."""
    if not tests:
        return "plain"
    if fixtures.needs_pytest(ast.parse(setup)) or fixtures.needs_pytest(tree):
        return "pytest"
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in tests]
    cases = [node for node in classes if any(ast.unparse(base).endswith("TestCase") for base in node.bases)]
    if cases and len(cases) == len(tests):
        return "unittest"
    return "pytest" if classes and (cases or any(map(has_more, classes))) else "plain"


def has_more(node: ast.ClassDef) -> bool:
    """Tell whether a test class has more in it than test methods: pytest sets it up."""
    own = [each for each in node.body if not isinstance(each, ast.Expr)]
    return bool(node.bases) or not all(isinstance(n, ast.FunctionDef) and n.name.startswith("test") for n in own)


def tests_in(tree: ast.Module) -> list[str]:
    """Return the test functions, pytest classes and unittest cases that the source defines, in order."""
    found = []
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test"):
                found += [] if is_fixture(node) else [name]
            case ast.ClassDef(name=name) if is_test_class(node):
                found.append(name)
    return found
