"""Llama models served by Ollama, through its own Python client."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from refine_magic.core.errors import ContextOverflow, ModelError, ModelNotFound, ModelTimeout, ModelUnavailable
from refine_magic.core.protocols import Options, Stream
from refine_magic.core.types import Message, Usage
from refine_magic.models.stream import Pieces, TextStream

if TYPE_CHECKING:
    import ollama

PORT = 11434
READ_SECONDS = 300.0  # headers come only after the model is loaded
KEEP_ALIVE = "10m"
NANO = 1e-9
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def host_url(given: str | None = None) -> str:
    """Return the server's address: the one given, else OLLAMA_HOST, which may lack scheme or port, else the default.

    Raises ModelUnavailable for an address that is none.
    """
    text = (given or os.environ.get("OLLAMA_HOST") or "").strip().strip("\"'")
    whole = text if "://" in text else f"http://{f'[{text}]' if is_ipv6(text) else text or 'localhost'}"
    try:
        parts = urlsplit(whole)
        port = parts.port or {"https": 443}.get(parts.scheme, PORT if "://" not in text else 80)
    except ValueError as error:
        raise ModelUnavailable(f"{text!r} is no address of an Ollama server: {error}; see OLLAMA_HOST") from error
    name = parts.hostname or "localhost"
    name = "127.0.0.1" if name in ("0.0.0.0", "::") else name
    return f"{parts.scheme}://{f'[{name}]' if ':' in name else name}:{port}{parts.path.rstrip('/')}"


def is_ipv6(text: str) -> bool:
    """Tell whether a text is an IPv6 address without brackets."""
    return text.count(":") > 1 and not text.startswith("[")


def connect(host: str) -> ollama.Client:
    """Return a client; a server on this machine is never reached through a proxy. Raises ModelUnavailable."""
    try:
        import ollama  # builds a client at import, which fails under some proxy settings
        from httpx import Timeout
    except ImportError as error:
        raise ModelUnavailable(
            f"the ollama client cannot be used: {error}; unset ALL_PROXY, or install httpx[socks]"
        ) from error
    local = urlsplit(host).hostname in LOOPBACK
    return ollama.Client(host=host, trust_env=not local, timeout=Timeout(READ_SECONDS, connect=5.0))


class Ollama:
    """A model of an Ollama server; `host` falls back to OLLAMA_HOST and then to this machine."""

    def __init__(self, model: str, host: str | None = None) -> None:
        """Connect to nothing yet: errors come with the first request."""
        self.model, self.host = model or "llama3.2", host_url(host)
        self._client: ollama.Client | None = None

    @property
    def name(self) -> str:
        """The model as the user would name it."""
        return f"ollama:{self.model}"

    @property
    def client(self) -> ollama.Client:
        """The client, made at first use."""
        if self._client is None:
            self._client = connect(self.host)
        return self._client

    def is_loaded(self) -> bool:
        """Tell whether the server holds the model in memory. Raises ModelUnavailable."""
        with self.explained():
            running = self.client.ps().models
        return any(with_tag(model.model or "") == with_tag(self.model) for model in running)

    def installed(self) -> list[str]:
        """Return the names of the server's models. Raises ModelUnavailable."""
        with self.explained():
            return [model.model for model in self.client.list().models if model.model]

    def version(self) -> str:
        """Return the server's version. Raises ModelUnavailable."""
        import httpx

        with self.explained():
            local = urlsplit(self.host).hostname in LOOPBACK
            reply = httpx.get(f"{self.host}/api/version", trust_env=not local, timeout=5.0).raise_for_status()
            return str(reply.json()["version"])

    def generate(self, messages: Sequence[Message], options: Options) -> Stream:
        """Start a reply; closing it stops the server's work. Raises ModelError."""
        size = sum(len(message.content) for message in messages)
        self.check_room(size, options)
        return TextStream(lambda stream: self.stream(stream, messages, options), size)

    def stream(self, stream: TextStream, messages: Sequence[Message], options: Options) -> Pieces:
        """Yield the pieces of a reply and take down its cost."""
        with self.explained():
            replies = self.client.chat(
                model=self.model,
                messages=[message.model_dump() for message in messages],
                stream=True,
                format=options.json_schema,
                keep_alive=KEEP_ALIVE,
                options={
                    "num_ctx": options.context_tokens,
                    "num_predict": options.reply_tokens,
                    "temperature": options.temperature,
                    "seed": options.seed,
                },
            )
            with closing(cast("Generator[ollama.ChatResponse]", replies)):
                for reply in replies:
                    if reply.message.content:
                        yield reply.message.content
                    if reply.done:
                        stream.finish(usage_of(reply))
                        return
            raise ModelUnavailable(f"Ollama at {self.host} ended its reply in the middle; see its log, then try again")

    def check_room(self, characters: int, options: Options) -> None:
        """Raise ContextOverflow where prompt and reply cannot fit: Ollama would drop messages and say nothing.

        At three characters a token, which is more tokens than code usually has.
        """
        tokens = characters // 3
        if tokens + options.reply_tokens > options.context_tokens:
            raise ContextOverflow(
                f"the prompt has about {tokens} tokens, and {options.reply_tokens} for the reply do not fit into "
                f"{options.context_tokens}; use a larger --context-tokens, or a shorter prompt"
            )

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn every error of the client into one of ours, with the command that mends it."""
        import httpx

        try:
            yield
        except ModelError:
            raise
        except (ConnectionError, httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise ModelUnavailable(f"no Ollama answers at {self.host}; start it with 'ollama serve'") from error
        except httpx.TimeoutException as error:
            raise ModelTimeout(f"Ollama at {self.host} said nothing for {READ_SECONDS:.0f} s") from error
        except httpx.HTTPError as error:
            raise ModelUnavailable(
                f"the connection to Ollama at {self.host} broke ({error}); is it still running?"
            ) from error
        except Exception as error:
            raise self.explain(error) from error

    def explain(self, error: Exception) -> ModelError:
        """Return our error for one that the server, or something that took its place, answered with."""
        status, said = getattr(error, "status_code", None), str(getattr(error, "error", error)).strip()
        first, text = said.splitlines()[0][:300] if said else type(error).__name__, said.lower()
        if isinstance(error, (ValueError, AttributeError, TypeError)):
            return ModelUnavailable(f"what answers at {self.host} is not Ollama, or a proxy before it: {first}")
        if status == 404 and "model" in text and "not found" in text:
            return ModelNotFound(f"Ollama has no model {self.model!r}; get it with 'ollama pull {self.model}'")
        if status == 503:
            return ModelUnavailable(f"Ollama at {self.host} is busy: {first}; try again in a moment")
        if "context" in text and any(words in text for words in ("exceed", "too long", "longer than")):
            return ContextOverflow(f"the prompt does not fit: {first}; use a larger --context-tokens")
        if "more system memory" in text:
            return ModelUnavailable(f"{first}; use a smaller model, such as 'ollama pull llama3.2:1b'")
        return ModelError(f"Ollama at {self.host} said: {first}")

    def close(self) -> None:
        """Close the client's connections."""
        inner: Any = getattr(self._client, "_client", None)
        if inner is not None:
            inner.close()
        self._client = None


def with_tag(name: str) -> str:
    """Return a model's name with its tag; none means ``latest``."""
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def usage_of(reply: ollama.ChatResponse) -> Usage:
    """Return what the last line of a reply says it cost."""
    return Usage(
        prompt_tokens=reply.prompt_eval_count or 0,
        completion_tokens=reply.eval_count or 0,
        load_seconds=(reply.load_duration or 0) * NANO,
        prompt_seconds=(reply.prompt_eval_duration or 0) * NANO,
        generation_seconds=(reply.eval_duration or 0) * NANO,
        finish_reason=reply.done_reason or "stop",
    )


def open_model(argument: str) -> Ollama:
    """Return the model for ``ollama:NAME`` or ``ollama:NAME@HOST``."""
    model, _, host = argument.partition("@")
    return Ollama(model, host or None)
