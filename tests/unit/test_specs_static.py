from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor

import pytest

from refine_magic.core.types import Check, Spec
from refine_magic.specs.human import QUESTION
from refine_magic.specs.problem import make_problem
from refine_magic.specs.static import analyse, needed_by_all, of_spec

GOOD = "def f(x):\n    return x\n"


def error(code: str, entry_point: str | None = "f", **more: object) -> str:
    found = analyse(code, entry_point, **more).error  # type: ignore[arg-type]
    return f"{found.ename}: {found.evalue}" if found else ""


@pytest.mark.parametrize(
    "code",
    [
        GOOD,
        "f = lambda x: x",
        "class f: ...",
        "from math import sqrt as f",
        "if True:\n    def f(): ...",
        "try:\n    from a import f\nexcept ImportError:\n    def f(): ...",
        "for f in [1]: ...",
        "def make():\n    global f\n    def f(): ...\nmake()",
        "from solution import *",
        "exec('def f(): ...')",
        "globals()['f'] = 1",
        "import sys\nsetattr(sys.modules[__name__], 'f', 1)",
        "import builtins\nbuiltins.f = 1",
        "async def f(): ...",
        "f, g = 1, 2",
        "(f := 1)",
    ],
)
def test_an_entry_point_that_is_or_may_be_defined_is_no_error(code: str) -> None:
    assert error(code) == ""


@pytest.mark.parametrize("code", ["", "def g(x):\n    return x", "print('f')", "# def f(): ...", "g = 1\ng.f = 2"])
def test_an_entry_point_that_is_defined_nowhere_is_an_error(code: str) -> None:
    assert error(code).startswith("NameError: name 'f' is not defined: the checks call it")


def test_the_error_says_what_the_code_defines_instead() -> None:
    assert error("def g(): ...\ndef h(): ...\n_x = 1").endswith("it defines g, h")


def test_without_an_entry_point_nothing_must_be_defined() -> None:
    assert error("x = 1", None) == ""


def test_an_entry_point_that_the_setup_defines_is_no_error() -> None:
    assert error("x = 1", given=["f"]) == ""


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("def f(x) return x", "SyntaxError"),
        ("def f():\nreturn 1", "IndentationError"),
        ("x = '\0'", ("SyntaxError", "ValueError")),
    ],
)
def test_a_syntax_error_is_an_error(code: str, kind: str) -> None:
    assert error(code).startswith(kind)


@pytest.mark.parametrize(
    "line",
    [
        "nope",
        "nope()",
        "x = nope",
        "x += nope",
        "x: int = nope",
        "x = [y for y in nope]",
        "x = nope and 1",
        "x = 1 < nope",
        "x = 1 if nope else 2",
        "if nope: ...",
        "while nope: ...",
        "for y in nope: ...",
        "with nope: ...",
        "assert nope",
        "@nope\ndef g(): ...",
        "def g(y=nope): ...",
        "class A(nope): ...",
        "class A:\n    y = nope",
        "f'{nope}'",
        "match nope:\n    case _: ...",
        "x = lambda y=nope: y",
    ],
)
def test_an_undefined_name_that_is_looked_up_at_once_is_an_error(line: str) -> None:
    assert error(f"{GOOD}x = 0\n{line}").startswith("NameError: name 'nope' is not defined (line")


@pytest.mark.parametrize(
    "line",
    [
        "def g():\n    return nope",
        "def g(y: nope): ...",
        "x: nope = 1",
        "if x:\n    nope",
        "for y in []:\n    nope",
        "while x:\n    nope",
        "try:\n    nope\nexcept Exception: ...",
        "import contextlib\nwith contextlib.suppress(NameError):\n    nope",
        "x = 0 and nope",
        "x = 1 < 0 < nope",
        "x = 1 if True else nope",
        "x = [nope for y in []]",
        "x = lambda: nope",
        "assert True, nope",
        "class A:\n    def g(self):\n        return nope",
        "raise SystemExit\nnope",
    ],
)
def test_an_undefined_name_that_may_never_be_looked_up_is_a_finding_only(line: str) -> None:
    found = analyse(f"{GOOD}x = 0\n{line}", "f")
    assert (found.error, [text.split(": ")[1] for text in found.findings]) == (None, ["undefined name 'nope'"])


@pytest.mark.parametrize("line", ["exec(text)", "from os import *", "globals().update(nope=1)"])
def test_where_names_are_made_at_run_time_no_name_is_an_error(line: str) -> None:
    assert error(f"{GOOD}text = 'nope = 1'\n{line}\nnope") == ""


@pytest.mark.parametrize("name", ["get_ipython", "display", "__name__", "__file__", "print", "WindowsError"])
def test_names_that_a_kernel_has_are_no_finding(name: str) -> None:
    assert analyse(f"{GOOD}{name}", "f").findings == ()


def test_names_that_the_setup_lends_are_no_finding() -> None:
    assert analyse(f"{GOOD}Node()", "f", ["Node"]) == analyse(GOOD, "f")


@pytest.mark.parametrize(
    ("code", "finding"),
    [
        ("def f():\n    x += 1\n    return x", "line 2: undefined name 'x'"),
        ("x = 1\ndef f():\n    print(x)\n    x = 2", "line 3: local variable 'x'"),
        ("def f(x): ...\ndef f(y): ...", "line 2: redefinition of unused 'f' from line 1"),
        ("def f(x):\n    return x is 'a'", "line 2: use ==/!= to compare constant literals"),
        ("def f(x):\n    return '%s %s' % (x,)", "line 2: "),
    ],
)
def test_what_looks_wrong_is_a_finding(code: str, finding: str) -> None:
    assert analyse(code, "f").findings[0].startswith(finding)


def test_what_is_only_untidy_is_no_finding() -> None:
    assert analyse(f"import os\n{GOOD}def g():\n    unused = f''", "f").findings == ()


def test_at_most_five_findings_are_told() -> None:
    code = GOOD + "".join(f"def g{n}():\n    return nope{n}\n" for n in range(9))
    assert len(analyse(code, "f").findings) == 5


def test_a_finding_is_short() -> None:
    assert len(analyse(f"def f():\n    return {'x' * 9999}", "f").findings[0]) == 200


@pytest.mark.parametrize("code", ["f = " + "-" * 2000 + "1", "f = " + "(" * 150 + ")" * 150, "f = 1" + "+1" * 20_000])
def test_code_that_is_nested_too_deep_to_read_raises_nothing(code: str) -> None:
    analyse(code, "f")


@pytest.mark.parametrize(
    ("checks", "name"),
    [
        ("assert f(1)\nassert f(2)", "f"),
        ("assert f(g(1))\nassert g(2)", "g"),
        ("assert f(1)\nassert g(2)", None),
        (">>> f(1)\n1", "f"),
        ("def near(x):\n    return f(x) < 1\nassert near(2)\nassert f(3)", "f"),
    ],
)
def test_the_name_that_every_check_needs_is_found(checks: str, name: str | None) -> None:
    assert needed_by_all(make_problem("Write it.", checks).spec) == name


def test_where_the_user_is_asked_no_name_is_needed_by_all() -> None:
    assert needed_by_all(Spec(checks=(Check(id="c1", source="assert f(1)"), QUESTION))) is None


def test_a_check_that_does_not_need_the_missing_name_is_still_tried() -> None:
    assert of_spec("def g(x): ...", make_problem("Write it.", "assert f(1)\nassert g(2)").spec).error is None


def test_no_other_tree_of_the_process_is_touched() -> None:
    before = ast.parse("a == b")
    analyse("def f(x):\n    return x == 1")
    assert not [node for node in ast.walk(before) if any("pyflakes" in name for name in vars(node))]


def test_threads_may_read_code_at_the_same_time():
    code = "\n".join(f"def f{n}(x):\n    return [x + {n} for x in (1, (2, (3, [4])))]" for n in range(200))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: analyse(code).error, range(60)))
    assert found == [None] * 60
