"""Which kernel a candidate gets: our slim one, or any that is installed, and how it is started."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, replace

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel

from refine_magic.core.errors import KernelStartError
from refine_magic.execution.kernels.install import HARNESS, JUDGE, PYTEST, SERVING
from refine_magic.execution.kernels.template import Kind, Make

SPAWNED = ["-m", "refine_magic.execution.sandbox.spawned", "-f", "{connection_file}"]
LOCAL = "local-provisioner"
INSIDE = (*HARNESS, *SERVING)
QUIET = ["--HistoryManager.enabled=False"]
LAUNCHERS = ("ipykernel_launcher", "ipykernel")


@dataclass(frozen=True)
class Start:
    """A kernelspec, and what its template is made for; None where the kernelspec's own provisioner starts it.

    `arguments` are more of them for an ipykernel.
    """

    spec: KernelSpec
    make: Make | None
    arguments: tuple[str, ...] = ()

    @property
    def provisioner(self) -> str:
        """The name of the provisioner that its kernelspec names, or the usual one."""
        return str(self.spec.metadata.get("kernel_provisioner", {}).get("provisioner_name", LOCAL))


def find_kernelspec(name: str | None, *, network: bool = False) -> Start:
    """Return how to start the kernel of that name, or our slim one. Raises KernelStartError that says which there are.

    A kernelspec that names a provisioner keeps it; an ipykernel is forked from a template of its own Python; any other
    command is started in a forked process.
    """
    if name is None:
        spec = KernelSpec(argv=[sys.executable, *SPAWNED], display_name="refine-magic", language="python")
        return started(spec, "slim", [], network)
    manager = KernelSpecManager()
    try:
        spec = manager.get_kernel_spec(name)
    except NoSuchKernel as error:
        there = ", ".join(sorted(manager.find_kernel_specs())) or "none"
        raise KernelStartError(f"no kernelspec is named {name!r}; installed: {there}") from error
    if Start(spec, None).provisioner != LOCAL:
        return Start(spec, None)
    match [word for word in spec.argv if not word.startswith("-X")]:
        case [python, "-m", launcher, "-f", "{connection_file}", *more] if launcher in LAUNCHERS:
            spec.argv[0] = own_python(python)
            return started(spec, "ipykernel", [*more, *QUIET], network)
    spec.argv[0] = own_python(spec.argv[0])
    return started(spec, "command", [], network)


def for_the_judge(start: Start) -> Start:
    """Return how to start the kernels that test code runs in: the same, with what tests need there beforehand."""
    if start.make is None or not start.make.inside:
        return start
    return replace(
        start, make=replace(start.make, inside=(*HARNESS, *JUDGE, *PYTEST), modules=("pytest", "unittest.mock"))
    )


def started(spec: KernelSpec, kind: Kind, arguments: list[str], network: bool) -> Start:
    """Return how to fork a kernel of that kind, where the system has fork; else it is started as it is."""
    if not hasattr(os, "fork"):
        return Start(spec, None)
    if kind == "command":
        return Start(spec, Make(kind, network=network, paths=places_of(spec)))
    return Start(spec, Make(kind, spec.argv[0], network, inside=INSIDE), tuple(arguments))


def own_python(word: str) -> str:
    """Return the executable that a command's first word stands for; ``python`` is this one, as in Jupyter."""
    if word in ("python", "python3", f"python{sys.version_info[0]}.{sys.version_info[1]}"):
        return sys.executable
    return shutil.which(word) or word


def places_of(spec: KernelSpec) -> tuple[str, ...]:
    """Return the folders that a command needs to read: those around its executable, and its kernelspec's."""
    executables = {spec.argv[0], os.path.realpath(spec.argv[0])}
    folders = {os.path.dirname(os.path.dirname(path)) for path in executables if path.startswith("/")}
    return tuple(sorted(folders | ({spec.resource_dir} if spec.resource_dir else set())))
