"""P: the prompt, its checks from everywhere, and the entry point, or a clear word on what is missing."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check, Problem, Spec
from refine_magic.specs import doctests, examples, fixtures, human, merge, names, reading
from refine_magic.specs.gather import Text
from refine_magic.specs.merge import Part
from refine_magic.specs.reading import tree_of

NO_CHECKS = (
    "there are no checks: write some below a line of three dashes, such as 'assert f(2) == 4', "
    "or doctest examples in the prompt"
)


def make_problem(
    prompt: str,
    checks: str = "",
    *,
    more: Sequence[Text] = (),
    entry_point: str | None = None,
    name: str | None = None,
    lines_before: int = 0,
    ask: bool = False,
) -> Problem:
    """Return the problem that a prompt and checks state; with none at all, the model is to write some.

    `more` are checks by reference, `lines_before` the lines above the checks in what the user wrote, for messages;
    with `ask`, the user has the last word. Raises SpecError for an empty prompt, a text of checks that holds none, a
    syntax error in one, and checks that never call what is asked for.
    """
    prompt = prompt.replace("\r\n", "\n").strip("\n")
    if not prompt.strip():
        raise SpecError("the prompt is empty: say what the code should do")
    below = Text(checks, lines_before=lines_before)
    spec = make_spec(prompt, [below, *more], entry_point=entry_point, ask=ask)
    entry = find_entry_point(spec, entry_point)
    digest = hashlib.sha256(prompt.encode("utf-8", "replace")).hexdigest()[:8]
    return Problem(id=name or f"{entry or 'program'}-{digest}", prompt=prompt, spec=spec, entry_point=entry)


def make_spec(prompt: str, texts: Sequence[Text], *, entry_point: str | None = None, ask: bool = False) -> Spec:
    """Return the checks of the prompt's examples and of the texts, in order. Raises SpecError."""
    parts = [Part(*shown(prompt), "the prompt") for shown in (doctest_examples, examples.parse)]
    given = [Text(text.text.replace("\r\n", "\n"), text.form, text.lines_before, text.where) for text in texts]
    read = {text: part_of(text, None) for text in given if text.text.strip() and not reading.is_recorded(text)}
    entry = entry_point or first_called(Spec(checks=merge.numbered([*parts, *read.values()])))
    parts += [read.get(text) or part_of(text, entry) for text in given if text.text.strip()]
    if ask:
        parts.append(Part([human.QUESTION]))
    return Spec(checks=merge.numbered(parts), setup=merge.joined(parts))


def doctest_examples(prompt: str) -> tuple[list[Check], str]:
    """Return the checks of the prompt's doctest examples, and their setup. Raises SpecError."""
    return doctests.parse(prompt) if ">>>" in prompt else ([], "")


def part_of(text: Text, entry_point: str | None) -> Part:
    """Return the checks of one text. Raises SpecError where there are none in it."""
    checks, setup = reading.read(text, entry_point)
    if not checks:
        raise SpecError(f"{text.where}: it holds no check, such as 'assert f(2) == 4'" if text.where else NO_CHECKS)
    return Part(checks, setup, text.where)


def first_called(spec: Spec) -> str | None:
    """Return the name that the checks call, or None where they do not say."""
    try:
        return find_entry_point(spec, None)
    except SpecError:
        return None


def find_entry_point(spec: Spec, given: str | None) -> str | None:
    """Return the name that the checks call; None where there is no check to say it.

    Raises SpecError for a check that takes nothing from the candidate, and where no check calls the name given.
    """
    called: list[str] = []
    wanted: set[str] = set()
    for number, check in enumerate(spec.checks, 1):
        if check.kind in ("human", "io"):
            continue
        taken = taken_names(check, spec.setup)
        if given and not taken and given in names.called(tree_of(check)):
            taken = [given]  # a builtin that the code is to define anew, because the user says so
        if not taken:
            what = f"never calls {given}" if given else "calls nothing that the code under test would define"
            raise SpecError(f"check {number} {what}: {check.source.strip().splitlines()[0]}")
        wanted.update(taken)
        called += [name for name in names.called(tree_of(check)) if name in taken] or taken
    if given is not None and called and given not in wanted:
        raise SpecError(f"no check calls {given}; they call {', '.join(sorted(wanted))}")
    return given or (called[0] if called else None)


def taken_names(check: Check, setup: str) -> list[str]:
    """Return the names that a check takes from the candidate, itself or through the setup's helpers."""
    tree, body = tree_of(check), ast.parse(setup)
    shared = {name for node in ast.walk(body) if isinstance(node, ast.Global) for name in node.names}
    defined = names.defined(body) | shared
    taken = [name for name in names.free(tree) if name not in defined]
    asked = {*names.used(tree), *names.bound(tree)}  # an argument asks for the fixture of its name
    automatic = any("autouse" in ast.unparse(mark) for node in body.body for mark in fixtures.decorators(node))
    helped = names.free(body) if asked & defined or automatic else []
    return [*taken, *(name for name in helped if name not in taken)]


def taking_checks(text: Text) -> int:
    """Return how many checks a text holds.

    Raises SpecError where there are none, for a syntax error in them, and for one that takes nothing from a candidate.
    """
    if reading.is_recorded(text):
        return len(part_of(text, "code_under_test").checks)
    part = part_of(text, None)
    spec = Spec(checks=merge.numbered([part]), setup=part.setup)
    find_entry_point(spec, None)
    return len(spec.checks)
