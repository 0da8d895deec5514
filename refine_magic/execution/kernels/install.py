"""The code that brings our harness into a kernel, whichever kernel that is."""

from __future__ import annotations

import functools
import importlib.resources

from refine_magic.execution.limits import Limits

MODULES = ("encoder", "harness")


@functools.cache
def modules_code() -> str:
    """Return the code that makes the harness's modules importable there, out of the candidate's namespace."""
    files = importlib.resources.files("refine_magic.execution.inside")
    sources = {f"_refine_{name}": files.joinpath(f"{name}.py").read_text() for name in MODULES}
    return (
        "import sys as _s, types as _t\n"
        f"for _name, _source in {sources!r}.items():\n"
        "    _s.modules[_name] = _t.ModuleType(_name)\n"
        "    exec(compile(_source, '<harness>', 'exec'), _s.modules[_name].__dict__)\n"
        "del _s, _t, _name, _source\n"
    )


def start_code(limits: Limits) -> str:
    """Return the code that makes the one harness of a kernel, with its limits."""
    made = f"Harness({limits.output_bytes}, {limits.result_bytes}, {limits.result_depth})"
    return f"import _refine_harness as _h\n_h.harness = _h.{made}\ndel _h\n"
