"""Messages to the model: stateless, bounded, and the part that never changes first, for the server's prefix cache."""

from __future__ import annotations

from functools import cache
from typing import Any

import jinja2

from refine_magic.core.types import Iteration, Message, Move, Trajectory

REMEMBERED = 3


@cache
def templates() -> jinja2.Environment:
    """Return the templates of this package."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("refine_magic.prompting"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
    )


def render(name: str, **values: Any) -> str:
    """Return the text of one template."""
    return templates().get_template(f"{name}.md.j2").render(**values).strip("\n")


def messages(run: Trajectory, move: Move) -> tuple[Message, ...]:
    """Return what the model is told for this move: the problem, then the best so far and what failed, if refining."""
    problem = run.problem
    visible = [check for check in problem.spec.checks if check.visible and check.trust != "suspect"]
    asked = render(
        "problem",
        prompt=problem.prompt,
        entry_point=problem.entry_point,
        checks=[check for check in visible if check.origin != "doctest"],
        setup=problem.spec.setup,
    )
    system = Message(role="system", content=render("system"))
    complaint = render("complaint", reason=move.complaint) if move.complaint else ""
    best = run.best_iteration
    if move.kind == "draft" or best is None:
        return system, Message(role="user", content=joined(asked, complaint))
    attempts = [attempt_line(iteration) for iteration in run.iterations[-REMEMBERED:]]
    if move.kind == "redraft":
        fresh = render("redraft", attempts=attempts)
        return system, Message(role="user", content=joined(asked, fresh, complaint))
    told = best.feedback.text if best.feedback else ""
    again = render("refine", feedback=told, attempts=attempts if len(run.iterations) > 1 else [])
    return (
        system,
        Message(role="user", content=asked),
        Message(role="assistant", content=render("code", code=best.candidate.code)),
        Message(role="user", content=joined(again, complaint)),
    )


def attempt_line(iteration: Iteration) -> str:
    """Return one line on an attempt, such as ``2: 3 of 5 checks passed``."""
    result = iteration.result
    if result.error is not None:
        found = f"{result.error.ename}: {result.error.evalue}".splitlines()[0][:120]
    else:
        found = f"{result.passed} of {len(result.checks)} checks passed"
        found += "" if result.outcome in ("passed", "failed") else f", {result.outcome.replace('_', ' ')}"
    return f"{iteration.index}: {found}"


def joined(*parts: str) -> str:
    """Return the parts that say something, with a blank line between them."""
    return "\n\n".join(part for part in parts if part.strip())
