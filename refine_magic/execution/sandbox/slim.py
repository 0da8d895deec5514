"""A Jupyter kernel without what a candidate does not need: no shell of IPython's, no history, completion or debugger.

It answers kernel_info, execute with user expressions, input, interrupt by signal, and shutdown.
Messages: https://jupyter-client.readthedocs.io/en/stable/messaging.html
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import linecache
import os
import platform
import signal
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any

from . import protocol
from .channels import Channels

FLUSH_CHARACTERS = 8192
CONNECT_SECONDS = 5.0


class Stream(io.TextIOBase):
    """Standard output or error: text goes out as stream messages, a piece at a time."""

    def __init__(self, name: str, publish: Callable[[str, dict[str, Any]], None]) -> None:
        """Take the stream's name and how to publish."""
        self.name, self.publish, self.parts, self.size = name, publish, [], 0  # type: ignore[var-annotated]

    def writable(self) -> bool:
        """Tell that it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep the text, and send all that is kept once it is much."""
        self.parts.append(str(text))
        self.size += len(text)
        if self.size > FLUSH_CHARACTERS:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Send what is kept."""
        parts, self.parts, self.size = self.parts, [], 0
        if parts:
            self.publish("stream", {"name": self.name, "text": "".join(parts)})


class SlimKernel:
    """Answers requests one after the other, on the channels that a connection file describes."""

    def __init__(self, connection: dict[str, Any]) -> None:
        """Listen on the channels that have a port. Raises OSError, and ValueError for an unknown signature scheme."""
        self.messages = protocol.Messages(connection["key"].encode(), connection["signature_scheme"])
        self.channels = Channels(connection, "shell", "control", "stdin", "iopub")
        self.heartbeat: Channels | None = Channels(connection, "hb") if connection.get("hb_port") else None
        self.pid = os.getpid()
        self.quiet = bool(connection.get("quiet"))  # a request to execute is over with its reply, and nothing echoes it
        self.parent: dict[str, Any] = {}
        self.asker: bytes | None = None
        self.count, self.executing = 0, False
        self.main = types.ModuleType("__main__")
        self.main.__dict__["__builtins__"] = builtins

    def serve(self) -> None:
        """Answer requests until one says to shut down."""
        sys.modules["__main__"] = self.main
        sys.stdout, sys.stderr = Stream("stdout", self.publish), Stream("stderr", self.publish)
        builtins.input = self.input
        signal.signal(signal.SIGINT, self.interrupt)
        while self.answer(*self.channels.receive("shell", "control")) != "shutdown_request":
            if self.heartbeat is not None:  # nobody listens to it before the first request
                threading.Thread(target=echo, args=(self.heartbeat,), daemon=True).start()
                self.heartbeat = None

    def interrupt(self, *_: Any) -> None:
        """Raise KeyboardInterrupt in what is being executed; there is nothing else to interrupt."""
        if self.channels.busy:
            self.channels.interrupted = True
        elif self.executing:
            raise KeyboardInterrupt

    def answer(self, channel: str, identity: bytes, frames: list[bytes]) -> str:
        """Answer one request, with busy before and idle after; return what kind it was."""
        request = self.messages.read(frames)
        if request is None:
            return ""  # not signed with our key
        self.parent, kind = request.header, request.kind
        quiet = self.quiet and kind == "execute_request"
        if not quiet:
            self.publish("status", {"execution_state": "busy"})
        handler = getattr(self, f"on_{kind}", None)
        if handler is not None:
            reply = handler(request.content, identity)
            if os.getpid() != self.pid:
                os._exit(0)  # a process that the candidate forked, and that came back here
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(Exception):
                    stream.flush()
            self.send(channel, kind.replace("_request", "_reply"), reply, identity)
        if not quiet:
            self.publish("status", {"execution_state": "idle"})
        return kind

    def send(self, channel: str, kind: str, content: dict[str, Any], identity: bytes) -> bool:
        """Send a message to one who asked; return whether it is there."""
        return self.channels.send(channel, identity, self.messages.pack(kind, content, self.parent, []))

    def publish(self, kind: str, content: dict[str, Any]) -> None:
        """Send a message to all who listen."""
        self.channels.publish(self.messages.pack(kind, content, self.parent, [kind.encode()]))

    def on_kernel_info_request(self, content: dict[str, Any], identity: bytes) -> dict[str, Any]:
        """Say what this kernel is."""
        language = {
            "name": "python",
            "version": platform.python_version(),
            "mimetype": "text/x-python",
            "file_extension": ".py",
        }
        return {
            "status": "ok",
            "protocol_version": protocol.VERSION,
            "implementation": "refine-magic-slim",
            "implementation_version": "1",
            "language_info": language,
            "banner": "",
        }

    def on_shutdown_request(self, content: dict[str, Any], identity: bytes) -> dict[str, Any]:
        """Say that this is the end."""
        return {"status": "ok", "restart": content.get("restart", False)}

    def on_interrupt_request(self, content: dict[str, Any], identity: bytes) -> dict[str, Any]:
        """Say that nothing is running: what runs is interrupted by a signal."""
        return {"status": "ok"}

    def on_comm_info_request(self, content: dict[str, Any], identity: bytes) -> dict[str, Any]:
        """Say that there are no comms."""
        return {"status": "ok", "comms": {}}

    def on_is_complete_request(self, content: dict[str, Any], identity: bytes) -> dict[str, Any]:
        """Say that it cannot be told."""
        return {"status": "unknown"}

    def on_execute_request(self, content: dict[str, Any], identity: bytes) -> dict[str, Any]:
        """Execute code, then evaluate the user expressions."""
        self.asker = identity if content.get("allow_stdin") else None
        code = content["code"]
        self.count += bool(code and content.get("store_history", True) and not content.get("silent"))
        try:
            if code:
                if not (content.get("silent") or self.quiet):
                    self.publish("execute_input", {"code": code, "execution_count": self.count})
                with self.interruptible():
                    self.execute(code)
        except BaseException as error:
            failed = described(error)
            if not content.get("silent"):
                self.publish("error", failed)
            return {"status": "error", "execution_count": self.count, **failed}
        expressions = {name: self.evaluate(text) for name, text in content.get("user_expressions", {}).items()}
        return {"status": "ok", "execution_count": self.count, "user_expressions": expressions, "payload": []}

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Do something that an interrupt may end."""
        self.executing = True
        try:
            yield
        finally:
            self.executing = False

    def execute(self, code: str) -> None:
        """Run code as a cell: the value of its last expression is shown."""
        name = f"<cell {self.count}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        tree = ast.parse(code, name)
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, name, "exec", dont_inherit=True), self.main.__dict__)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), self.main.__dict__)
            if value is not None:
                data = {"text/plain": repr(value)}
                self.publish("execute_result", {"execution_count": self.count, "data": data, "metadata": {}})

    def evaluate(self, expression: str) -> dict[str, Any]:
        """Return the value of a user expression in Jupyter's words."""
        try:
            with self.interruptible():
                shown = repr(eval(compile(expression, "<expression>", "eval", dont_inherit=True), self.main.__dict__))
        except BaseException as error:
            return {"status": "error", **described(error)}
        return {"status": "ok", "data": {"text/plain": shown}, "metadata": {}}

    def input(self, prompt: object = "") -> str:
        """Ask the host for a line of text. Raises EOFError where nobody answers."""
        if self.asker is None:
            raise EOFError("no input")
        question = {"prompt": str(prompt), "password": False}
        until = time.monotonic() + CONNECT_SECONDS
        while not self.send("stdin", "input_request", question, self.asker):
            if time.monotonic() > until:
                raise EOFError("who asks does not listen for questions")
            self.channels.listen()  # the connection is on its way
        while True:
            _, _, frames = self.channels.receive("stdin")
            reply = self.messages.read(frames)
            if reply is not None:
                return str(reply.content.get("value", ""))


def echo(heartbeat: Channels) -> None:
    """Give back what comes."""
    while True:
        name, identity, frames = heartbeat.receive("hb")
        heartbeat.send(name, identity, frames)


def described(error: BaseException) -> dict[str, Any]:
    """Return an exception in Jupyter's words."""
    try:
        lines = [line.rstrip("\n") for line in traceback.format_exception(type(error), error, error.__traceback__)]
        text = str(error)
    except Exception as broken:
        lines, text = [], f"<its text raised {type(broken).__name__}>"
    return {"ename": type(error).__name__, "evalue": text, "traceback": lines}
