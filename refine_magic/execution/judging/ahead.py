"""The calls of checks that the host judges, sent before their turn: the kernel works on while the host compares."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from refine_magic.execution.judging.plan import Plan

WINDOW = 8  # so many results at most, each as large as a message may be, wait in the host's memory


class Ahead:
    """Keeps a few calls on their way, in the order in which their answers are wanted."""

    def __init__(
        self, tasks: Sequence[Any], submit: Callable[[str], str], is_plan: Callable[[Any], bool], window: int = WINDOW
    ) -> None:
        """Take the checks in order: those before the first that the host cannot judge alone go ahead.

        `window` calls at most are on their way at once.
        """
        plans: list[Plan] = list(takewhile(is_plan, tasks))
        self.checks = {plan.check_id for plan in plans}
        self._left = deque(str(call) for plan in plans for call in plan.calls)
        self._sent: deque[str] = deque()
        self._submit, self._window = submit, window

    def next(self) -> str:
        """Return the request whose answer is wanted next. Raises KernelEnded."""
        while self._left and len(self._sent) < self._window:
            self._sent.append(self._submit(self._left.popleft()))
        return self._sent.popleft()
