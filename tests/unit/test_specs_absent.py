from __future__ import annotations

import sys

import pytest

from refine_magic.core.errors import SpecError
from refine_magic.specs.absent import without_absent
from refine_magic.specs.gather import gather
from refine_magic.specs.problem import find_entry_point, make_spec


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("from solution import f\nassert f(1)", "pass\nassert f(1)"),
        ("from solution import *", "pass"),
        ("from solution import f as g, h", "g = f"),
        ("from .solution import f", "pass"),
        ("from . import f", "pass"),
        ("from solution import (\n    f,\n    g,\n)  # both\nf(1)", "pass\n\n\n  # both\nf(1)"),
        ("import solution\nassert solution.f(1)", "pass\nassert f(1)"),
        ("import solution as s\nassert s.f(s.g(1)) == s.X", "pass\nassert f(g(1)) == X"),
        ("import my.solution\nassert my.solution.f(1)", "pass\nassert f(1)"),
        ("import solution, math\nassert solution.f(math.pi)", "import math\nassert f(math.pi)"),
        ("def test_f():\n    from solution import f\n    assert f(1)", "def test_f():\n    pass\n    assert f(1)"),
        ("é = 1; import solution; ö = solution.f('ü')", "é = 1; pass; ö = f('ü')"),
        ("import sys\nsys.path.insert(0, 'src')\nfrom solution import f", "import sys\npass\npass"),
        ("from math import pi\nimport os.path", "from math import pi\nimport os.path"),
        ("from solution import", "from solution import"),
        ("assert solution.f(1)", "assert solution.f(1)"),
    ],
)
def test_an_import_of_the_code_under_test_is_taken_out(text: str, left: str) -> None:
    assert without_absent(text) == left


@pytest.mark.parametrize("use", ["print(solution)", "f = solution", "reload(solution).f(1)"])
def test_another_use_of_a_module_that_is_not_there_is_refused(use: str) -> None:
    with pytest.raises(SpecError, match="line 2: the module solution cannot be found"):
        without_absent(f"import solution\n{use}")


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("from solution import square", "square"),
        ("import solution", "solution.square"),
        ("import os\nimport sys\nsys.path.append(os.curdir)\nimport solution", "solution.square"),
        ("try:\n    from solution import square\nexcept ImportError:\n    from .solution import square", "square"),
        ("from solution import square as sq", "sq"),
    ],
)
def test_a_pytest_file_is_checks_of_what_it_imports(tmp_path, head: str, call: str) -> None:
    tests = f"def test_two():\n    assert {call}(2) == 4\n\n\ndef test_three():\n    assert {call}(3) == 9\n"
    (tmp_path / "test_it.py").write_text(f'"""Tests."""\nimport pytest\n{head}\n\n\n{tests}')
    spec = make_spec("", gather(str(tmp_path / "test_it.py")))
    assert (len(spec.checks), find_entry_point(spec, None)) == (2, "square")


def test_a_library_that_is_not_installed_is_not_taken_for_the_code_under_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(SpecError, match="the checks import networkx, which is not installed here"):
        without_absent("import networkx as nx\nassert f(1) == nx.Graph()")
