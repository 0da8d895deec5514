"""The texts that the model is told, as templates; a folder of the user's own goes before ours."""

from __future__ import annotations

import importlib.resources
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
    if own is not None:
        folder = Path(own).expanduser()
        there = {path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}")}
        if unknown := there - set(names()):
            raise SpecError(f"{folder}: there is no prompt {min(unknown)!r}; there are: {', '.join(names())}")
        if not there:
            raise SpecError(f"{folder} holds no prompt, such as {names()[0]}{SUFFIX}; there are: {', '.join(names())}")
        loaders.insert(0, jinja2.FileSystemLoader(folder))
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader(loaders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # text for a model, not for a browser
    )


def names() -> list[str]:
    """Return the names of our templates."""
    texts = importlib.resources.files("refine_magic.prompting").joinpath("texts")
    return sorted(text.name.removesuffix(SUFFIX) for text in texts.iterdir() if text.name.endswith(SUFFIX))


def render(name: str, own: str | None = None, **values: Any) -> str:
    """Return the text of one template. Raises SpecError for a template of the user's that cannot be used."""
    try:
        return environment(own).get_template(f"{name}{SUFFIX}").render(**values).strip("\n")
    except jinja2.TemplateError as error:
        line = f", line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else ""
        raise SpecError(f"the prompt {name}{SUFFIX}{line}: {error}") from error
