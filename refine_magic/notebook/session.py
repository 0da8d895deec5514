"""What a ``%%refine`` does once its arguments are known: a new run or one that goes on, shown, kept, handed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from IPython.core.error import UsageError

from refine_magic.core.errors import PluginError, RefineError, SpecError
from refine_magic.core.types import Trajectory
from refine_magic.notebook.checks import KeptChecks
from refine_magic.notebook.insert import Inserter
from refine_magic.notebook.runs import Runs


class Session:
    """The runs, the kept checks and the inserted cells of one kernel."""

    def __init__(self, shell: Any) -> None:
        """Begin with nothing."""
        self.shell = shell
        self.kept, self.runs, self.inserter = KeptChecks(shell), Runs(shell), Inserter()

    def new(self, text: str, above: int, arguments: Any, settings: Mapping[str, Any]) -> None:
        """Refine what a cell asks for; `above` are the lines above its text. Raises UsageError and RefineError."""
        from refine_magic import api
        from refine_magic.notebook.asking import ask_user, require_stdin
        from refine_magic.specs.cell import split
        from refine_magic.specs.problem import make_problem

        prompt, checks, before = split(text)
        try:
            chosen = api.make_settings(**settings)
            problem = make_problem(
                prompt,
                checks,
                more=self.kept.find(arguments.checks or []),
                entry_point=arguments.entry_point,
                name=arguments.name,
                lines_before=before + above,
                ask=arguments.ask,
            )
            if arguments.ask:
                require_stdin(self.shell)
            stream = api.events(problem, chosen, ask=ask_user)
        except (SpecError, PluginError) as error:
            raise UsageError(str(error)) from error
        self.follow(stream, arguments, again=False)

    def go_on(self, arguments: Any, settings: Mapping[str, Any]) -> None:
        """Take a run up again, in its own output where that can still be updated. Raises UsageError and RefineError."""
        from refine_magic import api
        from refine_magic.notebook.asking import ask_user

        try:
            run = self.runs.find(arguments.again)
            stream = api.refine_events(
                resume=run,
                hint=arguments.hint or "",
                from_iteration=arguments.from_iteration,
                strike=arguments.strike or (),
                more=arguments.more,
                ask=ask_user,
                **settings,
            )
        except (SpecError, PluginError) as error:
            raise UsageError(str(error)) from error
        here = self.runs.is_here(run)
        if here:
            print(f"Run {run.id[:8]} goes on in its own output, where it was begun.")
        self.follow(stream, arguments, again=here)

    def follow(self, stream: Any, arguments: Any, *, again: bool) -> None:
        """Run the events to their end: show each, remember the run, bind it, hand its code over."""
        from refine_magic.core import loop
        from refine_magic.notebook.display import RunDisplay

        show = RunDisplay(again=again, updates=hasattr(self.shell, "kernel"))
        latest: list[Trajectory] = []

        def observe(run: Trajectory, event: Any) -> None:
            latest[:] = [run]
            show(run, event)

        try:
            run = loop.drive(stream, observe)
        except (SpecError, PluginError) as error:
            raise UsageError(str(error)) from error
        except RefineError as error:
            raise one_line(error) from None
        finally:
            if latest:
                self.runs.remember(latest[-1])
                if arguments.output:
                    self.shell.user_ns[arguments.output] = latest[-1]
        self.hand_over(run, show, arguments)

    def hand_over(self, run: Trajectory, show: Any, arguments: Any) -> None:
        """Give the code of a run that passed to the user; raise for one that did not, if that was asked for."""
        from refine_magic import api

        if run.passed:
            note = self.inserter.insert(self.shell, run)
            if note:
                show.notes.append(note)
                show.show(run)
            if arguments.run:
                self.shell.run_cell(run.code)
        elif arguments.strict:
            try:
                api.require_pass(run)
            except RefineError as error:
                raise one_line(error) from None


def one_line(error: RefineError) -> RefineError:
    """Return the error so that IPython shows one line of it: it is the message that helps, not our stack."""
    text = f"{type(error).__name__}: {error}"
    error._render_traceback_ = lambda: [text]  # type: ignore[attr-defined]
    return error
