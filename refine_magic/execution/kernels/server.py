"""A Jupyter server or kernel gateway elsewhere: its kernels are started, interrupted and killed over its REST API."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import requests
from jupyter_kernel_client import KernelHttpManager  # type: ignore[import-untyped]
from jupyter_kernel_client.manager import fetch  # type: ignore[import-untyped]

from refine_magic.core.errors import KernelStartError

TOKEN = "JUPYTER_TOKEN"
SECONDS = 10.0
END_SECONDS = 30.0
LOG = logging.getLogger("refine_magic.remote")
LOG.addHandler(logging.NullHandler())
USAGE = "write it as remote:http://HOST:PORT, and put the server's token into the environment variable " + TOKEN


class Server:
    """Where kernels are to be had, and the token that its owner gave for it; the token is in no record."""

    def __init__(self, url: str, start_seconds: float) -> None:
        """Take the address; nothing is asked yet. Raises KernelStartError where it is none.

        `start_seconds` is how long the server may take to start a kernel.
        """
        parts = urlsplit(url.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise KernelStartError(f"the remote executor needs the address of a Jupyter server: {USAGE}")
        if parts.username or parts.query or parts.fragment:
            raise KernelStartError(f"the address of a Jupyter server is kept in records, so no secrets in it: {USAGE}")
        self.url = url.strip().rstrip("/")
        self.start_seconds = start_seconds
        token = os.environ.get(TOKEN, "")
        self.headers = {"Authorization": f"token {token}"} if token else {}

    def kernelspec(self, name: str | None) -> str:
        """Return the name of the kernelspec to use, which is the server's default if none is given.

        Raises KernelStartError.
        """
        with self.explained():
            found = fetch(f"{self.url}/api/kernelspecs", headers=self.headers, timeout=SECONDS).json()
            there = found["kernelspecs"]
            chosen = str(name or found["default"])
        if chosen not in there:
            listed = ", ".join(sorted(there)) or "none"
            raise KernelStartError(f"no kernelspec at {self.url} is named {chosen!r}; there are: {listed}")
        return chosen

    def start(self, name: str) -> KernelHttpManager:
        """Start a kernel. Raises KernelStartError."""
        with self.explained():
            manager = KernelHttpManager(self.url, token=None, headers=dict(self.headers), log=LOG)
            manager.start_kernel(name, timeout=self.start_seconds)
        return manager

    def is_there(self, manager: KernelHttpManager) -> bool:
        """Tell whether the server still has the kernel. Raises KernelStartError where there is no server any more."""
        with self.explained():
            return manager.refresh_model(timeout=SECONDS) is not None

    def interrupt(self, manager: KernelHttpManager) -> None:
        """Interrupt the kernel, if it is there. Raises KernelStartError where there is no server any more."""
        with self.explained(fine=(404, 500)):
            manager.interrupt_kernel(timeout=SECONDS)

    def end(self, manager: KernelHttpManager) -> None:
        """Have the kernel killed; a server that is gone has no kernels any more.

        Jupyter's servers answer 500 while they start a kernel again that has crashed, so they are asked again.
        """
        until, pause = time.monotonic() + END_SECONDS, 0.1
        while True:
            try:
                manager.shutdown_kernel(now=True, timeout=END_SECONDS)
                return
            except requests.HTTPError as error:
                if time.monotonic() + pause > until:
                    LOG.warning("a kernel is left at %s: %s", self.url, error)
                    return
            time.sleep(pause)
            pause = min(2 * pause, 2.0)

    @contextmanager
    def explained(self, fine: tuple[int, ...] = ()) -> Generator[None, None, None]:
        """Raise KernelStartError, one line with what to do, for what a server answers in place of what was asked."""
        try:
            yield
        except requests.HTTPError as error:
            status = 0 if error.response is None else error.response.status_code
            if status not in fine:
                raise KernelStartError(self.refusal(status, said(error.response))) from error
        except requests.Timeout as error:
            raise KernelStartError(f"the Jupyter server at {self.url} does not answer in time") from error
        except requests.ConnectionError as error:
            raise KernelStartError(
                f"no Jupyter server answers at {self.url}; start one there (jupyter server, or jupyter kernelgateway), "
                "or mend the address"
            ) from error
        except (requests.RequestException, ValueError, KeyError, TypeError) as error:
            raise KernelStartError(f"what answers at {self.url} is no Jupyter server; mend the address") from error

    def refusal(self, status: int, reason: str) -> str:
        """Return the words for an HTTP status that means no."""
        if status in (401, 403):
            return f"the Jupyter server at {self.url} refuses the token; set {TOKEN} to the server's own"
        if status == 404:
            return f"{self.url} has no kernels to offer (404); mend the address, with the server's base URL in it"
        return f"the Jupyter server at {self.url} starts no kernel ({status}{reason}); see its log"


def said(response: Any) -> str:
    """Return what the server gave as its reason, cut short."""
    try:
        message = " ".join(str(response.json().get("message") or response.reason).split())
    except (ValueError, AttributeError):
        return ""
    return f": {message[:200]}"
