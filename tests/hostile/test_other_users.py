"""The same table as a user without rights, and as root in a Python that is not below a home folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534
THEMES = ("fine", "network", "escapes", "damage")


def public_python() -> str:
    """Return a Python of this version that any user may run. Skips where there is none."""
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    found = shutil.which(name, path="/usr/bin:/usr/local/bin:/opt/bin")
    if found is None or os.path.realpath(found).startswith(("/root", "/home")):
        pytest.skip(f"no {name} outside of home folders, whose packages could be those of this one")
    return found


def may_be_read_by_all(path: str) -> bool:
    return all(above.stat().st_mode & 0o005 == 0o005 for above in [Path(path), *Path(path).parents])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("user", [NOBODY, 0])
def test_the_table_holds_for_another_user_and_python(user, theme):
    python, packages = public_python(), sysconfig.get_path("purelib")
    if not (may_be_read_by_all(packages) and may_be_read_by_all(str(ROOT))):
        pytest.skip("the packages, or the project, cannot be read by another user")
    with tempfile.TemporaryDirectory(prefix="ho-", dir="/tmp", ignore_cleanup_errors=True) as home:
        os.chown(home, user, user)
        done = subprocess.run(
            [python, "-m", "pytest", "-p", "no:cacheprovider", f"--basetemp={home}/b", "-q", "--tb=line",
             str(ROOT / "tests/hostile/test_table.py"), "-k", f"{theme} and (landlock or namespaces)"],
            env={"PATH": "/usr/bin:/bin", "HOME": home, "PYTHONDONTWRITEBYTECODE": "1",
                 "PYTHONPATH": f"{packages}:{ROOT}"},
            cwd=ROOT, user=user, group=user, extra_groups=[], capture_output=True, text=True, timeout=600,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
