"""The record as a page without script or style sheet, which GitHub, nbviewer and nbconvert show as it is."""

from __future__ import annotations

import re
from functools import cache

import jinja2
from markupsafe import Markup, escape

from refine_magic import words
from refine_magic.core.types import Iteration, Trajectory

COLOURS = {
    "Keyword": ("--jp-mirror-editor-keyword-color", "#008000"),
    "Operator.Word": ("--jp-mirror-editor-keyword-color", "#008000"),
    "Name.Function": ("--jp-mirror-editor-def-color", "#0000ff"),
    "Name.Class": ("--jp-mirror-editor-def-color", "#0000ff"),
    "Name.Builtin": ("--jp-mirror-editor-builtin-color", "#008000"),
    "Literal.String": ("--jp-mirror-editor-string-color", "#ba2121"),
    "Literal.Number": ("--jp-mirror-editor-number-color", "#007800"),
    "Comment": ("--jp-mirror-editor-comment-color", "#408080"),
}
INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@cache
def environment() -> jinja2.Environment:
    """Return the templates; every value that they show is escaped."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("refine_magic.notebook"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible,
    )
    made.globals.update(words=words, highlight=highlight, marks=words.MARKS)
    return made


def visible(value: object) -> object:
    """Return text with control and direction characters spelled out, so that what is shown is what is there."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", ANSI.sub("", value))
    return value


def highlight(code: str) -> Markup:
    """Return Python code as spans in the front end's own colours."""
    from pygments.lexers.python import PythonLexer

    parts = []
    for kind, text in PythonLexer(stripnl=False, ensurenl=False).get_tokens(code):
        name = str(kind).removeprefix("Token.")
        colour = next((found for prefix, found in COLOURS.items() if name.startswith(prefix)), None)
        shown = escape(str(visible(text)))
        parts.append(Markup('<span style="color:var({},{})">{}</span>').format(*colour, shown) if colour else shown)
    return Markup("").join(parts)


def checks_of(run: Trajectory, iteration: Iteration) -> list[dict[str, object]]:
    """Return the rows of the table of checks, the failed ones first."""
    known = {check.id: check for check in run.problem.spec.checks}
    rows = [
        {
            "found": found,
            "title": words.title(known[found.check_id], found),
            "regressed": found.check_id in iteration.regressed,
            "origin": words.source_words(known[found.check_id], found),
        }
        for found in iteration.result.checks
        if found.check_id in known
    ]
    order = {"failed": 0, "error": 0, "timeout": 0, "not_run": 1, "passed": 2}
    return sorted(rows, key=lambda row: order[row["found"].outcome])  # type: ignore[attr-defined]


def to_html(run: Trajectory, notes: list[str]) -> str:
    """Return the run as HTML, safe to show whatever the candidate's code and output hold."""
    shown = [
        {
            "iteration": iteration,
            "line": words.iteration_line(run, iteration),
            "strip": words.strip(iteration),
            "checks": checks_of(run, iteration),
            "previous": words.previous(run, iteration),
            "open": iteration.index == (run.best if run.status != "running" else len(run.iterations)),
        }
        for iteration in run.iterations
    ]
    return environment().get_template("run.html.j2").render(run=run, shown=shown, notes=notes)
