"""Messages to the model: stateless, bounded, and the part that never changes first, for the server's prefix cache."""

from __future__ import annotations

import json
from typing import Any

from refine_magic.core import standing
from refine_magic.core.types import Iteration, Message, Move, Trajectory
from refine_magic.prompting.templates import render

REMEMBERED = 3
HINTS = 3
IN_PROMPT = ("doctest", "example")


def messages(run: Trajectory, move: Move) -> tuple[Message, ...]:
    """Return what the model is told for this move: the problem, then the best so far and what failed, if refining."""
    own = run.settings.prompts
    system = Message(role="system", content=render("system", own))
    asked = problem(run)
    complaint = render("complaint", own, reason=move.complaint) if move.complaint else ""
    hints = [step.hint for step in run.continuations if step.hint][-HINTS:]
    hinted = render("hint", own, hints=hints) if hints else ""
    best = standing.base(run)
    if move.kind in ("draft", "sample") or best is None:
        return system, Message(role="user", content=joined(asked, hinted, complaint))
    attempts = [attempt_line(run, iteration) for iteration in run.iterations[-REMEMBERED:]]
    if move.kind == "redraft":
        fresh = render("redraft", own, attempts=attempts)
        return system, Message(role="user", content=joined(asked, fresh, hinted, complaint))
    told = best.feedback.text if best.feedback else ""
    several = attempts if len(run.iterations) > 1 else []
    again = render("refine", own, feedback=told, attempts=several, hint=hinted)
    return (
        system,
        Message(role="user", content=asked),
        Message(role="assistant", content=render("code", own, code=best.candidate.code)),
        Message(role="user", content=joined(again, complaint)),
    )


def problem(run: Trajectory) -> str:
    """Return the problem in words, with the checks that the prompt itself does not show; the same in every request."""
    asked = run.problem
    told = [check for check in asked.spec.checks if check.told]
    programs = [json.loads(check.source) for check in told if check.kind == "io"]
    return render(
        "problem",
        run.settings.prompts,
        prompt=asked.prompt,
        entry_point=asked.entry_point,
        checks=[check for check in told if check.origin not in IN_PROMPT and check.kind not in ("human", "io")],
        programs=programs,
        setup=asked.spec.setup,
    )


def checks_messages(run: Trajectory, most: int) -> tuple[Message, ...]:
    """Return the request for checks."""
    asked, own = run.problem, run.settings.prompts
    there = [check.source for check in asked.spec.checks if check.told and check.kind not in ("human", "io")]
    values: dict[str, Any] = {"prompt": asked.prompt, "entry_point": asked.entry_point, "number": most, "checks": there}
    return (
        Message(role="system", content=render("checks_system", own)),
        Message(role="user", content=render("checks", own, **values)),
    )


def attempt_line(run: Trajectory, iteration: Iteration) -> str:
    """Return one line on an attempt, such as ``2: 3 of 5 checks passed``; only checks that the model may see count."""
    result = iteration.result
    if result.error is not None:
        found = f"{result.error.ename}: {result.error.evalue}".split("\n")[0][:120]
    else:
        told = {check.id for check in run.problem.spec.checks if check.told}
        passed = sum(check.outcome == "passed" for check in result.checks if check.check_id in told)
        found = f"{passed} of {len(told)} checks passed"
        found += "" if result.outcome in ("passed", "failed") else f", {result.outcome.replace('_', ' ')}"
    return f"{iteration.index}: {found}"


def joined(*parts: str) -> str:
    """Return the parts that say something, with a blank line between them."""
    return "\n\n".join(part for part in parts if part.strip())
