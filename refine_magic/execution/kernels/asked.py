"""What every kernel is asked in the same way, wherever it runs."""

from __future__ import annotations

import time
from typing import Any

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.conversation import Conversation, OnInput, OnStream
from refine_magic.execution.kernels.install import modules_code, start_code
from refine_magic.execution.limits import Limits


class Asked:
    """A kernel that has a conversation with us; `inside` are the modules of ours that it came with."""

    limits: Limits
    conversation: Conversation
    inside: frozenset[str] = frozenset()

    def install_harness(self) -> None:
        """Bring our harness into the kernel. Raises KernelStartError where it cannot be, as in another language."""
        until = time.monotonic() + self.limits.start_seconds
        code = modules_code() + start_code(self.limits)
        reply = self.execute(code, {}, until, lambda name, text: None)
        if reply.get("status") != "ok":
            raise KernelStartError(f"it cannot run Python: {str(reply.get('evalue', 'no reason given'))[:200]}")

    def execute(
        self,
        code: str,
        expressions: dict[str, str],
        deadline: float,
        on_stream: OnStream,
        on_input: OnInput | None = None,
    ) -> dict[str, Any]:
        """Execute code and evaluate expressions, and return the reply's content; `deadline` is monotonic seconds.

        With `on_input` the code may call ``input(prompt)``, and is answered with what that returns for the prompt.
        Raises KernelEnded, DeadlinePassed and TooMuchOutput, and what `on_input` raises.
        """
        return self.result(self.submit(code, expressions, on_stream, on_input), deadline)

    def submit(
        self, code: str, expressions: dict[str, str], on_stream: OnStream, on_input: OnInput | None = None
    ) -> str:
        """Have code executed after all that was submitted before; return what to ask `result` for.

        Raises KernelEnded.
        """
        content = {
            "code": code,
            "silent": False,
            "store_history": False,
            "user_expressions": expressions,
            "allow_stdin": on_input is not None,
            "stop_on_error": False,
        }
        return self.conversation.send("execute_request", content, on_stream, on_input)

    def result(self, request: str, deadline: float) -> dict[str, Any]:
        """Wait for the reply to a request, and return its content.

        Raises KernelEnded, DeadlinePassed and TooMuchOutput, and what the request's `on_input` raises.
        """
        return self.conversation.receive(request, deadline)
