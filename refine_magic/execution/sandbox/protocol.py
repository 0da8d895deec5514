"""Jupyter's messages on the wire: signed JSON frames, as a kernel sends and reads them.

https://jupyter-client.readthedocs.io/en/stable/messaging.html#the-wire-protocol. `jupyter_client.session` does the
same, but brings 270 modules along, and of each that it touches a forked kernel copies pages: without it a kernel's
start takes two thirds of the CPU time.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

VERSION = "5.3"
DELIMITER = b"<IDS|MSG>"


@dataclass(frozen=True)
class Message:
    """A message that was read: who sent it, its header, its kind, the id of the request it belongs to, what it says."""

    identities: list[bytes]
    header: dict[str, Any]
    kind: str
    request: str
    content: dict[str, Any]


class Messages:
    """Packs and reads messages under one key."""

    def __init__(self, key: bytes, scheme: str) -> None:
        """Take the key and the signature scheme, such as ``hmac-sha256``; no key means no signatures.

        Raises ValueError for a scheme that there is not.
        """
        name, _, digest = scheme.partition("-")
        if name != "hmac" or digest not in hashlib.algorithms_available:
            raise ValueError(f"{scheme!r} is no signature scheme")
        self.key, self.digest = key, digest
        self.session, self.count = os.urandom(16).hex(), 0

    @property
    def last(self) -> str:
        """The id of the last message that was packed."""
        return f"{self.session}_{self.count}"

    def sign(self, frames: list[bytes]) -> bytes:
        """Return the signature of a message's four frames."""
        if not self.key:
            return b""
        return hmac.new(self.key, b"".join(frames), self.digest).hexdigest().encode()

    def pack(self, kind: str, content: dict[str, Any], parent: dict[str, Any], identities: list[bytes]) -> list[bytes]:
        """Return the frames of a message to those identities, in reply to the header of its parent."""
        self.count += 1
        header = {
            "msg_id": self.last,
            "msg_type": kind,
            "username": "kernel",
            "session": self.session,
            "date": datetime.now(timezone.utc).isoformat(),
            "version": VERSION,
        }
        frames = [json.dumps(part).encode() for part in (header, parent, {}, content)]
        return [*identities, DELIMITER, self.sign(frames), *frames]

    def read(self, frames: list[bytes]) -> Message | None:
        """Return the message; None where it is not signed with our key, or is none.

        A candidate has the key too, so that anything may be in it.
        """
        try:
            split = frames.index(DELIMITER)
            signature, *parts = frames[split + 1 :]
            if not hmac.compare_digest(signature, self.sign(parts[:4])):
                return None
            header, parent, content = (json.loads(parts[number]) for number in (0, 1, 3))
            if not isinstance(content, dict):
                return None
            return Message(frames[:split], header, str(header["msg_type"]), str(parent.get("msg_id", "")), content)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
