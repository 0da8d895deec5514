"""A real kernel gateway on loopback, with a token, for tests."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOKEN = "a-token-for-tests"


@dataclass
class Gateway:
    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def get(self, path: str, token: str = TOKEN) -> Any:
        request = urllib.request.Request(f"{self.url}/api/{path}", headers={"Authorization": f"token {token}"})
        with urllib.request.urlopen(request, timeout=10) as reply:
            return json.load(reply)

    def kernels(self) -> list[str]:
        return [kernel["id"] for kernel in self.get("kernels")]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(folder: Path, *more: str) -> Generator[Gateway, None, None]:
    """Lend a kernel gateway whose kernels have the folder for their temporary files."""
    port, log = free_port(), folder / "gateway.log"
    own = {name: value for name, value in os.environ.items() if name != "JUPYTER_TOKEN"}
    tmp = folder / "tmp"
    tmp.mkdir()
    command = [
        sys.executable, "-m", "kernel_gateway", "--KernelGatewayApp.ip=127.0.0.1", f"--KernelGatewayApp.port={port}",
        "--KernelGatewayApp.port_retries=0", f"--KernelGatewayApp.auth_token={TOKEN}",
        "--JupyterWebsocketPersonality.list_kernels=True", *more,
    ]  # fmt: skip
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=own | {"TMPDIR": str(tmp)}, stdout=output, stderr=output, start_new_session=True
        )
    gateway = Gateway(f"http://127.0.0.1:{port}", process, log)
    try:
        wait_for(gateway)
        yield gateway
    finally:
        gateway.process.terminate()
        try:
            gateway.process.wait(10)
        except subprocess.TimeoutExpired:
            gateway.stop()


def wait_for(gateway: Gateway) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            gateway.get("kernelspecs")
            return
        except OSError:
            if time.monotonic() > until or gateway.process.poll() is not None:
                raise AssertionError(gateway.log.read_text()) from None
            time.sleep(0.1)
