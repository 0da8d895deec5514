"""A run in words: the same in the notebook, in the terminal and in what is exported."""

from __future__ import annotations

import ast
import difflib
import json
from collections import Counter
from typing import Literal

from refine_magic.core.types import Check, CheckResult, Continuation, Iteration, Trajectory

MARKS = {"passed": "✓", "failed": "✗", "error": "✗", "timeout": "✗", "not_run": "·"}
PHASES = {
    "loading": "loading the model",
    "checks": "the model is writing checks",
    "writing": "the model is writing",
    "judging": "running the checks",
}
REASONS = {
    "max_iterations": "the limit of iterations is reached",
    "no_progress": "the model keeps giving the same code",
    "budget": "the limit of seconds or tokens is reached",
    "format": "the model's replies hold no usable code",
}
ORIGINS = {"user": "yours", "doctest": "doctest", "example": "example", "generated": "generated"}

Sign = Literal[" ", "+", "-"]


def plural(number: int, thing: str) -> str:
    """Return a number of things."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def headline(run: Trajectory) -> str:
    """Return the status in one line."""
    done, most, best = len(run.iterations), run.settings.max_iterations, run.best_iteration
    passed = tally(run, best) if best else "no candidate"
    match run.status:
        case "running":
            doing = PHASES[run.draft.phase] if run.draft else "beginning"
            return f"Iteration {min(done + 1, most)} of {most}: {doing}"
        case "passed":
            return f"✓ Passed in {done} of {plural(most, 'iteration')}, {passed}"
        case "passed_unverified":
            return f"? Passed, unverified, in {done} of {plural(most, 'iteration')}: the model wrote the checks itself"
        case "interrupted":
            return f"■ Interrupted in iteration {min(done + 1, most)}; the best so far: {passed}"
        case "error":
            return f"■ Stopped in iteration {min(done + 1, most)}: {run.message}"
    why = REASONS.get(run.stop_reason or "", "")
    if run.vetted and not any(check.counts for check in run.problem.spec.checks):
        why = "no two candidates agree on the checks that the model wrote"
    at = f", in iteration {best.index}" if best else ""
    return f"✗ Not passed after {plural(done, 'iteration')} ({why}); the best: {passed}{at}"


def figures(run: Trajectory) -> str:
    """Return what the run took and how it was done, separated by dots."""
    usage, parts = run.usage, [f"{run.seconds:.1f} s"]
    if usage.completion_tokens:
        parts.append(plural(usage.completion_tokens, "token") + (" (estimated)" if usage.estimated else ""))
        if usage.generation_seconds > 0.01:
            parts.append(f"{usage.completion_tokens / usage.generation_seconds:.0f} tokens/s")
    parts.append(run.model or run.settings.model)
    if run.iterations:
        last = run.iterations[-1]
        parts += [f"isolation: {last.result.isolation or 'none'}", *last.result.caveats, judged_by(last)]
    return " · ".join([*parts, f"run {run.id[:8]}"])


def tally(run: Trajectory, iteration: Iteration) -> str:
    """Return how many of the checks that count passed, those held out apart, and how many are suspect."""
    passed = {found.check_id for found in iteration.result.checks if found.outcome == "passed"}
    shown = [check.id in passed for check in run.problem.spec.checks if check.told]
    hidden = [check.id in passed for check in run.problem.spec.checks if check.counts and not check.visible]
    suspect = sum(check.trust == "suspect" for check in run.problem.spec.checks)
    parts = [f"{sum(shown)} of {plural(len(shown), 'check')}"]
    parts += [f"{sum(hidden)} of {len(hidden)} held out"] if hidden else []
    parts += [f"{suspect} suspect"] if suspect else []
    return ", ".join(parts)


def judged_by(iteration: Iteration) -> str:
    """Return where the verdicts were made."""
    judged = Counter(found.judged for found in iteration.result.checks if found.outcome != "not_run")
    parts = [f"{plural(judged['judge'], 'check')} judged in a second kernel"] if judged["judge"] else []
    parts += [f"{plural(judged['in-kernel'], 'check')} judged in the candidate's own kernel"] * bool(
        judged["in-kernel"]
    )
    return ", ".join(parts) or "verdict on the host"


def iteration_line(run: Trajectory, iteration: Iteration) -> str:
    """Return one line on an iteration: how many checks passed, which ones, how long it took."""
    result = iteration.result
    parts = [f"Iteration {iteration.index}", tally(run, iteration)]
    if result.outcome not in ("passed", "failed"):
        parts.append(outcome_words(iteration))
    parts += moved(run, iteration)
    parts.append(f"{iteration.seconds:.1f} s")
    if run.best == iteration.index:
        parts.append("best so far" if run.status == "running" else "best")
    if iteration.regressed:
        parts.append(f"{len(iteration.regressed)} regressed")
    return " · ".join(parts)


def moved(run: Trajectory, iteration: Iteration) -> list[str]:
    """Return what was unusual about how an iteration was asked for."""
    move, usual = iteration.candidate.move, run.settings.temperature
    parts = {"sample": ["independent sample"], "redraft": ["from scratch"]}.get(move.kind, [])
    if move.kind == "refine" and iteration.candidate.parent not in (None, iteration.index - 1):
        parts = [f"from iteration {iteration.candidate.parent}"]
    return [*parts, f"temperature {move.temperature:g}"] if move.temperature > usual else parts


def continuation(step: Continuation) -> str:
    """Return how a run was taken up again, in one line."""
    parts = [f"Taken up again after iteration {step.after}"]
    parts += [f"from iteration {step.from_iteration}"] if step.from_iteration is not None else []
    parts += [f"without {', '.join(step.struck)}"] if step.struck else []
    parts += [f"with the hint: {step.hint}"] if step.hint else []
    return ", ".join(parts)


def outcome_words(iteration: Iteration) -> str:
    """Return the outcome with the error's name, where there is one."""
    result = iteration.result
    words = {"error": "raised", "invalid": "not valid Python", "output_limit": "printed too much"}
    shown = words.get(result.outcome, result.outcome)
    if result.outcome == "invalid" and result.error is not None and result.error.ename == "NameError":
        return "cannot work, so it was not run"
    return f"{shown} {result.error.ename}" if result.error and result.outcome == "error" else shown


def strip(iteration: Iteration) -> str:
    """Return one mark for each check."""
    return "".join(MARKS[found.outcome] for found in iteration.result.checks)


def title(check: Check, found: CheckResult) -> str:
    """Return a check's name: what is compared, where the expected value is shown beside it, else its first line."""
    if check.kind == "io":
        return f"with standard input {json.loads(check.source)['stdin']!r}"
    lines = check.source.strip().splitlines()
    if found.expected is not None and lines[0].startswith("assert "):
        return compared(check.source)
    defined = (
        [line for line in lines if line.startswith(("def ", "class ", "async def "))] if lines[0][0] == "@" else []
    )
    first = (defined or lines)[0].removeprefix(">>> ")
    return first if len(lines) == 1 or check.source.startswith(">>>") else f"{first} ..."


def compared(source: str) -> str:
    """Return the side of an assert's comparison that calls something, else all that it asserts."""
    statement = ast.parse(source.strip()).body[0]
    test = statement.test if isinstance(statement, ast.Assert) else ast.Constant(value=source)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        sides = [side for side in (test.left, test.comparators[0]) if any_call(side)]
        if len(sides) == 1:
            test = sides[0]
    return ast.get_source_segment(source.strip(), test) or source


def any_call(node: ast.expr) -> bool:
    """Tell whether the expression calls something."""
    return any(isinstance(inner, ast.Call) for inner in ast.walk(node))


def source_words(check: Check, found: CheckResult) -> str:
    """Return where a check comes from, and what to know of its trust and its judge."""
    parts = [ORIGINS[check.origin]]
    parts += [check.trust] if check.origin == "generated" or check.trust == "struck" else []
    parts += [] if check.visible else ["held out"]
    if found.judged == "in-kernel" and found.outcome != "not_run":
        parts.append("in-kernel")
    return ", ".join(parts)


def diff(before: str, after: str) -> list[tuple[Sign, str]]:
    """Return the lines of both, each with its sign."""
    old, new = before.splitlines(), after.splitlines()
    lines: list[tuple[Sign, str]] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [(" ", line) for line in old[a:b]]
        else:
            lines += [("-", line) for line in old[a:b]]
            lines += [("+", line) for line in new[c:d]]
    return lines


def previous(run: Trajectory, iteration: Iteration) -> Iteration | None:
    """Return the iteration that this one is compared with: the one it was refined from, else the one before it."""
    index = iteration.candidate.parent or iteration.index - 1
    return run.iterations[index - 1] if 0 < index < iteration.index else None
