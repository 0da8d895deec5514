"""``refine-magic doctor``: what is here, what is not, and the command that mends it."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

import click
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from rich.console import Console
from rich.table import Table

from refine_magic import api
from refine_magic.cli import status
from refine_magic.core.errors import ModelError, RefineError
from refine_magic.execution.kernels import levels
from refine_magic.execution.kernels.kernelspecs import find_kernelspec
from refine_magic.models.demo import choose_llama
from refine_magic.models.ollama import Ollama, host_url
from refine_magic.specs.gather import Text
from refine_magic.specs.problem import make_spec
from refine_magic.version import __version__


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: `mend` is the command where it is not as it should be."""

    name: str
    ok: bool
    found: str
    mend: str = ""


def python() -> Finding:
    """Look at the Python that runs this."""
    fine = sys.version_info >= (3, 10)
    return Finding(
        "Python", fine, f"{platform.python_version()} at {sys.executable}", "" if fine else "install Python 3.10+"
    )


def package() -> Finding:
    """Look at refine-magic itself."""
    return Finding("refine-magic", True, __version__)


def kernelspec() -> Finding:
    """Look whether notebooks' python3 kernel can load the extension."""
    mend = f"{sys.executable} -m ipykernel install --user --name python3"
    try:
        argv = KernelSpecManager().get_kernel_spec("python3").argv
    except NoSuchKernel:
        return Finding("kernelspec", False, "there is no kernelspec python3", mend)
    program = sys.executable if argv[0] in ("python", "python3") else argv[0]
    try:
        probe = subprocess.run(
            [program, "-c", "import ipykernel, refine_magic"], capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("kernelspec", False, f"python3 cannot be run: {error}", mend)
    if probe.returncode:
        why = (probe.stderr.strip().splitlines() or ["unknown"])[-1]
        return Finding("kernelspec", False, f"python3 is {program}: {why}", f"{program} -m pip install refine-magic")
    return Finding("kernelspec", True, f"python3 is {program}")


def isolation() -> Finding:
    """Look which isolation levels can be had, and why the others cannot."""
    make = find_kernelspec(None).make
    found = {} if make is None else levels.probe(make)
    there = [level for level, why in found.items() if not why]
    missing = "; ".join(f"not {level}: {why}" for level, why in found.items() if why)
    said = f"{', '.join(there) or 'none'}{f' ({missing})' if missing else ''}"
    return Finding("isolation", bool(there), said, "" if there else f"{sys.executable} -m pip install --upgrade pyzmq")


def candidate_kernel() -> Finding:
    """Judge one line of code in a fresh kernel."""
    begun = time.monotonic()
    try:
        result = api.judge("def f():\n    return 1\n", make_spec("", [Text("assert f() == 1")]))
    except RefineError as error:
        return Finding("candidate kernel", False, str(error), f"{sys.executable} -m pip install --upgrade ipykernel")
    seconds = time.monotonic() - begun
    fine = result.outcome == "passed"
    return Finding("candidate kernel", fine, f"{result.outcome} in {seconds:.1f} s, isolation: {result.isolation}")


def ollama() -> Finding:
    """Look for a server and a Llama on it."""
    server = Ollama("")
    try:
        found, names = server.version(), server.installed()
    except ModelError as error:
        installed = shutil.which("ollama") is not None
        return Finding("Ollama", False, str(error), "ollama serve" if installed else "install it from ollama.com")
    finally:
        server.close()
    where = f"{found} at {host_url()}"
    if choose_llama(names) is None:
        return Finding("Ollama", False, f"{where}, without a Llama", "ollama pull llama3.2")
    return Finding("Ollama", True, f"{where}: {', '.join(sorted(names)[:8])}")


def front_end() -> Finding:
    """Look which notebook program is here; the output is HTML that each of them shows."""
    there = [f"{name} {found}" for name in ("jupyterlab", "notebook") if (found := installed_version(name))]
    if not there:
        return Finding("front end", False, "no JupyterLab here", f"{sys.executable} -m pip install jupyterlab")
    return Finding("front end", True, f"{', '.join(there)}; the output is HTML without script")


def installed_version(name: str) -> str | None:
    """Return the installed version of a package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


LOOKS: tuple[Callable[[], Finding], ...] = (
    python,
    package,
    kernelspec,
    isolation,
    candidate_kernel,
    ollama,
    front_end,
)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON document.")
def doctor(as_json: bool) -> None:
    """Look whether everything is there, and say how to get what is not."""
    console = Console(stderr=as_json)
    with status.errors(), console.status("looking"):
        findings = [look() for look in LOOKS]
    fine = all(finding.ok for finding in findings)
    if as_json:
        click.echo(json.dumps({"ok": fine, "findings": [asdict(finding) for finding in findings]}))
    else:
        table = Table(box=None, show_header=False, padding=(0, 1))
        for finding in findings:
            mend = f"\n[bold]mend it:[/bold] {finding.mend}" if finding.mend else ""
            table.add_row("[green]✓[/green]" if finding.ok else "[red]✗[/red]", finding.name, finding.found + mend)
        console.print(table)
    sys.exit(status.PASSED if fine else status.NOT_PASSED)
