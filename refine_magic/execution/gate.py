"""Who runs at the same time as whom: many candidates together, or one alone."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Visit:
    """Whether somebody was inside all alone."""

    alone: bool


class Gate:
    """Lets candidates in together, and one alone once the others are out; nobody else goes in while it waits."""

    def __init__(self) -> None:
        """Begin with nobody inside."""
        self._changed = threading.Condition()
        self._inside, self._waiting, self._entries = 0, 0, 0

    @contextmanager
    def together(self) -> Generator[Visit, None, None]:
        """Be inside with others, after all who wait to be alone; tells afterwards whether there were any."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting == 0)
            self._inside, self._entries = self._inside + 1, self._entries + 1
            visit, entry = Visit(alone=self._inside == 1), self._entries
        try:
            yield visit
        finally:
            with self._changed:
                visit.alone = visit.alone and entry == self._entries
                self._inside -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Generator[None, None, None]:
        """Be inside alone."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: self._inside == 0)
            except BaseException:
                self._waiting -= 1
                self._changed.notify_all()
                raise
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside, self._waiting = self._inside - 1, self._waiting - 1
                self._changed.notify_all()
