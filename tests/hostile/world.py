"""What a candidate may not touch: files, listeners, a process and secrets that the test put there."""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

TOKEN = "HOSTILE_TEST_TOKEN"
TEXT = "the user's own words\n"


class World:
    """Open to everybody, so that nothing but the isolation protects it; `harm` says what became of it."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hw-", dir="/tmp"))
        stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o777)
        self.secret = secrets.token_hex(16)
        self.files = [self.folder / name for name in ("document.txt", "secret.txt", "inner/data.txt")]
        (self.folder / "inner").mkdir(mode=0o777)
        for file in self.files:
            file.write_text(TEXT if file.name != "secret.txt" else self.secret)
            file.chmod(0o666)
        (self.folder / "inner").chmod(0o777)
        self.victim = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
        stack.callback(self.end_victim)
        self.tcp, self.tcp6 = listener(socket.AF_INET, "127.0.0.1"), listener(socket.AF_INET6, "::1")
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.path = str(self.folder / "listener")
        self.unix = listening(socket.socket(socket.AF_UNIX), self.path)
        Path(self.path).chmod(0o777)
        self.abstract = f"hostile-{secrets.token_hex(8)}"
        self.hidden = listening(socket.socket(socket.AF_UNIX), "\0" + self.abstract)
        self.datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.datagrams.bind("\0" + self.abstract + "-d")
        self.sockets = [s for s in (self.tcp, self.tcp6, self.udp, self.unix, self.hidden, self.datagrams) if s]
        for made in self.sockets:
            made.setblocking(False)
            stack.callback(made.close)
        self.write_connection_file()
        self.before = self.state()

    def write_connection_file(self) -> None:
        """Write what a notebook's kernel leaves where its user can read it."""
        ports = {f"{name}_port": self.port for name in ("shell", "iopub", "stdin", "control", "hb")}
        more = {"ip": "127.0.0.1", "transport": "tcp", "key": self.secret, "signature_scheme": "hmac-sha256"}
        (self.folder / "kernel-1.json").write_text(json.dumps({**ports, **more}))

    @property
    def port(self) -> int:
        return int(self.tcp.getsockname()[1])

    def end_victim(self) -> None:
        self.victim.kill()
        self.victim.wait()

    def places(self, template: object) -> dict[str, object]:
        """Return what ``<<name>>`` stands for in a candidate's code."""
        base = Path(template.base)  # type: ignore[attr-defined]
        return {
            "folder": self.folder, "port": self.port, "udp": self.udp.getsockname()[1], "unix": self.path,
            "abstract": self.abstract, "victim": self.victim.pid, "host": os.getpid(), "token": TOKEN,
            "home": pwd.getpwuid(os.getuid()).pw_dir, "base": base, "zygote": template._process.pid,  # type: ignore[attr-defined]
            "port6": self.tcp6.getsockname()[1] if self.tcp6 else 1, "uid": os.getuid(),
        }  # fmt: skip

    def state(self) -> dict[str, object]:
        """Return what a candidate must not change."""
        found: dict[str, object] = {"entries": sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))}
        for file in [*self.files, self.folder, self.folder / "inner"]:
            with contextlib.suppress(OSError):
                about = file.stat()
                words = file.read_text() if file.is_file() else ""
                attributes = os.listxattr(file)
                found[file.name] = (words, about.st_mode, about.st_uid, about.st_mtime_ns, about.st_nlink, attributes)
        with contextlib.suppress(OSError):
            status = Path(f"/proc/{self.victim.pid}/stat").read_text().rpartition(")")[2].split()
            limits = Path(f"/proc/{self.victim.pid}/limits").read_text()
            found["victim"] = (
                status[0] in "TtZX",
                status[16],
                status[38],
                limits,
                os.sched_getaffinity(self.victim.pid),
            )
        host = Path("/proc/self/limits").read_text(), os.getpriority(os.PRIO_PROCESS, 0), os.sched_getaffinity(0)
        return {**found, "host": host}

    def harm(self) -> dict[str, object]:
        """Return what is not as it was, and which listeners were reached."""
        now = self.state()
        found = {name: now.get(name) for name in self.before if now.get(name) != self.before[name]}
        reached = [name for name in ("tcp", "tcp6", "udp", "unix", "hidden", "datagrams") if self.was_reached(name)]
        return {**found, **({"reached": reached} if reached else {})}

    def was_reached(self, name: str) -> bool:
        made = getattr(self, name)
        if made is None:
            return False
        try:
            if name in ("udp", "datagrams"):
                made.recv(99)
            else:
                made.accept()[0].close()
        except BlockingIOError:
            return False
        return True


def listener(family: int, host: str) -> socket.socket | None:
    """Return a listener on loopback; None where there is no such family."""
    try:
        return listening(socket.socket(family), (host, 0))
    except OSError:
        return None


def listening(made: socket.socket, address: object) -> socket.socket:
    made.bind(address)
    made.listen(16)
    return made


@contextlib.contextmanager
def open_world() -> Iterator[World]:
    """Make a world, and clear it away."""
    with contextlib.ExitStack() as stack:
        yield World(stack)
