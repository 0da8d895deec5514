"""The page of a record: no script, nothing that breaks out, readable without a kernel."""

from __future__ import annotations

import pytest

from refine_magic import refine
from refine_magic.notebook.display import mime_bundle
from refine_magic.notebook.html import to_html
from refine_magic.testing import FakeExecutor, ScriptedModel, fenced

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</pre></details><iframe src='javascript:alert(1)'>",
    "{{ 7 * 7 }}",
]


@pytest.fixture
def page(monkeypatch):
    """Return a function that shows a run whose candidates are the given codes."""

    def make(*codes, prompt="Write f.", checks="assert f(1) == 2", message=""):
        monkeypatch.setattr(
            "refine_magic.plugins.open_executor", lambda s: FakeExecutor(lambda code, check: "pass" in code)
        )
        return refine(prompt, checks=checks, model=ScriptedModel(*map(fenced, codes)), max_iterations=len(codes))

    return make


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_code_is_shown_as_text(page, text):
    html = to_html(page(f"def f(x):\n    return {text!r}"), [])
    assert text.partition(" ")[0].partition(">")[0] not in html.replace("&lt;", "") or "<script" not in html
    assert not any(tag in html for tag in ("<script", "<img", "<svg", "<iframe"))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_check_is_shown_as_text(page, text):
    html = to_html(page("def f(x): return 1", checks=f"assert f({text!r}) == 1"), [])
    assert not any(tag in html for tag in ("<script", "<img", "<svg", "<iframe"))


def test_control_and_direction_characters_are_spelled_out(page):
    assert "\\u202e" in to_html(page("def f(x):\n    return '\u202egnp.exe'"), [])


def test_the_page_needs_no_style_sheet_and_no_script(page):
    html = to_html(page("def f(x): return 1", "def f(x): pass"), [])
    assert "<style" not in html and "<script" not in html and "class=" not in html


def test_the_second_iteration_shows_its_diff_from_the_first(page):
    html = to_html(page("def f(x):\n    return 1", "def f(x):\n    pass"), [])
    assert "Diff from iteration 1" in html


def test_the_bundle_holds_the_record_the_page_and_text(page):
    assert sorted(mime_bundle(page("def f(x): pass"))) == [
        "application/vnd.refine-magic.trajectory+json",
        "text/html",
        "text/plain",
    ]


def test_a_surrogate_in_the_code_does_not_break_the_record(page):
    bundle = mime_bundle(page("def f(x):\n    return '\udc80'"))
    assert str(bundle).encode("utf-8")
