from __future__ import annotations

import pytest

from refine_magic.core.errors import ModelUnavailable
from refine_magic.models.ollama import Ollama, host_url, open_model, with_tag

HOSTS = [
    ("", "http://localhost:11434"),
    ("  ", "http://localhost:11434"),
    ("box", "http://box:11434"),
    ("box:8080", "http://box:8080"),
    (":8080", "http://localhost:8080"),
    ("10.0.0.5", "http://10.0.0.5:11434"),
    ("0.0.0.0", "http://127.0.0.1:11434"),
    ("0.0.0.0:8080", "http://127.0.0.1:8080"),
    ("http://0.0.0.0:11434", "http://127.0.0.1:11434"),
    ("http://box", "http://box:80"),
    ("http://box:8080", "http://box:8080"),
    ("https://box", "https://box:443"),
    ("https://box:8443", "https://box:8443"),
    ("https://box/ollama/", "https://box:443/ollama"),
    ("box:8080/ollama", "http://box:8080/ollama"),
    ("http://box:11434/", "http://box:11434"),
    ("[::1]", "http://[::1]:11434"),
    ("[::1]:8080", "http://[::1]:8080"),
    ("::1", "http://[::1]:11434"),
    ("::", "http://127.0.0.1:11434"),
    ("[::]:8080", "http://127.0.0.1:8080"),
    ("http://[fe80::1]:8080", "http://[fe80::1]:8080"),
    ('"box:8080"', "http://box:8080"),
    (" 'box' ", "http://box:11434"),
]


@pytest.mark.parametrize(("given", "url"), HOSTS)
def test_a_host_in_any_form_is_understood(given: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    assert host_url(given) == url


@pytest.mark.parametrize(("given", "url"), HOSTS)
def test_the_environment_is_understood_in_the_same_way(given: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", given)
    assert host_url() == url


def test_the_host_that_is_given_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "elsewhere")
    assert host_url("box") == "http://box:11434"


@pytest.mark.parametrize("given", ["box:port", "http://box:99999", "http://[::1"])
def test_an_address_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(ModelUnavailable, match="no address of an Ollama server"):
        host_url(given)


def test_the_spec_string_can_name_the_host() -> None:
    model = open_model("llama3.2:1b@box:8080")
    assert (model.model, model.host) == ("llama3.2:1b", "http://box:8080")


def test_making_a_model_connects_to_nothing() -> None:
    assert Ollama("llama3.2", "http://127.0.0.1:1").name == "ollama:llama3.2"


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("llama3.2", "llama3.2:latest"),
        ("llama3.2:1b", "llama3.2:1b"),
        ("box:5000/me/llama", "box:5000/me/llama:latest"),
    ],
)
def test_a_name_without_a_tag_means_latest(name: str, full: str) -> None:
    assert with_tag(name) == full
