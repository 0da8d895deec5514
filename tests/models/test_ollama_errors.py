from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from refine_magic.core.errors import ContextOverflow, ModelError, ModelNotFound, ModelUnavailable
from refine_magic.core.protocols import Options
from refine_magic.core.types import Message
from refine_magic.models.ollama import Ollama
from tests.models.server import Fake, line, serve

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "ollama" / "errors_real.jsonl"
ASKED = (Message(role="user", content="Write f."),)
HTML = "<html><body>502 Bad Gateway</body></html>\n"


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serve() as server:
        yield server


def asked(fake: Fake, model: str = "llama3.2") -> ModelError:
    """Ask, and return the error that comes."""
    adapter = Ollama(model, fake.host)
    with pytest.raises(ModelError) as raised:
        list(adapter.generate(ASKED, Options()))
    adapter.close()
    return raised.value


def answered(fake: Fake, status: int, *lines: str) -> ModelError:
    fake.status, fake.lines = status, list(lines)
    return asked(fake)


def body(message: str) -> str:
    return json.dumps({"error": message})


def real() -> list[dict[str, Any]]:
    if not REAL.exists():
        return []
    return [json.loads(text) for text in REAL.read_text(encoding="utf-8").splitlines() if text.strip()]


def written(found: dict[str, Any]) -> list[str]:
    if "body_ndjson" in found:
        return [json.dumps(part) + "\n" for part in found["body_ndjson"]]
    return [found["body_text"] if "body_text" in found else json.dumps(found["body"])]


def named(found: dict[str, Any]) -> str:
    return f"{found['status']} {written(found)[-1].strip()[:60]}"


@pytest.mark.skipif(not REAL.exists(), reason=f"the real error bodies are not there: {REAL}")
@pytest.mark.parametrize("found", real(), ids=named)
def test_every_real_error_is_one_of_ours_in_one_line(fake: Fake, found: dict[str, Any]) -> None:
    words = str(answered(fake, found["status"], *written(found)))
    assert words and "\n" not in words and len(words) < 500


@pytest.mark.skipif(not REAL.exists(), reason=f"the real error bodies are not there: {REAL}")
@pytest.mark.parametrize("found", [each for each in real() if each["status"] == 404], ids=named)
def test_every_real_404_says_how_to_get_the_model(fake: Fake, found: dict[str, Any]) -> None:
    error = answered(fake, 404, *written(found))
    assert isinstance(error, ModelNotFound) and "ollama pull llama3.2" in str(error)


@pytest.mark.parametrize(
    ("message", "kind", "words"),
    [
        ("model 'llama3.2' not found", ModelNotFound, "ollama pull llama3.2"),
        ('model "llama3.2" not found, try pulling it first', ModelNotFound, "ollama pull llama3.2"),
        ("404 page not found", ModelError, "404 page not found"),
    ],
)
def test_a_404_is_a_missing_model_only_where_it_says_so(fake: Fake, message: str, kind: type, words: str) -> None:
    error = answered(fake, 404, body(message))
    assert type(error) is kind and words in str(error)


def test_a_404_page_of_another_server_is_no_missing_model(fake: Fake) -> None:
    assert not isinstance(answered(fake, 404, "404 page not found"), ModelNotFound)


def test_a_busy_server_is_unavailable(fake: Fake) -> None:
    error = answered(fake, 503, body("server busy, please try again.  maximum pending requests exceeded"))
    assert isinstance(error, ModelUnavailable) and "busy" in str(error)


@pytest.mark.parametrize(
    "message",
    [
        "the prompt is longer than the context length currently available to the model; shorten the prompt",
        "the input length exceeds the context length",
        "prompt too long; exceeded max context length by 5 tokens",
    ],
)
def test_a_prompt_that_is_too_long_is_a_context_overflow(fake: Fake, message: str) -> None:
    error = answered(fake, 400, body(message))
    assert isinstance(error, ContextOverflow) and "--context-tokens" in str(error)


def test_too_little_memory_names_a_smaller_model(fake: Fake) -> None:
    message = "model requires more system memory (5.3 GiB) than is available (3.3 GiB)"
    error = answered(fake, 500, body(message))
    assert isinstance(error, ModelUnavailable) and "ollama pull llama3.2:1b" in str(error)


def test_any_other_error_is_quoted(fake: Fake) -> None:
    assert "llama runner process has terminated" in str(
        answered(fake, 500, body("llama runner process has terminated: exit status 2"))
    )


def test_an_error_line_in_the_stream_is_an_error(fake: Fake) -> None:
    error = answered(fake, 200, line("par", done=False), body("mid-stream error") + "\n")
    assert type(error) is ModelError and "mid-stream error" in str(error)


@pytest.mark.parametrize("strange", [HTML, "[]\n", "5\n", '"text"\n', '{"message": 5}\n', "\n", "null\n"])
def test_a_line_in_the_stream_that_is_not_ollamas_is_unavailable(fake: Fake, strange: str) -> None:
    error = answered(fake, 200, line("par", done=False), strange)
    assert isinstance(error, ModelUnavailable) and "is not Ollama" in str(error)


@pytest.mark.parametrize("status", [400, 404, 500, 502])
@pytest.mark.parametrize("text", [HTML, "", "[]", "5", '{"error": null}', '{"error": {"a": 1}}', "\n"])
def test_any_body_of_an_error_is_one_of_our_errors(fake: Fake, status: int, text: str) -> None:
    assert str(answered(fake, status, text))


def test_a_connection_that_drops_in_mid_stream_is_unavailable(fake: Fake) -> None:
    fake.dropped = True
    assert isinstance(answered(fake, 200, line("par", done=False)), ModelUnavailable)


def test_a_stream_that_ends_without_its_last_line_is_unavailable(fake: Fake) -> None:
    assert isinstance(answered(fake, 200, line("par", done=False)), ModelUnavailable)


def test_an_empty_stream_is_unavailable(fake: Fake) -> None:
    assert isinstance(answered(fake, 200), ModelUnavailable)


def nobody() -> Ollama:
    """A model of a server that does not run: its port was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return Ollama("llama3.2", f"127.0.0.1:{probe.getsockname()[1]}")


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.is_loaded(),
        lambda model: model.installed(),
        lambda model: model.version(),
        lambda model: list(model.generate(ASKED, Options())),
    ],
    ids=["is_loaded", "installed", "version", "generate"],
)
def test_a_server_that_does_not_run_says_how_to_start_it(ask) -> None:
    with pytest.raises(ModelUnavailable, match="ollama serve"):
        ask(nobody())
