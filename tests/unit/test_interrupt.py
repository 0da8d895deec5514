from __future__ import annotations

import pytest

from refine_magic.core import events
from refine_magic.core.errors import ModelError, ModelUnavailable
from refine_magic.testing import ScriptedModel
from tests.unit.samples import Run, answer


def interrupted(made: Run, observer=None) -> Run:
    with pytest.raises(KeyboardInterrupt):
        made(observer)
    return made


def interrupt_at(kind: type):
    done: list[object] = []

    def observer(run, event) -> None:
        if isinstance(event, kind) and not done:
            done.append(event)
            raise KeyboardInterrupt

    return observer


KINDS = [events.RunStarted, events.PhaseChanged, events.Token, events.CheckJudged, events.Judged]


def test_an_interrupt_in_mid_stream_is_recorded() -> None:
    made = interrupted(Run(ScriptedModel(KeyboardInterrupt())))
    assert (made.last.status, made.last.stop_reason) == ("interrupted", "interrupted")


def test_an_interrupt_in_mid_stream_keeps_the_text_so_far() -> None:
    made = interrupted(Run(ScriptedModel(KeyboardInterrupt())))
    assert made.last.draft is not None and made.last.draft.text == "```python\n"


def test_an_interrupt_keeps_the_iterations_so_far() -> None:
    made = interrupted(Run(ScriptedModel(answer(1), KeyboardInterrupt())))
    assert (made.last.best, len(made.last.iterations)) == (1, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_an_interrupt_in_the_observer_is_recorded(kind: type) -> None:
    made = interrupted(Run(ScriptedModel(answer(1), answer(1, 2, 3))), interrupt_at(kind))
    assert (made.last.status, made.last.stop_reason) == ("interrupted", "interrupted")


@pytest.mark.parametrize("kind", KINDS)
def test_an_interrupt_in_the_observer_ends_in_one_run_ended(kind: type) -> None:
    made = interrupted(Run(ScriptedModel(answer(1), answer(1, 2, 3))), interrupt_at(kind))
    ends = [event for event in made.events if isinstance(event, events.RunEnded)]
    assert ends == made.events[-1:]


def test_an_interrupt_in_the_observer_closes_the_models_stream() -> None:
    made = interrupted(Run(ScriptedModel(answer(1))), interrupt_at(events.Token))
    assert made.model.closed == 1


def test_an_interrupt_in_the_observer_keeps_the_text_so_far() -> None:
    made = interrupted(Run(ScriptedModel(answer(1))), interrupt_at(events.Token))
    assert made.last.draft is not None and made.last.draft.text == answer(1)[:7]


def test_an_interrupt_at_the_very_end_leaves_the_verdict_alone() -> None:
    made = interrupted(Run(ScriptedModel(answer(1, 2, 3))), interrupt_at(events.RunEnded))
    assert made.last.status == "passed"


def failed(made: Run) -> tuple[Run, ModelError]:
    with pytest.raises(ModelError) as raised:
        made()
    return made, raised.value


def test_a_model_error_in_mid_stream_ends_the_run_as_model_error() -> None:
    made, _ = failed(Run(ScriptedModel(answer(1), ModelUnavailable("gone"))))
    assert (made.last.status, made.last.stop_reason) == ("error", "model_error")


def test_a_model_error_carries_the_trajectory() -> None:
    made, error = failed(Run(ScriptedModel(answer(1), ModelUnavailable("gone"))))
    assert error.trajectory == made.last


def test_a_model_error_keeps_the_text_so_far() -> None:
    made, _ = failed(Run(ScriptedModel(ModelUnavailable("gone"))))
    assert made.last.draft is not None and made.last.draft.text == "```python\n"


def test_an_error_in_the_observer_closes_the_models_stream() -> None:
    def broken(run, event) -> None:
        if isinstance(event, events.Token):
            raise OSError("the display is gone")

    made = Run(ScriptedModel(answer(1)))
    with pytest.raises(OSError, match="display"):
        made(broken)
    assert made.model.closed == 1
