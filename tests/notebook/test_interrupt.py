"""Interrupting a running ``%%refine`` in a real kernel."""

from __future__ import annotations

import time

import pytest

SLOW = ("def double(x):\n    return 2 * x", 20.0)
HANGING = ("def double(x):\n    while True:\n        pass", 0.0)


def interrupted(notebook, tape, code, seconds, phase):
    """Run a cell, interrupt it once it is in the phase, and return what came of it and when the interrupt was."""
    model = tape(code, seconds=seconds)
    sent = notebook.send(f"%%refine p -m {model} -o stopped --timeout 60\nWrite double.\n---\nassert double(4) == 8")

    def there(ran):
        draft = (ran.records[-1]["draft"] or {}) if ran.records else {}
        return draft.get("phase") == phase and draft["text"] != ""

    notebook.listen(sent, until=there)
    time.sleep(0.3)
    notebook.manager.interrupt_kernel()
    begun = time.monotonic()
    return notebook.listen(sent, seconds=20), begun


@pytest.fixture(params=[(*SLOW, "writing"), (*HANGING, "judging")], ids=["model-writing", "candidate-running"])
def stopped(request, notebook, tape):
    ran, begun = interrupted(notebook, tape, *request.param)
    while notebook.children() and time.monotonic() - begun < 2:
        time.sleep(0.02)
    return ran, notebook.children()


def test_an_interrupt_is_raised_again(stopped):
    assert stopped[0].reply["ename"] == "KeyboardInterrupt"


def test_an_interrupt_is_recorded(stopped):
    assert stopped[0].records[-1]["status"] == "interrupted"


def test_an_interrupt_leaves_no_process_after_two_seconds(stopped):
    assert stopped[1] == []


def test_an_interrupt_keeps_what_the_model_had_written(stopped):
    assert "```python" in stopped[0].records[-1]["draft"]["text"]


def test_an_interrupt_binds_the_trajectory(stopped, notebook):
    assert notebook.run("assert stopped.status == 'interrupted'").reply["status"] == "ok"
