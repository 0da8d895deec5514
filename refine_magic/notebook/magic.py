"""The ``%%refine`` cell magic: parse, run, show, hand over the code."""

from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from traitlets import Dict, Float, Int, Unicode

from refine_magic.core.errors import SpecError
from refine_magic.core.limits import by_name
from refine_magic.notebook.checks import unquoted
from refine_magic.notebook.raw import raw_cell
from refine_magic.notebook.session import Session

SETTINGS = (
    "model strategy feedback max_iterations timeout limits executor isolation kernel temperature seed context_tokens "
    "reply_tokens max_seconds max_tokens generate_checks holdout samples prompts"
).split()


@magics_class
class RefineMagics(Magics):
    """Refine code until its checks pass. Each trait is the default of the argument with its name."""

    model = Unicode("ollama:llama3.2", help="which model to ask").tag(config=True)
    strategy = Unicode("tests", help="how candidates are proposed").tag(config=True)
    feedback = Unicode("annotated", help="in which words failures go back").tag(config=True)
    max_iterations = Int(5, help="how many candidates are judged at most").tag(config=True)
    timeout = Float(10.0, help="seconds that a candidate and its checks may take").tag(config=True)
    executor = Unicode("kernel", help="where candidates are judged: kernel, or remote:http://HOST:PORT").tag(
        config=True
    )
    isolation = Unicode("auto", help="how candidates are kept from doing harm").tag(config=True)
    limits = Dict(help="what a candidate may use, such as {'memory': '2GiB', 'network': True}").tag(config=True)
    kernel = Unicode(None, allow_none=True, help="the kernelspec for candidates").tag(config=True)
    temperature = Float(0.2, help="the model's temperature while there is progress").tag(config=True)
    seed = Int(0, help="the first request's seed").tag(config=True)
    context_tokens = Int(8192, help="the model's context window, the same for a whole run").tag(config=True)
    reply_tokens = Int(1024, help="the longest reply").tag(config=True)
    generate_checks = Int(0, help="how many checks the model writes besides the user's").tag(config=True)
    holdout = Float(0.0, help="which share of the user's checks the model does not see").tag(config=True)
    samples = Int(1, help="how many independent candidates come first").tag(config=True)
    prompts = Unicode(None, allow_none=True, help="a folder of prompts of the user's own").tag(config=True)
    max_seconds = Float(None, allow_none=True, help="when no further candidate is begun").tag(config=True)
    max_tokens = Int(None, allow_none=True, help="after how many no further candidate is begun").tag(config=True)

    shell: Any  # an InteractiveShell, which IPython calls optional

    def __init__(self, shell: Any, **more: Any) -> None:
        """Make the traits reachable for ``%config RefineMagics``."""
        super().__init__(shell=shell, **more)
        shell.configurables.append(self)
        self._session = Session(shell)

    @magic_arguments()
    @argument("name", nargs="?", help="a name for the problem")
    @argument("-m", "--model", help="such as llama3.2, ollama:NAME@HOST, replay:FILE")
    @argument("-k", "--max-iterations", type=int, help="judge at most this many candidates")
    @argument("-c", "--checks", action="append", help="a name kept with %%%%checks, a file, FILE.ipynb:TAG, or a tag")
    @argument("--ask", action="store_true", help="ask you to accept the code, once all other checks passed")
    @argument("-s", "--strategy", help="how candidates are proposed")
    @argument("-f", "--feedback", help="in which words failures go back")
    @argument("-e", "--entry-point", help="the name that the checks call")
    @argument("--timeout", type=float, help="seconds that a candidate and its checks may take")
    @argument("--limit", dest="limits", action="append", metavar="NAME=VALUE", help="such as memory=2GiB, network=on")
    @argument("--executor", help="kernel, on this machine, or remote:http://HOST:PORT")
    @argument("--isolation", help="auto, or a level by its name")
    @argument("--kernel", help="the kernelspec for candidates")
    @argument("--temperature", type=float, help="the model's temperature while there is progress")
    @argument("--seed", type=int, help="the first request's seed")
    @argument("--context-tokens", type=int, help="the model's context window")
    @argument("--reply-tokens", type=int, help="the longest reply")
    @argument("--max-seconds", type=float, help="begin no further candidate after this time")
    @argument("--max-tokens", type=int, help="begin no further candidate after this many tokens")
    @argument("-o", "--output", help="bind the trajectory to this name")
    @argument("--generate-checks", type=int, metavar="N", help="have the model write N more checks")
    @argument("--holdout", type=float, metavar="F", help="keep this share of your checks from the model")
    @argument("--samples", type=int, metavar="N", help="judge N independent candidates first, and refine the best")
    @argument("--prompts", metavar="DIR", help="a folder of prompts of your own")
    @argument("--continue", dest="again", nargs="?", const="", metavar="ID", help="take a run up again, else the last")
    @argument("--hint", help="what to tell the model, when a run goes on")
    @argument("--from", dest="from_iteration", type=int, metavar="K", help="go on from this iteration")
    @argument("--strike", action="append", metavar="C", help="leave this check out, by its number, when a run goes on")
    @argument("--more", type=int, metavar="N", help="judge at most N more candidates, when a run goes on")
    @argument("--run", action="store_true", help="also run the code in the notebook, if it passed")
    @argument("--strict", action="store_true", help="raise RefinementFailed if it did not pass")
    @line_cell_magic
    def refine(self, line: str, cell: str | None = None) -> None:
        """Refine until pass: the prompt, a line of three dashes, the checks.

        Doctest examples in the prompt are checks too; without any check, the model writes some. Code that passes is
        put into a new cell below. ``%refine --continue`` takes the last run up again.
        """
        arguments = unquoted_values(parse_argstring(self.refine, line))
        if arguments.output and not arguments.output.isidentifier():
            raise UsageError(f"-o {arguments.output}: this is no name")
        given = {name: getattr(arguments, name) for name in SETTINGS}
        if arguments.again is not None:
            self._session.go_on(arguments, given)
        elif cell is None:
            raise UsageError("write the prompt below %%refine in a cell, or take a run up with %refine --continue")
        else:
            text, above = raw_cell(self.shell, "%%refine", cell)
            given["limits"] = {**self.limits, **limits_named(given["limits"] or {})}
            traits = {name: getattr(self, name) if value is None else value for name, value in given.items()}
            self._session.new(text, above, arguments, traits)

    @line_cell_magic
    def checks(self, line: str, cell: str | None = None) -> None:
        """Keep the cell's checks under a name, for ``%%refine --checks NAME``; ``%checks`` shows what is kept.

        They are read at once, so that a mistake in them shows here.
        """
        try:
            if cell is None:
                print(self._session.kept.shown(line))
            else:
                text, above = raw_cell(self.shell, "%%checks", cell)
                print(self._session.kept.keep(line, text, above))
        except SpecError as error:
            raise UsageError(str(error)) from error


def limits_named(words: Any) -> dict[str, Any]:
    """Return limits such as ``memory=2GiB`` as values by name. Raises UsageError."""
    try:
        return dict(by_name(words))
    except ValueError as error:
        raise UsageError(f"--limit: {error}") from error


def unquoted_values(arguments: Any) -> Any:
    """Return the arguments without the quotes that IPython leaves around them."""
    for name, value in vars(arguments).items():
        if isinstance(value, str):
            setattr(arguments, name, unquoted(value))
    return arguments
