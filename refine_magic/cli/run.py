"""``refine-magic run``: refine until pass, in the terminal."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from refine_magic import api
from refine_magic.cli import status
from refine_magic.cli.follow import follow
from refine_magic.cli.show import RunView
from refine_magic.cli.sources import CHECKS_HELP, LIMIT_HELP, Asking, one_standard_input, texts
from refine_magic.core.loop import Events
from refine_magic.specs.cell import split
from refine_magic.specs.problem import make_problem


@click.command()
@click.argument("prompt_file", type=click.Path(allow_dash=True))
@click.option("-c", "--checks", "references", multiple=True, metavar="REF", help=f"{CHECKS_HELP} Repeatable.")
@click.option("--ask", is_flag=True, help="Ask you to accept the code, once all other checks passed.")
@click.option("-m", "--model", metavar="SPEC", help="Such as llama3.2, ollama:NAME@HOST, replay:FILE.")
@click.option("-k", "--max-iterations", type=int, metavar="K", help="Judge at most K candidates.  [default: 5]")
@click.option("-s", "--strategy", metavar="S", help="How candidates are proposed.  [default: tests]")
@click.option("-f", "--feedback", metavar="F", help="In which words failures go back.  [default: annotated]")
@click.option("-e", "--entry-point", metavar="NAME", help="The name that the checks call.")
@click.option("--name", metavar="NAME", help="A name for the problem.")
@click.option("--timeout", type=float, metavar="S", help="Seconds for a candidate and its checks.  [default: 10]")
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE", help=LIMIT_HELP)
@click.option("--executor", metavar="SPEC", help="kernel, on this machine, or remote:http://HOST:PORT.")
@click.option("--isolation", metavar="LEVEL", help="auto, or a level by its name.")
@click.option("--kernel", metavar="NAME", help="The kernelspec for candidates.")
@click.option("--temperature", type=float, metavar="T", help="The model's temperature while there is progress.")
@click.option("--seed", type=int, metavar="N", help="The first request's seed.")
@click.option("--context-tokens", type=int, metavar="N", help="The model's context window.")
@click.option("--reply-tokens", type=int, metavar="N", help="The longest reply.")
@click.option("--generate-checks", type=int, metavar="N", help="Have the model write N more checks.")
@click.option("--holdout", type=float, metavar="F", help="Keep this share of the checks from the model.")
@click.option("--samples", type=int, metavar="N", help="Judge N independent candidates first, refine the best.")
@click.option("--prompts", metavar="DIR", help="A folder of prompts of your own.")
@click.option("--show-prompts", is_flag=True, help="Print what the model is told.")
@click.option("--max-seconds", type=float, metavar="S", help="Begin no further candidate after this time.")
@click.option("--max-tokens", type=int, metavar="N", help="Begin no further candidate after this many tokens.")
@click.option("--json", "as_json", is_flag=True, help="Print the trajectory as one JSON document.")
def run(
    prompt_file: str,
    references: tuple[str, ...],
    ask: bool,
    entry_point: str | None,
    name: str | None,
    as_json: bool,
    show_prompts: bool,
    **settings: Any,
) -> None:
    """Refine the code that PROMPT_FILE asks for until its checks pass.

    PROMPT_FILE holds what a %%refine cell does: the prompt, and below a line of three dashes the checks, if they are
    not in a file of their own. '-' is standard input.
    """
    one_standard_input(prompt_file, ask, *references)
    prompt, below, before = split(status.read(prompt_file, "the prompt"))
    console = Console(stderr=as_json)
    view = RunView(console, prompts=show_prompts)

    def begin() -> Events:
        problem = make_problem(
            prompt,
            below,
            more=texts(references),
            entry_point=entry_point,
            name=name,
            lines_before=before,
            ask=ask,
        )
        return api.events(problem, api.make_settings(**settings), ask=Asking(view, console))

    follow(begin, view, as_json=as_json)
