"""In a kernel that somebody else's server started: a folder of its own, and what it may use of the machine.

Stand-alone, standard library only. Our own kernels are given both from outside.
"""

import contextlib
import os
import subprocess
import sys
import tempfile

REMOVE = "import shutil, sys; sys.stdin.read(); shutil.rmtree(sys.argv[1], ignore_errors=True)"


def settle(limits: dict[str, int]) -> int:
    """Work in a new folder, which is removed after the kernel's end however it ends, under these rlimits."""
    folder = tempfile.mkdtemp(prefix="refine-")
    os.chdir(folder)
    os.environ.update(HOME=folder, TMPDIR=folder)
    tempfile.tempdir = None
    watched, held = os.pipe()  # `held` is open for as long as the kernel and its children are there
    subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", REMOVE, folder],
        stdin=watched,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=os.path.dirname(folder),
        start_new_session=True,
    )
    os.close(watched)
    with contextlib.suppress(ImportError):
        import resource

        for name, most in limits.items():
            with contextlib.suppress(AttributeError, ValueError, OSError):
                resource.setrlimit(getattr(resource, name), (most, most))
    return held
