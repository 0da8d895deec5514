from __future__ import annotations

from collections.abc import Iterator

import pytest

from refine_magic.core.errors import ContextOverflow, ModelUnavailable
from refine_magic.core.protocols import Options
from refine_magic.core.types import Message
from refine_magic.models.ollama import Ollama
from refine_magic.testing import fenced
from tests.models.server import Fake, chat, line, serve
from tests.unit.samples import Run, answer, code

ASKED = (Message(role="system", content="s"), Message(role="user", content="Write f."))


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serve() as server:
        yield server


@pytest.fixture
def model(fake: Fake) -> Iterator[Ollama]:
    made = Ollama("llama3.2", fake.host)
    yield made
    made.close()


def sent(fake: Fake, model: Ollama, **options: object) -> dict[str, object]:
    list(model.generate(ASKED, Options.model_validate(options)))
    return fake.requests[-1]


def test_the_pieces_come_as_they_are_written(model: Ollama) -> None:
    assert list(model.generate(ASKED, Options())) == ["Hel", "lo"]


def test_the_cost_of_a_reply_is_what_the_server_says(model: Ollama) -> None:
    stream = model.generate(ASKED, Options())
    list(stream)
    usage = stream.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.finish_reason, usage.estimated) == (
        26,
        3,
        "stop",
        False,
    )


def test_durations_are_seconds(model: Ollama) -> None:
    stream = model.generate(ASKED, Options())
    list(stream)
    usage = stream.usage
    assert (usage.load_seconds, usage.prompt_seconds, usage.generation_seconds) == pytest.approx((2.0, 0.5, 1.5))


def test_a_reply_cut_off_by_its_length_says_so(fake: Fake, model: Ollama) -> None:
    fake.lines = chat("def", done_reason="length")
    stream = model.generate(ASKED, Options())
    list(stream)
    assert stream.usage.finish_reason == "length"


def test_an_old_server_without_a_reason_is_believed_to_have_finished(fake: Fake, model: Ollama) -> None:
    fake.lines = chat("def", done_reason=None)
    stream = model.generate(ASKED, Options())
    list(stream)
    assert stream.usage.finish_reason == "stop"


def test_the_context_size_is_always_sent(fake: Fake, model: Ollama) -> None:
    options = sent(fake, model, context_tokens=4096, reply_tokens=77, temperature=0.5, seed=9)["options"]
    assert options == {"num_ctx": 4096, "num_predict": 77, "temperature": 0.5, "seed": 9}


def test_the_messages_are_sent_as_they_are(fake: Fake, model: Ollama) -> None:
    assert sent(fake, model)["messages"] == [message.model_dump() for message in ASKED]


def test_the_reply_is_streamed(fake: Fake, model: Ollama) -> None:
    assert sent(fake, model)["stream"] is True


def test_a_json_schema_is_sent_as_the_format(fake: Fake, model: Ollama) -> None:
    assert sent(fake, model, json_schema={"type": "object"})["format"] == {"type": "object"}


def test_the_problem_and_the_request_number_are_not_sent(fake: Fake, model: Ollama) -> None:
    assert "secret" not in str(sent(fake, model, problem="secret", request=3))


def test_closing_early_stops_the_servers_work(fake: Fake, model: Ollama) -> None:
    fake.endless, fake.lines = True, [line("x" * 1000, done=False)]
    stream = model.generate(ASKED, Options())
    next(iter(stream))
    stream.close()
    assert fake.broken.wait(5)


def test_the_cost_of_a_reply_closed_early_is_estimated(fake: Fake, model: Ollama) -> None:
    fake.endless, fake.lines = True, [line("x", done=False)]
    stream = model.generate(ASKED, Options())
    next(iter(stream))
    stream.close()
    assert (stream.usage.estimated, stream.usage.completion_tokens, stream.usage.finish_reason) == (True, 1, "closed")


def test_the_model_can_be_asked_again_after_closing_early(fake: Fake, model: Ollama) -> None:
    stream = model.generate(ASKED, Options())
    next(iter(stream))
    stream.close()
    assert list(model.generate(ASKED, Options())) == ["Hel", "lo"]


def test_closing_twice_is_harmless(model: Ollama) -> None:
    list(model.generate(ASKED, Options()))
    model.close()
    model.close()


@pytest.mark.parametrize(
    ("running", "loaded"), [([], False), (["llama3.2:latest"], True), (["llama3.2:1b"], False), (["mistral"], False)]
)
def test_a_model_is_loaded_when_the_server_runs_it(fake: Fake, model: Ollama, running: list[str], loaded: bool) -> None:
    fake.models = running
    assert model.is_loaded() is loaded


def test_the_installed_models_are_named(fake: Fake, model: Ollama) -> None:
    fake.models = ["llama3.2:1b", "mistral:7b"]
    assert model.installed() == ["llama3.2:1b", "mistral:7b"]


def test_the_server_says_its_version(model: Ollama) -> None:
    assert model.version() == "0.13.5"


def test_a_proxy_is_not_used_for_this_machine(model: Ollama, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert list(model.generate(ASKED, Options())) == ["Hel", "lo"]


def test_a_prompt_that_cannot_fit_is_refused_before_it_is_sent(fake: Fake, model: Ollama) -> None:
    with pytest.raises(ContextOverflow, match="--context-tokens"):
        model.generate((Message(role="user", content="x" * 30_000),), Options(context_tokens=8192))
    assert fake.requests == []


def test_a_run_sends_the_same_context_size_with_every_request(fake: Fake, model: Ollama) -> None:
    fake.lines = chat(answer(1))
    Run(model, context_tokens=2048)()
    sizes = [request["options"]["num_ctx"] for request in fake.requests]
    assert len(sizes) > 2 and set(sizes) == {2048}


def test_a_run_with_a_server_passes(fake: Fake, model: Ollama) -> None:
    fake.lines = chat(*fenced(code(1, 2, 3)).splitlines(keepends=True), "Now let me explain.")
    made = Run(model)
    made()
    assert made.last.status == "passed"


def test_a_run_whose_server_goes_away_ends_as_model_error(fake: Fake, model: Ollama) -> None:
    fake.lines, fake.dropped = [line("```python\ndef", done=False)], True
    made = Run(model)
    with pytest.raises(ModelUnavailable) as raised:
        made()
    assert raised.value.trajectory is not None and raised.value.trajectory.stop_reason == "model_error"
