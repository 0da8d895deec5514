"""A small server on this machine that plays Ollama, as far as a test says what it should answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LAST = {
    "done": True,
    "done_reason": "stop",
    "prompt_eval_count": 26,
    "eval_count": 3,
    "load_duration": 2_000_000_000,
    "prompt_eval_duration": 500_000_000,
    "eval_duration": 1_500_000_000,
}


def line(content: str = "", **fields: Any) -> str:
    message = {"role": "assistant", "content": content}
    return json.dumps({"model": "llama3.2", "created_at": "2025-01-01T00:00:00Z", "message": message, **fields}) + "\n"


def chat(*pieces: str, **last: Any) -> list[str]:
    return [*(line(piece, done=False) for piece in pieces), line(**{**LAST, **last})]


class Fake:
    """What the server answers, and what it was asked; `endless` writes its lines for ever, `dropped` breaks off."""

    def __init__(self) -> None:
        self.status, self.lines = 200, chat("Hel", "lo")
        self.endless = self.dropped = False
        self.models: list[str] = []
        self.requests: list[dict[str, Any]] = []
        self.written = 0
        self.broken = threading.Event()
        self.host = ""


def handler(fake: Fake) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None: ...

        def do_GET(self) -> None:
            models = [{"model": name, "name": name} for name in fake.models]
            self.reply(json.dumps({"version": "0.13.5", "models": models}).encode())

        def do_POST(self) -> None:
            fake.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            if fake.status != 200:
                self.reply("".join(fake.lines).encode(), fake.status)
                return
            self.send_response(200)
            self.send_header("Content-Type", "application/x-ndjson")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                self.stream()
            except OSError:
                fake.broken.set()
                self.close_connection = True

        def stream(self) -> None:
            while True:
                for text in fake.lines:
                    data = text.encode()
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                    self.wfile.flush()
                    fake.written += 1
                if not fake.endless:
                    break
            if fake.dropped:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

        def reply(self, body: bytes, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


@contextmanager
def serve() -> Iterator[Fake]:
    """Yield a server that runs in a thread of its own until the end of the block."""
    fake = Fake()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(fake))
    server.daemon_threads = True
    fake.host = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
