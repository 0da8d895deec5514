"""``refine-magic speed``: what a fresh kernel per candidate costs on this machine, next to the usual ways."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from refine_magic.bench import speed as bench
from refine_magic.cli import status


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=20, show_default=True, help="How often each way is gone.")
@click.option("--kernel", default="python3", show_default=True, help="An ipykernel's kernelspec.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON document.")
def speed(rounds: int, kernel: str, as_json: bool) -> None:
    """Time a full cycle (start, five checks, killed and gone) at each isolation level, next to the usual ways.

    All ways take turns in one run, so that a busy machine is as unfair to one as to another.
    """
    console = Console(stderr=True)
    timings: dict[str, bench.Timing] = {}
    with status.errors():
        steps = bench.measure(rounds, kernel)
        for taken in track(steps, "timing", total=rounds + 1, console=console, disable=as_json, transient=True):
            timings = taken
    found = bench.summary(timings)
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    table = Table("way", "ms", "CPU ms", "stock / this", "python -I -c / this")
    for name in sorted(found["ms"], key=found["ms"].__getitem__):
        ratios = [found["ratios"].get(f"{other}/{name}") for other in ("stock", "python")]
        cells = ["" if ratio is None else f"{ratio:.1f}" for ratio in ratios]
        table.add_row(name, f"{found['ms'][name]:.1f}", f"{found['cpu_ms'][name]:.1f}", *cells)
    Console().print(table)
