"""A run in the terminal: what is going on now, and every iteration as it is judged."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.rule import Rule
from rich.spinner import Spinner
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from refine_magic import words
from refine_magic.core.types import CheckResult, ExecutionResult, Iteration, Spec, Trajectory

STYLES = {"passed": "green", "failed": "red", "error": "red", "timeout": "red", "not_run": "dim"}
HEADLINES = {"passed": "bold green", "passed_unverified": "bold yellow", "not_passed": "bold red", "error": "bold red"}
PASSED_WIDTH = 40
TAIL = 8  # lines of a reply that are shown while it streams


class RunView:
    """Prints each iteration once; below it a line says what is happening, where the terminal can."""

    def __init__(self, console: Console, *, prompts: bool = False) -> None:
        """Show nothing before the first run; `prompts` shows what the model was told for each iteration."""
        self.console, self._prompts, self._printed = console, prompts, 0
        self._live: Live | None = None

    def __call__(self, run: Trajectory, event: object = None) -> None:
        """Show the run as it is now."""
        if self._live is None and run.status == "running" and self.console.is_terminal:
            self._live = Live(console=self.console, transient=True, refresh_per_second=8)
            self._live.start()
        for iteration in run.iterations[self._printed :]:
            if self._prompts:
                self.console.print(prompts_view(iteration))
            self.console.print(iteration_view(run, iteration))
            self._printed += 1
        if run.status != "running":
            self.close()
            self.console.print(end_view(run))
            self._printed = 0
        elif self._live is not None:
            self._live.update(now_view(run))

    def close(self) -> None:
        """Take the live line away."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def now_view(run: Trajectory) -> RenderableType:
    """Return what is happening now, with the end of the reply that is being written."""
    written = run.draft.text if run.draft else ""
    lines = written.splitlines()[-TAIL:]
    return Group(Spinner("dots", text=Text(words.headline(run))), Padding(Text("\n".join(lines), style="dim"), (0, 2)))


def prompts_view(iteration: Iteration) -> RenderableType:
    """Return what the model was told before it wrote an iteration's code."""
    parts: list[RenderableType] = []
    for message in iteration.candidate.messages:
        parts.append(Rule(Text(f"{message.role}, for iteration {iteration.index}"), align="left", style="cyan"))
        parts.append(Padding(Text(plain(message.content), style="cyan"), (0, 2)))
    return Group(*parts)


def iteration_view(run: Trajectory, iteration: Iteration) -> RenderableType:
    """Return one iteration: its error, its checks, and its code or the diff from the one that it refines."""
    parts: list[RenderableType] = [Rule(Text(words.iteration_line(run, iteration)), align="left", style="dim")]
    before = words.previous(run, iteration)
    if before is None:
        parts.append(Padding(Syntax(iteration.candidate.code, "python", background_color="default"), (0, 2)))
    else:
        parts.append(Padding(diff_view(before.candidate.code, iteration.candidate.code), (0, 2)))
    parts.append(result_view(iteration.result, run.problem.spec, iteration.regressed))
    return Group(*parts)


def result_view(result: ExecutionResult, spec: Spec, regressed: tuple[str, ...] = ()) -> RenderableType:
    """Return the error, if there is one, and the table of checks."""
    parts: list[RenderableType] = []
    if result.error is not None:
        trace = "\n".join(line.rstrip("\n") for line in result.error.traceback)
        parts.append(Padding(Text(plain(trace or f"{result.error.ename}: {result.error.evalue}"), style="red"), (0, 2)))
    elif result.message:
        parts.append(Padding(Text(plain(result.message), style="red"), (0, 2)))
    parts += [
        Padding(Text(f"Found without running it: {plain(found)}", style="dim"), (0, 2)) for found in result.findings
    ]
    checks = {check.id: check for check in spec.checks}
    table = Table(box=None, padding=(0, 1), show_edge=False, header_style="dim")
    for name in ("", "check", "expected", "observed", "from"):
        table.add_column(name, overflow="fold")
    for found in result.checks:
        said = [text for text in (found.observed, found.message) if text]
        observed = "\n".join(said) or found.outcome.replace("_", " ")
        origin = words.source_words(checks[found.check_id], found)
        table.add_row(
            Text(f"{words.MARKS[found.outcome]} {found.check_id}", style=STYLES[found.outcome]),
            Text(plain(words.title(checks[found.check_id], found))),
            Text(shown(found.expected or "", found)),
            Text("" if found.outcome == "passed" and found.observed is None else shown(observed, found)),
            Text(origin + (", regressed" if found.check_id in regressed else ""), style="dim"),
        )
    return Group(*parts, Padding(table, (0, 1)))


def diff_view(before: str, after: str) -> Text:
    """Return the lines of both with their signs, coloured."""
    text = Text()
    for sign, line in words.diff(before, after):
        text.append(f"{sign} {plain(line)}\n", style={"+": "green", "-": "red", " ": ""}[sign])
    text.rstrip()
    return text


def end_view(run: Trajectory) -> RenderableType:
    """Return the status and the figures."""
    best = run.best_iteration
    parts: list[RenderableType] = [
        Rule(style="dim"),
        Text(words.headline(run), style=HEADLINES.get(run.status, "bold")),
    ]
    parts.append(Text(words.figures(run), style="dim"))
    if best is not None and best.index != len(run.iterations):
        parts += [Text(f"The best code, from iteration {best.index}:", style="dim")]
        parts += [Padding(Syntax(best.candidate.code, "python", background_color="default"), (0, 2))]
    return Group(*parts)


def shown(value: str, found: CheckResult) -> str:
    """Return a value, cut short where its check passed: then it is no news."""
    return plain(value if found.outcome != "passed" or len(value) <= PASSED_WIDTH else f"{value[:PASSED_WIDTH]}...")


def plain(text: str) -> str:
    """Return text without the control characters that could move the cursor or colour what follows."""
    return "".join(c if c in "\n\t" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)
