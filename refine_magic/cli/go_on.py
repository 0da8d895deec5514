"""``refine-magic continue``: take a run up again from its record."""

from __future__ import annotations

import click
from rich.console import Console

from refine_magic import api, schema
from refine_magic.cli import status
from refine_magic.cli.follow import follow
from refine_magic.cli.show import RunView
from refine_magic.cli.sources import Asking
from refine_magic.core.errors import RefineError
from refine_magic.core.loop import Events


@click.command("continue")
@click.argument("record", type=click.Path(allow_dash=True))
@click.option("--hint", default="", metavar="TEXT", help="What to tell the model.")
@click.option("--from", "from_iteration", type=int, metavar="K", help="Go on from this iteration, not from the best.")
@click.option("--strike", multiple=True, metavar="C", help="Leave this check out, by its number. Repeatable.")
@click.option("--more", type=int, metavar="N", help="Judge at most N more candidates.  [default: 3]")
@click.option("-m", "--model", metavar="SPEC", help="Another model than the run had.")
@click.option("-f", "--feedback", metavar="F", help="Another style of feedback than the run had.")
@click.option("--show-prompts", is_flag=True, help="Print what the model is told.")
@click.option("--json", "as_json", is_flag=True, help="Print the trajectory as one JSON document.")
def go_on(
    record: str,
    hint: str,
    from_iteration: int | None,
    strike: tuple[str, ...],
    more: int | None,
    model: str | None,
    feedback: str | None,
    show_prompts: bool,
    as_json: bool,
) -> None:
    """Take up the run whose record is RECORD, the JSON that run --json prints; '-' is standard input."""
    text = status.read(record, "the record")
    console = Console(stderr=as_json)
    view = RunView(console, prompts=show_prompts)

    def begin() -> Events:
        try:
            before = schema.load(text)
        except RefineError as error:
            raise click.UsageError(str(error)) from error
        return api.refine_events(
            resume=before,
            hint=hint,
            from_iteration=from_iteration,
            strike=strike,
            more=more,
            model=model,
            feedback=feedback,
            ask=Asking(view, console),
        )

    follow(begin, view, as_json=as_json)
