"""Run the candidate's code as a whole program, in a process of its own, with its standard streams on pipes.

Stand-alone, standard library only. The process is forked, or where there is no fork, started anew.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import json
import linecache
import os
import selectors
import signal
import subprocess
import sys
import threading
import types
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refine_magic.execution.inside.encoder import OutputLimit, describe
else:
    from _refine_encoder import OutputLimit, describe

CHUNK = 65_536
ERRORS = 3  # the descriptor on which a program tells its exception
LONGEST_ERROR = 65_536


def run(code: str, stdin: str, limit: int) -> dict[str, Any]:
    """Return the program's exit status, negative for a signal, its two outputs in base64, and its exception.

    Raises OutputLimit where it writes more than `limit` bytes.
    """
    data = stdin.encode("utf-8", "surrogateescape")
    if not hasattr(os, "fork"):
        return started(code, data)
    inward, outward, errors, told = os.pipe(), os.pipe(), os.pipe(), os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python 3.12 warns of threads; the child runs only the program
        child = os.fork()
    if child == 0:
        be_program(code, (inward[0], outward[1], errors[1], told[1]))
    for end in (inward[0], outward[1], errors[1], told[1]):
        os.close(end)
    try:
        outputs, status = watched(child, inward[1], data, {outward[0]: limit, errors[0]: limit, told[0]: LONGEST_ERROR})
    finally:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
    out, err, tale = outputs
    error: dict[str, Any] | None = None
    with contextlib.suppress(ValueError):
        error = json.loads(tale)
    return answer(status, out, err, error)


def answer(status: int, out: bytes, err: bytes, error: dict[str, Any] | None) -> dict[str, Any]:
    """Return what became of the program as data."""
    return {
        "status": status,
        "out": base64.b64encode(out).decode(),
        "err": base64.b64encode(err).decode(),
        "error": error,
    }


def watched(child: int, stdin: int, data: bytes, limits: dict[int, int]) -> tuple[list[bytes], int]:
    """Write the input, read the outputs until the program has ended, and return them with its status.

    Raises OutputLimit. What still holds the pipes open after the program's end is not waited for.
    """
    kept: dict[int, bytearray] = {output: bytearray() for output in limits}
    status: int | None = None
    with selectors.DefaultSelector() as selector:
        for output in limits:
            selector.register(output, selectors.EVENT_READ)
        os.set_blocking(stdin, False)
        selector.register(stdin, selectors.EVENT_WRITE)
        view = memoryview(data)
        try:
            while True:
                ready = selector.select(0.01 if status is None else 0.0)
                for key, _ in ready:
                    if key.fd == stdin:
                        view = fed(selector, stdin, view)
                    else:
                        drained(selector, key.fd, kept[key.fd], limits[key.fd], child)
                if status is not None and not [key for key, _ in ready if key.fd != stdin]:
                    return [bytes(each) for each in kept.values()], status
                if status is None:
                    ended, code = os.waitpid(child, os.WNOHANG)
                    status = os.waitstatus_to_exitcode(code) if ended else None
        finally:
            for descriptor in list(selector.get_map()):
                os.close(int(str(descriptor)))
            if status is None:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)


def fed(selector: selectors.BaseSelector, stdin: int, view: memoryview) -> memoryview:
    """Write what the pipe takes; close it at the end, or where nobody reads any more."""
    with contextlib.suppress(BlockingIOError, BrokenPipeError):
        view = view[os.write(stdin, view[:CHUNK]) :] if view else view
        if view:
            return view
    selector.unregister(stdin)
    os.close(stdin)
    return view


def drained(selector: selectors.BaseSelector, output: int, kept: bytearray, limit: int, child: int) -> None:
    """Read what is there. Raises OutputLimit."""
    chunk = os.read(output, CHUNK)
    if not chunk:
        selector.unregister(output)
        os.close(output)
    kept += chunk
    if len(kept) > limit:
        raise OutputLimit(f"more than {limit} bytes printed")


def be_program(code: str, ends: tuple[int, int, int, int]) -> None:
    """Become the program: never returns."""
    status = 1
    try:
        os.setsid()
        spare = [os.dup2(end, 100 + number) for number, end in enumerate(ends)]
        for number, end in enumerate(spare):
            os.dup2(end, number, inheritable=number < ERRORS)
        os.closerange(ERRORS + 1, 1024)
        status = main(code)
    except BaseException as error:
        tell(error)
    finally:
        os._exit(status)


def main(code: str) -> int:
    """Run the code as `__main__` with fresh streams, then what it left for its exit; return its status."""
    streams = [open(number, mode, encoding="utf-8", closefd=False) for number, mode in enumerate("rww")]  # noqa: SIM115
    for name, stream in zip(("stdin", "stdout", "stderr"), streams):  # noqa: B905 - Python 3.9 has no strict
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.default_int_handler)
    import builtins

    builtins.input = plain_input
    sys.argv, module = ["main.py"], types.ModuleType("__main__")
    sys.modules["__main__"] = module
    atexit._clear()
    linecache.cache["<candidate>"] = (len(code), None, code.splitlines(keepends=True), "<candidate>")
    status = 0
    try:
        exec(compile(code, "<candidate>", "exec", dont_inherit=True), module.__dict__)
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
        if not isinstance(left.code, (int, type(None))):
            print(left.code, file=sys.stderr)
    except BaseException as error:
        status = 1
        tell(error)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    return status & 0xFF


def plain_input(prompt: object = "") -> str:
    """Read a line of standard input, as `input` does where no kernel has put another one in its place."""
    sys.stdout.write(str(prompt))
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError("EOF when reading a line")
    return line[:-1] if line.endswith("\n") else line


def tell(error: BaseException) -> None:
    """Write an exception for the harness."""
    with contextlib.suppress(Exception):
        data = json.dumps(describe(error)).encode()
        os.write(
            ERRORS, data if len(data) <= LONGEST_ERROR else json.dumps({**describe(error), "traceback": []}).encode()
        )


def started(code: str, data: bytes) -> dict[str, Any]:
    """Run the program in a new interpreter, with no more told of an exception than its traceback."""
    ended = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=False)
    error = None
    if ended.returncode == 1 and b"Traceback" in ended.stderr:
        lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
        ename, _, evalue = lines[-1].partition(": ")
        error = {"ename": ename, "evalue": evalue, "traceback": lines[-12:], "kinds": [], "locals": {}}
    return answer(ended.returncode, ended.stdout, ended.stderr, error)
