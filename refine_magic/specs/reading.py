"""One piece of check text to checks and setup, whatever it is written in."""

from __future__ import annotations

import ast
import re

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Check
from refine_magic.specs import doctests, recorded, source
from refine_magic.specs.absent import without_absent
from refine_magic.specs.gather import Text

FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)


def read(text: Text, entry_point: str | None = None) -> tuple[list[Check], str]:
    """Return the checks and the setup that they need; `entry_point` is what recorded pairs call.

    Raises SpecError that says where, for a syntax error and the like.
    """
    try:
        if is_recorded(text):
            return recorded.parse(text.text, entry_point)
        if text.form == "doctest":
            checks, setup = doctests.parse(FENCE.sub("", text.text), 1, "user", text.lines_before)
            return checks, without_absent(setup)
        if is_doctest(text.text):
            return doctests.parse(text.text, 1, "user", text.lines_before)
        return source.parse(text.text, 1, text.lines_before)
    except SpecError as error:
        raise SpecError(f"{text.where}, {error}" if text.where else str(error)) from error


def is_recorded(text: Text) -> bool:
    """Tell whether a text is JSON lines: by its form, or because its first line is an object of JSON."""
    return text.form == "recorded" or re.match(r'\s*\{\s*"', text.text) is not None


def is_doctest(checks: str) -> bool:
    """Tell doctest examples from test code, which may hold some in its texts. Raises SpecError for a mixture."""
    if re.search(r"^\s*>>> ", checks, re.MULTILINE) is None or source.is_python(checks):
        return False
    if re.search(r"^\s*assert\b", checks, re.MULTILINE):
        raise SpecError("the checks mix doctest examples and asserts: use one of the two")
    return True


def tree_of(check: Check) -> ast.Module:
    """Return the syntax tree of a check's source, doctest prompts taken off; a question to the user has none."""
    if check.kind in ("human", "io"):
        return ast.Module(body=[], type_ignores=[])
    if check.source.lstrip().startswith(">>>"):
        return ast.parse("".join(example.source for example in doctests.examples(check.source)))
    return ast.parse(check.source)
