"""The ``%%refine`` cell magic: parse, run, show, hand over the code."""

from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from traitlets import Float, Int, Unicode

from refine_magic.core.errors import PluginError, RefineError, SpecError
from refine_magic.core.types import Trajectory
from refine_magic.notebook.insert import Inserter
from refine_magic.notebook.raw import raw_cell

SETTINGS = (
    "model strategy feedback max_iterations timeout isolation kernel temperature seed context_tokens reply_tokens "
    "max_seconds max_tokens"
).split()


@magics_class
class RefineMagics(Magics):
    """Refine code until its checks pass. Each trait is the default of the argument with its name."""

    model = Unicode("ollama:llama3.2", help="which model to ask").tag(config=True)
    strategy = Unicode("tests", help="how candidates are proposed").tag(config=True)
    feedback = Unicode("annotated", help="in which words failures go back").tag(config=True)
    max_iterations = Int(5, help="how many candidates are judged at most").tag(config=True)
    timeout = Float(10.0, help="seconds that a candidate and its checks may take").tag(config=True)
    isolation = Unicode("auto", help="how candidates are kept from doing harm").tag(config=True)
    kernel = Unicode(None, allow_none=True, help="the kernelspec for candidates").tag(config=True)
    temperature = Float(0.2, help="the model's temperature while there is progress").tag(config=True)
    seed = Int(0, help="the first request's seed").tag(config=True)
    context_tokens = Int(8192, help="the model's context window, the same for a whole run").tag(config=True)
    reply_tokens = Int(1024, help="the longest reply").tag(config=True)
    max_seconds = Float(None, allow_none=True, help="when no further candidate is begun").tag(config=True)
    max_tokens = Int(None, allow_none=True, help="after how many no further candidate is begun").tag(config=True)

    shell: Any  # an InteractiveShell, which IPython calls optional

    def __init__(self, shell: Any, **more: Any) -> None:
        """Make the traits reachable for ``%config RefineMagics``."""
        super().__init__(shell=shell, **more)
        shell.configurables.append(self)
        self._inserter = Inserter()

    @magic_arguments()
    @argument("name", nargs="?", help="a name for the problem")
    @argument("-m", "--model", help="such as llama3.2, ollama:NAME@HOST, replay:FILE")
    @argument("-k", "--max-iterations", type=int, help="judge at most this many candidates")
    @argument("-s", "--strategy", help="how candidates are proposed")
    @argument("-f", "--feedback", help="in which words failures go back")
    @argument("-e", "--entry-point", help="the name that the checks call")
    @argument("--timeout", type=float, help="seconds that a candidate and its checks may take")
    @argument("--isolation", help="auto, or a level by its name")
    @argument("--kernel", help="the kernelspec for candidates")
    @argument("--temperature", type=float, help="the model's temperature while there is progress")
    @argument("--seed", type=int, help="the first request's seed")
    @argument("--context-tokens", type=int, help="the model's context window")
    @argument("--reply-tokens", type=int, help="the longest reply")
    @argument("--max-seconds", type=float, help="begin no further candidate after this time")
    @argument("--max-tokens", type=int, help="begin no further candidate after this many tokens")
    @argument("-o", "--output", help="bind the trajectory to this name")
    @argument("--run", action="store_true", help="also run the code in the notebook, if it passed")
    @argument("--strict", action="store_true", help="raise RefinementFailed if it did not pass")
    @cell_magic
    def refine(self, line: str, cell: str) -> None:
        """Refine until pass: the prompt, a line of three dashes, the checks.

        Doctest examples in the prompt are checks too. Code that passes is put into a new cell below.
        """
        from refine_magic import api
        from refine_magic.core import loop
        from refine_magic.notebook.display import RunDisplay
        from refine_magic.specs.cell import split
        from refine_magic.specs.problem import make_problem

        arguments = parse_argstring(self.refine, line)
        text, above = raw_cell(self.shell, "%%refine", cell)
        prompt, checks, before = split(text)
        output = valid_name(arguments.output)
        try:
            settings = api.make_settings(**self.settings(arguments))
            problem = make_problem(
                prompt, checks, entry_point=arguments.entry_point, name=arguments.name, lines_before=before + above
            )
            stream = api.events(problem, settings)
        except (SpecError, PluginError) as error:
            raise UsageError(str(error)) from error

        show = RunDisplay()
        latest: list[Trajectory] = []

        def observe(run: Trajectory, event: Any) -> None:
            latest[:] = [run]
            show(run, event)

        try:
            run = loop.drive(stream, observe)
        except PluginError as error:
            raise UsageError(str(error)) from error
        except RefineError as error:
            raise one_line(error) from None
        finally:
            if output and latest:
                self.shell.user_ns[output] = latest[-1]
        self.hand_over(run, show, arguments)

    def settings(self, arguments: Any) -> dict[str, Any]:
        """Return the settings: an argument, else the trait of its name."""
        given = {name: getattr(arguments, name) for name in SETTINGS}
        return {name: getattr(self, name) if value is None else value for name, value in given.items()}

    def hand_over(self, run: Trajectory, show: Any, arguments: Any) -> None:
        """Give the code of a run that passed to the user; raise for one that did not, if that was asked for."""
        from refine_magic import api

        if run.passed:
            note = self._inserter.insert(self.shell, run)
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


def valid_name(name: str | None) -> str | None:
    """Return the name. Raises UsageError where it is no Python name."""
    if name is not None and not name.isidentifier():
        raise UsageError(f"-o {name}: this is no name")
    return name
