"""A notebook that is executed in a real kernel while its runs are shown in the terminal."""

from __future__ import annotations

import importlib.resources
from pathlib import Path
from typing import Any

import click
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.syntax import Syntax
from traitlets.config import Config

from refine_magic.cli.show import RunView
from refine_magic.core.types import MIME_TYPE, Trajectory

QUICKSTART = "01-quickstart.ipynb"


class WatchedNotebook(NotebookClient):
    """Executes a notebook and shows each run of ours while it goes on."""

    view: RunView

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        """Show the trajectory that a display message carries; then do what nbclient does."""
        record = msg["content"].get("data", {}).get(MIME_TYPE) if isinstance(msg["content"], dict) else None
        if isinstance(record, dict):
            self.view(Trajectory.model_validate(record))
        output: NotebookNode | None = super().process_message(msg, cell, cell_index)
        return output


def quickstart() -> NotebookNode:
    """Return the quickstart notebook: from the package, or from the source tree beside it."""
    package = importlib.resources.files("refine_magic")
    for place in (package / "notebooks", Path(str(package)).parent / "notebooks"):
        found = place / QUICKSTART
        if found.is_file():
            notebook: NotebookNode = nbformat.reads(found.read_text(encoding="utf-8"), as_version=4)
            return notebook
    raise click.ClickException(f"{QUICKSTART} is not part of this installation")


def show_cell(console: Console, cell: NotebookNode) -> None:
    """Print a cell's source."""
    if cell.cell_type == "markdown":
        console.print(Markdown(cell.source))
    elif cell.cell_type == "code":
        console.print(Padding(Syntax(cell.source, "python", background_color="default"), (1, 0, 1, 4)))


def show_output(console: Console, cell: NotebookNode) -> None:
    """Print a cell's plain outputs; a run's own was shown already."""
    for output in cell.get("outputs", []):
        if MIME_TYPE not in output.get("data", {}):
            console.print(output.get("text") or output.get("data", {}).get("text/plain", ""), markup=False)


def save(notebook: NotebookNode, folder: Path) -> tuple[Path, Path]:
    """Write the notebook and an HTML page of it, and return their paths."""
    from nbconvert.exporters import HTMLExporter

    folder.mkdir(parents=True, exist_ok=True)
    as_notebook, as_page = folder / "quickstart.ipynb", folder / "quickstart.html"
    nbformat.write(notebook, as_notebook)
    page, _ = HTMLExporter().from_notebook_node(notebook)
    as_page.write_text(page, encoding="utf-8")
    return as_notebook, as_page


def all_passed(notebook: NotebookNode) -> bool:
    """Tell whether there was a run and every run passed."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    records = [output["data"][MIME_TYPE] for output in outputs if MIME_TYPE in output.get("data", {})]
    return bool(records) and all(record["status"] == "passed" for record in records)


def watch(notebook: NotebookNode, console: Console) -> str | None:
    """Execute the notebook and show it as it goes; return the error that ended it, if one did."""
    settings = Config()
    settings.KernelManager.transport = "ipc"
    client = WatchedNotebook(notebook, kernel_name="python3", timeout=600, config=settings)
    client.view = RunView(console)
    client.on_cell_start = lambda cell, cell_index: show_cell(console, cell)
    client.on_cell_executed = lambda cell, cell_index, execute_reply: show_output(console, cell)
    try:
        client.execute()
    except CellExecutionError as error:
        return f"{error.ename}: {error.evalue}"
    finally:
        client.view.close()
    return None
