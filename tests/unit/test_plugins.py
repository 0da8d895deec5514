from __future__ import annotations

import pytest

from refine_magic import plugins
from refine_magic.core.errors import PluginError, ReplayError
from refine_magic.models import demo
from refine_magic.models.ollama import Ollama


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("llama3.2", "ollama:llama3.2"),
        ("llama3.2:1b", "ollama:llama3.2:1b"),
        ("llama3.1:8b-instruct-q4_K_M", "ollama:llama3.1:8b-instruct-q4_K_M"),
        ("llama3.2:latest", "ollama:llama3.2:latest"),
        ("ollama:llama3.2:1b", "ollama:llama3.2:1b"),
        ("ollama", "ollama:llama3.2"),
        ("  llama3.2  ", "ollama:llama3.2"),
        ("hf.co/user/Llama-GGUF:Q4_K_M", "ollama:hf.co/user/Llama-GGUF:Q4_K_M"),
        ("user/llama:mine", "ollama:user/llama:mine"),
        ("ollama:llama3.2@http://box:1", "ollama:llama3.2"),
        ("llama3@http://box:1", "ollama:llama3"),
    ],
)
def test_a_spec_string_opens_its_model(spec: str, name: str) -> None:
    assert plugins.open_model(spec).name == name


def test_a_spec_string_can_name_the_host() -> None:
    model = plugins.open_model("llama3@http://box:1")
    assert isinstance(model, Ollama) and model.host == "http://box:1"


@pytest.mark.parametrize("spec", ["", "  ", ":x"])
def test_an_empty_spec_string_lists_the_models(spec: str) -> None:
    with pytest.raises(PluginError, match=r"demo, .*ollama, .*replay"):
        plugins.open_model(spec)


def test_an_unknown_adapter_lists_those_there_are() -> None:
    with pytest.raises(PluginError, match=r"no model 'nosuch'; there are: .*ollama"):
        plugins.open_model("nosuch:thing")


@pytest.mark.parametrize("opener", [plugins.open_strategy, plugins.open_feedback])
def test_an_unknown_name_is_a_plugin_error(opener) -> None:
    with pytest.raises(PluginError, match="there is no"):
        opener("nosuch")


@pytest.mark.parametrize("name", ["tests", "single"])
def test_a_strategy_is_opened_by_its_name(name: str) -> None:
    assert plugins.open_strategy(name).name == name


@pytest.mark.parametrize("name", ["annotated", "raw"])
def test_a_feedback_is_opened_by_its_name(name: str) -> None:
    assert plugins.open_feedback(name).name == name


@pytest.mark.parametrize("group", sorted(plugins.KINDS))
def test_every_group_has_something_in_it(group: str) -> None:
    assert plugins.available(group)


def test_single_proposes_one_candidate() -> None:
    assert plugins.open_strategy("single").max_iterations == 1


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ([], None),
        (["mistral:7b"], None),
        (["llama2:7b", "llama3.1:8b"], "llama3.1:8b"),
        (["llama3.2:3b", "llama3.2:1b", "llama3.1:8b"], "llama3.2:1b"),
    ],
)
def test_the_demo_prefers_the_newest_small_llama(names: list[str], chosen: str | None) -> None:
    assert demo.choose_llama(names) == chosen


def test_the_demo_plays_its_tape_where_no_server_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    assert plugins.open_model("demo").name == "replay:fibonacci (scripted, no model ran)"


def test_the_demo_plays_its_tape_where_the_host_is_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "localhost:nonsense")
    assert plugins.open_model("demo").name.startswith("replay:")


def test_a_tape_that_is_not_shipped_is_refused_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    with pytest.raises(ReplayError, match=r"no tape 'nosuch'; there are: fibonacci"):
        plugins.open_model("demo:nosuch")
