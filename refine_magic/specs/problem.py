"""P: the prompt, its checks from everywhere, and the entry point, or a clear word on what is missing."""

from __future__ import annotations

import ast
import hashlib
import re

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check, Problem, Spec
from refine_magic.specs import doctests, names, source

NO_CHECKS = (
    "there are no checks: write some below a line of three dashes, such as 'assert f(2) == 4', "
    "or doctest examples in the prompt"
)


def make_problem(
    prompt: str, checks: str = "", *, entry_point: str | None = None, name: str | None = None, lines_before: int = 0
) -> Problem:
    """Return the problem that a prompt and checks state.

    `lines_before` are the lines above the checks in what the user wrote, for messages. Raises SpecError for an empty
    prompt, no checks, a syntax error in them, and checks that never call what is asked for.
    """
    prompt = prompt.replace("\r\n", "\n").strip("\n")
    if not prompt.strip():
        raise SpecError("the prompt is empty: say what the code should do")
    spec = make_spec(prompt, checks, lines_before=lines_before)
    entry = find_entry_point(spec, entry_point)
    digest = hashlib.sha256(prompt.encode("utf-8", "replace")).hexdigest()[:8]
    return Problem(id=name or f"{entry or 'program'}-{digest}", prompt=prompt, spec=spec, entry_point=entry)


def make_spec(prompt: str, checks: str, *, lines_before: int = 0) -> Spec:
    """Return the checks of the prompt's doctest examples and of the test code. Raises SpecError."""
    examples, example_setup = doctests.parse(prompt) if ">>>" in prompt else ([], "")
    checks = checks.replace("\r\n", "\n")
    if is_doctest(checks):
        written, setup = doctests.parse(checks, len(examples) + 1, "user", lines_before)
    else:
        written, setup = source.parse(checks, len(examples) + 1, lines_before)
    made = (*examples, *written)
    if not made:
        raise SpecError(NO_CHECKS)
    return Spec(checks=made, setup="\n".join(part for part in (example_setup, setup) if part.strip()))


def is_doctest(checks: str) -> bool:
    """Tell doctest examples from test code, which may hold some in its texts. Raises SpecError for a mixture."""
    if re.search(r"^\s*>>> ", checks, re.MULTILINE) is None or source.is_python(checks):
        return False
    if re.search(r"^\s*assert\b", checks, re.MULTILINE):
        raise SpecError("the checks mix doctest examples and asserts: use one of the two")
    return True


def find_entry_point(spec: Spec, given: str | None) -> str:
    """Return the name that the checks call.

    Raises SpecError for a check that takes nothing from the candidate, and where no check calls the name given.
    """
    setup = names.defined(ast.parse(spec.setup))
    first_called: list[str] = []
    wanted: set[str] = set()
    for number, check in enumerate(spec.checks, 1):
        tree = tree_of(check)
        taken = [name for name in names.free(tree) if name not in setup]
        taken += [name for name in helper_names(spec.setup, tree) if name not in taken]
        if not taken:
            what = f"never calls {given}" if given else "calls nothing that the code under test would define"
            raise SpecError(f"check {number} {what}: {first_line(check)}")
        wanted.update(taken)
        first_called += [name for name in names.called(tree) if name in taken] or taken
    if given is not None and given not in wanted:
        raise SpecError(f"no check calls {given}; they call {', '.join(sorted(wanted))}")
    return given or first_called[0]


def helper_names(setup: str, tree: ast.AST) -> list[str]:
    """Return what the setup's own helpers, where a check uses one, take from the candidate."""
    body = ast.parse(setup)
    if not set(names.used(tree)) & names.defined(body):
        return []
    return names.free(body)


def tree_of(check: Check) -> ast.Module:
    """Return the syntax tree of a check's source, doctest prompts taken off."""
    if check.source.lstrip().startswith(">>>"):
        return ast.parse("".join(example.source for example in doctests.examples(check.source)))
    return ast.parse(check.source)


def first_line(check: Check) -> str:
    """Return the check's first line, for a message."""
    return check.source.strip().splitlines()[0]
