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
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable
from typing import Any

import zmq

from . import protocol

FLUSH_CHARACTERS = 8192
CONNECT_SECONDS = 5.0
CHANNELS = {"shell": zmq.ROUTER, "control": zmq.ROUTER, "stdin": zmq.ROUTER, "iopub": zmq.PUB}


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
        """Bind the channels. Raises zmq.ZMQError, and ValueError for a signature scheme that there is not."""
        self.messages = protocol.Messages(connection["key"].encode(), connection["signature_scheme"])
        self.pid = os.getpid()
        self.context = zmq.Context()
        between = "-" if connection["transport"] == "ipc" else ":"
        address = f"{connection['transport']}://{connection['ip']}{between}"
        self.sockets: dict[str, Any] = {}
        for name, kind in CHANNELS.items():
            self.sockets[name] = self.bind(kind, f"{address}{connection[name + '_port']}")
        self.sockets["stdin"].router_mandatory = True  # else a question to who is not there yet is dropped in silence
        self.heartbeat = self.bind(zmq.ROUTER, f"{address}{connection['hb_port']}")
        self.parent: dict[str, Any] = {}
        self.asker: list[bytes] | None = None
        self.count = 0
        self.main = types.ModuleType("__main__")
        self.main.__dict__["__builtins__"] = builtins

    def bind(self, kind: int, address: str) -> Any:
        """Return a bound socket."""
        made = self.context.socket(kind)
        made.linger = 0
        made.sndhwm = made.rcvhwm = 0  # nothing is dropped: a lost `idle` would be waited for in vain
        made.bind(address)
        return made

    def serve(self) -> None:
        """Answer requests until one says to shut down."""
        sys.modules["__main__"] = self.main
        sys.stdout, sys.stderr = Stream("stdout", self.publish), Stream("stderr", self.publish)
        builtins.input = self.input
        poller = zmq.Poller()
        for name in ("shell", "control"):
            poller.register(self.sockets[name], zmq.POLLIN)
        while True:
            try:
                for channel, _ in poll(poller):
                    if self.answer(channel) == "shutdown_request":
                        return
                if self.heartbeat is not None:  # nobody listens to it before the first request
                    threading.Thread(target=echo, args=(self.heartbeat,), daemon=True).start()
                    self.heartbeat = None
            except KeyboardInterrupt:
                continue  # an interrupt that comes between two requests has nothing to interrupt

    def answer(self, channel: Any) -> str:
        """Answer one request, with busy before and idle after; return what kind it was."""
        request = self.messages.read(channel.recv_multipart())
        if request is None:
            return ""  # not signed with our key
        self.parent, kind, identities = request.header, request.kind, request.identities
        self.publish("status", {"execution_state": "busy"})
        handler = getattr(self, f"on_{kind}", None)
        if handler is not None:
            reply = handler(request.content, identities)
            if os.getpid() != self.pid:
                os._exit(0)  # a process that the candidate forked, and that came back here
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(Exception):
                    stream.flush()
            self.send(channel, kind.replace("_request", "_reply"), reply, identities)
        self.publish("status", {"execution_state": "idle"})
        return kind

    def send(self, channel: Any, kind: str, content: dict[str, Any], identities: list[bytes]) -> None:
        """Send a message to one who asked."""
        channel.send_multipart(self.messages.pack(kind, content, self.parent, identities))

    def publish(self, kind: str, content: dict[str, Any]) -> None:
        """Send a message to all who listen."""
        self.send(self.sockets["iopub"], kind, content, [kind.encode()])

    def on_kernel_info_request(self, content: dict[str, Any], identities: list[bytes]) -> dict[str, Any]:
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

    def on_shutdown_request(self, content: dict[str, Any], identities: list[bytes]) -> dict[str, Any]:
        """Say that this is the end."""
        return {"status": "ok", "restart": content.get("restart", False)}

    def on_interrupt_request(self, content: dict[str, Any], identities: list[bytes]) -> dict[str, Any]:
        """Say that nothing is running: what runs is interrupted by a signal."""
        return {"status": "ok"}

    def on_comm_info_request(self, content: dict[str, Any], identities: list[bytes]) -> dict[str, Any]:
        """Say that there are no comms."""
        return {"status": "ok", "comms": {}}

    def on_is_complete_request(self, content: dict[str, Any], identities: list[bytes]) -> dict[str, Any]:
        """Say that it cannot be told."""
        return {"status": "unknown"}

    def on_execute_request(self, content: dict[str, Any], identities: list[bytes]) -> dict[str, Any]:
        """Execute code, then evaluate the user expressions."""
        self.asker = identities if content.get("allow_stdin") else None
        code = content["code"]
        self.count += bool(code and content.get("store_history", True) and not content.get("silent"))
        try:
            if code:
                if not content.get("silent"):
                    self.publish("execute_input", {"code": code, "execution_count": self.count})
                self.execute(code)
        except BaseException as error:
            failed = described(error)
            if not content.get("silent"):
                self.publish("error", failed)
            return {"status": "error", "execution_count": self.count, **failed}
        expressions = {name: self.evaluate(text) for name, text in content.get("user_expressions", {}).items()}
        return {"status": "ok", "execution_count": self.count, "user_expressions": expressions, "payload": []}

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
            shown = repr(eval(compile(expression, "<expression>", "eval", dont_inherit=True), self.main.__dict__))
        except BaseException as error:
            return {"status": "error", **described(error)}
        return {"status": "ok", "data": {"text/plain": shown}, "metadata": {}}

    def input(self, prompt: object = "") -> str:
        """Ask the host for a line of text. Raises EOFError where nobody answers."""
        if self.asker is None:
            raise EOFError("no input")
        stdin = self.sockets["stdin"]
        question = self.messages.pack(
            "input_request", {"prompt": str(prompt), "password": False}, self.parent, self.asker
        )
        until = time.monotonic() + CONNECT_SECONDS
        while True:
            try:
                stdin.send_multipart(question)
                break
            except zmq.ZMQError as error:  # who asks has not connected yet
                if error.errno != zmq.EHOSTUNREACH or time.monotonic() > until:
                    raise
                time.sleep(0.0005)
        while True:
            reply = self.messages.read(stdin.recv_multipart())
            if reply is not None:
                return str(reply.content.get("value", ""))


def poll(poller: zmq.Poller) -> list[tuple[Any, int]]:
    """Wait for requests."""
    return poller.poll()


def echo(heartbeat: Any) -> None:
    """Give back what comes, for as long as there is a context."""
    with contextlib.suppress(zmq.ZMQError):
        zmq.proxy(heartbeat, heartbeat)


def described(error: BaseException) -> dict[str, Any]:
    """Return an exception in Jupyter's words."""
    try:
        lines = [line.rstrip("\n") for line in traceback.format_exception(type(error), error, error.__traceback__)]
        text = str(error)
    except Exception as broken:
        lines, text = [], f"<its text raised {type(broken).__name__}>"
    return {"ename": type(error).__name__, "evalue": text, "traceback": lines}
