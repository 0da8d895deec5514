"""Where checks come from by reference: a kept name, a file, or the tagged cells of a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from refine_magic.core.errors import SpecError
from refine_magic.specs.absent import without_absent

Form = Literal["python", "doctest", "recorded"]
FORMS: dict[str, Form] = {
    ".jsonl": "recorded",
    ".ndjson": "recorded",
    ".txt": "doctest",
    ".md": "doctest",
    ".rst": "doctest",
}
NOTEBOOK = ".ipynb"
TAG = "checks"


@dataclass(frozen=True)
class Text:
    """A piece of check text: `form` says how to read it, `lines_before` and `where` are for messages."""

    text: str
    form: Form = "python"
    lines_before: int = 0
    where: str = ""


def gather(reference: str, kept: Mapping[str, Text] | None = None, notebook: Path | None = None) -> list[Text]:
    """Return the texts that a reference names: a kept set, a file, ``FILE.ipynb:TAG``, or a tag of this notebook.

    `kept` is None where no names can be kept. Raises SpecError where there is nothing of that name, saying what there
    is.
    """
    if kept and reference in kept:
        return [kept[reference]]
    file, colon, tag = reference.rpartition(":")
    if colon and file.endswith(NOTEBOOK):
        return tagged(Path(file).expanduser(), tag)
    path = Path(reference).expanduser()
    if path.exists():
        return from_file(path)
    if notebook is not None and notebook.is_file() and not path.suffix:
        try:
            return tagged(notebook, reference)
        except SpecError as error:
            raise SpecError(f"{unknown(reference, kept)}; {error}") from error
    raise SpecError(unknown(reference, kept))


def unknown(reference: str, kept: Mapping[str, Text] | None) -> str:
    """Return that there is nothing of that name, and what there is."""
    if kept is None:
        return f"there are no checks {reference!r}: it is no file, nor FILE.ipynb:TAG"
    names = ", ".join(sorted(kept)) or "none"
    return f"there are no checks {reference!r}: it is no file, and the names kept with %%checks are: {names}"


def from_file(path: Path) -> list[Text]:
    """Return the texts of a file, by its suffix; anything unknown is read as test code or doctest examples."""
    if path.suffix.lower() == NOTEBOOK:
        return tagged(path, TAG)
    try:
        text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"the checks {str(path)!r} cannot be read: {reason(error)}") from error
    form = FORMS.get(path.suffix.lower(), "python")
    if form == "doctest" and ">>>" not in text:
        form = "python"
    return [Text(from_outside(text, str(path)) if form == "python" else text, form, where=str(path))]


def from_outside(text: str, where: str) -> str:
    """Return test code from a file without the imports of the code under test. Raises SpecError."""
    try:
        return without_absent(text)
    except SpecError as error:
        raise SpecError(f"{where}, {error}") from error


def tagged(path: Path, tag: str) -> list[Text]:
    """Return the sources of a notebook's code cells with a tag. Raises SpecError, saying which tags there are."""
    cells = [(number, cell) for number, cell in enumerate(cells_of(path), 1) if cell.cell_type == "code"]
    found = [(number, cell.source) for number, cell in cells if tag in cell.metadata.get("tags", [])]
    if not found:
        tags = sorted({each for _, cell in cells for each in cell.metadata.get("tags", [])})
        there = f"there are: {', '.join(tags)}" if tags else "none has a tag"
        raise SpecError(f"no code cell of {path}, as it was last saved, has the tag {tag!r}; {there}")
    return [cell_text(source, f"{path}, cell {number}") for number, source in found if source.strip()]


def cell_text(source: str, where: str) -> Text:
    """Return a cell's checks, below the line ``%%checks NAME`` where it begins with one."""
    magic, newline, body = source.partition("\n")
    if newline and magic.startswith("%%checks"):
        return Text(from_outside(body, where), lines_before=1, where=where)
    return Text(from_outside(source, where), where=where)


def cells_of(path: Path) -> list[Any]:
    """Return a notebook's cells. Raises SpecError where it cannot be read."""
    import nbformat

    try:
        return list(nbformat.read(path, as_version=4).cells)
    except Exception as error:  # nbformat lets every kind of error of a broken file through
        raise SpecError(f"the notebook {str(path)!r} cannot be read: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Return why a file cannot be read, in a few words."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
