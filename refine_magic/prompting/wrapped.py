"""Code that a model wrapped in more than a fence: an interpreter's prompts, JSON, HTML, typographic quotes."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

BEFORE = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
CONTROL = re.compile(r"\A(?:\s*<\|\w+\|>)+|(?:<\|\w+\|>\s*)+\Z")
HTML = re.compile(r"<(pre|code)\b[^>]*>\s*(?:<code\b[^>]*>)?(.*?)</(?:code|pre)>", re.DOTALL | re.IGNORECASE)
PROMPT = re.compile(r"^(?:>>>|\.\.\.|In \[\d+\]:|[ ]*\.{3,}:)(?: |$)")
HUNK = re.compile(r"^(?:@@ .*@@|\+\+\+ |--- )", re.MULTILINE)
TYPOGRAPHIC = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\u00a0": " ", "\u200b": None})


def plain(text: str) -> str:
    """Return the text without the model's thoughts, its control tokens, a byte order mark and Windows line ends."""
    text = CONTROL.sub("", text.replace("\r\n", "\n").removeprefix("\ufeff"))
    return BEFORE.sub("", text).removeprefix("\ufeff")


def is_diff(code: str) -> bool:
    """Tell whether text that is no Python is a diff: it holds only parts of a code, which nobody can run."""
    signs = {line[:1] for line in code.split("\n")}
    return HUNK.search(code) is not None or {"+", "-"} <= signs


def without_prompts(code: str) -> str:
    """Return what was typed in a session of an interpreter, or the text itself where it is none; output is left out."""
    typed = [line[found.end() :] for line in code.split("\n") if (found := PROMPT.match(line))]
    return "\n".join(typed) if PROMPT.match(code.lstrip("\n")) else code


def mended(code: str, parses: Callable[[str], bool]) -> str:
    """Return the first spelling of the code that is Python, of those that change no word of it, or itself."""
    spelt = code.translate(TYPOGRAPHIC)
    tabless = (without_tabs(text, width) for text in (code, spelt) for width in (4, 8))
    spellings = (code, without_prompts(code), spelt, *tabless)
    return next((spelling for spelling in spellings if parses(spelling)), code)


def without_tabs(code: str, width: int) -> str:
    """Return the code indented by blanks only, so many for a tab."""
    return re.sub(r"^[ \t]+", lambda indent: indent[0].expandtabs(width), code, flags=re.MULTILINE)


def without_prose_below(code: str, parses: Callable[[str], bool]) -> str:
    """Return the code without the paragraphs of prose that follow it where its fence was never closed."""
    parts = code.split("\n\n")
    for last in range(len(parts) - 1, 0, -1):
        if not parts[last][:1].isalpha():
            break
        if parses(shorter := "\n\n".join(parts[:last])):
            return shorter
    return code


def in_html(text: str) -> list[str]:
    """Return the code in HTML elements for it."""
    return [html.unescape(found[2]).strip("\n") for found in HTML.finditer(text)]


def in_json(text: str) -> list[str]:
    """Return the texts of a JSON object."""
    start, end = text.find("{"), text.rfind("}")
    try:
        values = json.loads(text[start : end + 1]).values()
    except (ValueError, AttributeError, RecursionError):
        return []
    return [value for value in values if isinstance(value, str)]
