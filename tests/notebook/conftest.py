"""A real kernel with the extension loaded, driven cell by cell."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import psutil
import pytest
from jupyter_client import BlockingKernelClient, KernelManager

from refine_magic.core.types import MIME_TYPE


@dataclass
class Ran:
    """What came of one cell."""

    reply: dict[str, Any] = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message["content"] for message in self.messages if message["msg_type"] == kind]

    @property
    def records(self) -> list[dict[str, Any]]:
        shown = [*self.of("display_data"), *self.of("update_display_data")]
        return [content["data"][MIME_TYPE] for content in shown if MIME_TYPE in content["data"]]

    @property
    def text(self) -> str:
        return "".join(content["text"] for content in self.of("stream"))

    @property
    def inserted(self) -> list[str]:
        return [p["text"] for p in self.reply.get("payload", []) if p["source"] == "set_next_input"]


class Notebook:
    """A kernel in which cells are run as a front end would."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager, self.client = manager, client
        self.process = psutil.Process(manager.provisioner.pid)

    def send(self, code: str, cell_id: str | None = None) -> str:
        message = self.client.session.msg(
            "execute_request",
            {
                "code": code,
                "silent": False,
                "store_history": True,
                "user_expressions": {},
                "allow_stdin": False,
                "stop_on_error": True,
            },
            metadata={"cellId": cell_id} if cell_id else None,
        )
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def listen(self, sent: str, until: Any = None, seconds: float = 60) -> Ran:
        """Collect what a cell sends until it is done, or until a message for which `until` is true."""
        ran, end = Ran(), time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                message = self.client.get_iopub_msg(timeout=0.2)
            except queue.Empty:
                continue
            if message["parent_header"].get("msg_id") != sent:
                continue
            ran.messages.append(message)
            if until is not None and until(ran):
                return ran
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                ran.reply = self.client.get_shell_msg(timeout=10)["content"]
                return ran
        raise TimeoutError("the cell is still running")

    def run(self, code: str, cell_id: str | None = None) -> Ran:
        return self.listen(self.send(code, cell_id))

    def children(self) -> list[psutil.Process]:
        return [child for child in self.process.children(recursive=True) if child.is_running()]


@pytest.fixture(scope="module")
def notebook() -> Iterator[Notebook]:
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    made = Notebook(manager, client)
    assert made.run("%load_ext refine_magic").reply["status"] == "ok"
    yield made
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def refine(notebook: Notebook) -> Any:
    """Return a function that runs a ``%%refine`` cell about ``double`` with a model."""

    def run(
        model: str, arguments: str = "", *, cell_id: str | None = None, checks: str = "assert double(4) == 8"
    ) -> Ran:
        head = f"%%refine p --model {model} {arguments}\n"
        return notebook.run(f"{head}Write double(x), which returns 2 * x.\n---\n{checks}", cell_id)

    return run
