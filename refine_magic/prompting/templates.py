"""The texts that the model is told, as templates; a folder of the user's own goes before ours."""

from __future__ import annotations

import importlib.resources
import traceback
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from refine_magic.core.errors import SpecError

SUFFIX = ".md.j2"


@cache
def environment(own: str | None) -> jinja2.Environment:
    """Return the templates, those of the user's folder first. Raises SpecError where it holds none of ours by name."""
    loaders: list[jinja2.BaseLoader] = [jinja2.PackageLoader("refine_magic.prompting", "texts")]
    there: set[str] = set()
    if own is not None:
        folder = Path(own).expanduser()
        there = {path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}")}
        if unknown := there - set(names()):
            raise SpecError(f"{folder}: there is no prompt {min(unknown)!r}; there are: {', '.join(names())}")
        if not there:
            raise SpecError(f"{folder} holds no prompt, such as {names()[0]}{SUFFIX}; there are: {', '.join(names())}")
        loaders.insert(0, jinja2.FileSystemLoader(folder))
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader(loaders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # text for a model, not for a browser
    )
    for name in there:
        compiled(made, name)
    return made


def names() -> list[str]:
    """Return the names of our templates."""
    texts = importlib.resources.files("refine_magic.prompting").joinpath("texts")
    return sorted(text.name.removesuffix(SUFFIX) for text in texts.iterdir() if text.name.endswith(SUFFIX))


def render(name: str, own: str | None = None, **values: Any) -> str:
    """Return the text of one template. Raises SpecError for a template of the user's that cannot be used."""
    template = compiled(environment(own), name)
    try:
        return template.render(**values).strip("\n")
    except Exception as error:  # what a template of the user's computes can raise anything
        raise unusable(name, error, line_in(template.filename, error)) from error


def compiled(templates: jinja2.Environment, name: str) -> jinja2.Template:
    """Return one template. Raises SpecError for one that cannot be read."""
    try:
        return templates.get_template(f"{name}{SUFFIX}")
    except (jinja2.TemplateError, UnicodeError, OSError) as error:
        raise unusable(name, error, getattr(error, "lineno", None)) from error


def unusable(name: str, error: Exception, line: int | None) -> SpecError:
    """Return the error that names the prompt's file and line."""
    return SpecError(f"the prompt {name}{SUFFIX}{f', line {line}' if line else ''}: {error}")


def line_in(file: str | None, error: Exception) -> int | None:
    """Return the last line of a template that the error passed through; Jinja puts it into the traceback."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    return lines[-1] if lines else None
