"""The code that brings our stand-alone modules into a kernel, and which of them go together."""

from __future__ import annotations

import functools
import importlib.resources

from refine_magic.execution.limits import Limits

HARNESS = ("encoder", "harness")
SERVING = ("decoder", "contents", "crossing", "serving")
RUNNER = ("asserts", "runner")
PYTEST = ("pytests",)
PROGRAM = ("program",)
JUDGE = ("decoder", "contents", "crossing", "stubs", *RUNNER, "bench")


@functools.cache
def sources(names: tuple[str, ...]) -> dict[str, str]:
    """Return the sources of modules of ours by the names that they have in a kernel, in order."""
    files = importlib.resources.files("refine_magic.execution.inside")
    return {f"_refine_{name}": files.joinpath(f"{name}.py").read_text("utf-8") for name in names}


def modules_code(names: tuple[str, ...] = HARNESS) -> str:
    """Return the code that makes modules of ours importable there, out of the candidate's namespace."""
    return (
        "import sys as _s, types as _t\n"
        f"for _name, _source in {sources(names)!r}.items():\n"
        "    _s.modules[_name] = _t.ModuleType(_name)\n"
        "    exec(compile(_source, '<harness>', 'exec'), _s.modules[_name].__dict__)\n"
        "del _s, _t, _name, _source\n"
    )


def request(names: tuple[str, ...]) -> str:
    """Return what the harness is asked to bring modules in by; one that is there already stays."""
    return f"install({sources(names)!r})"


def start_code(limits: Limits) -> str:
    """Return the code that makes the one harness of a kernel, with its limits."""
    made = f"Harness({limits.output_bytes}, {limits.result_bytes}, {limits.result_depth})"
    return f"import _refine_harness as _h\n_h.harness = _h.{made}\ndel _h\n"
