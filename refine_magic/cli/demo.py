"""``refine-magic demo``: the quickstart notebook in a real kernel, every iteration shown in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from refine_magic.cli import status


@click.command()
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("build/demo"), show_default=True)
def demo(out: Path) -> None:
    """Run the quickstart notebook and leave it, executed, with an HTML page in a folder.

    It asks a Llama where Ollama has one; else it plays a tape that says that it is scripted.
    """
    from refine_magic.cli import watched  # the notebook libraries take a second to import

    console = Console()
    notebook = watched.quickstart()
    with status.errors():
        try:
            failed = watched.watch(notebook, console)
        finally:
            as_notebook, as_page = watched.save(notebook, out)
    if failed:
        console.print(failed, style="red", markup=False)
        sys.exit(status.FAILURE)
    console.print(f"\nThe executed notebook is {as_notebook}, the page {as_page}.", markup=False)
    sys.exit(status.PASSED if watched.all_passed(notebook) else status.NOT_PASSED)
