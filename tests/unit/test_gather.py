from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from refine_magic.core.errors import SpecError
from refine_magic.core.types import Spec
from refine_magic.specs.gather import Text, gather
from refine_magic.specs.problem import make_problem, make_spec

KEPT = {"fib": Text("assert fib(2) == 1", where="the checks 'fib'")}


@pytest.fixture
def write(tmp_path: Path):
    def file(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return file


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    made = nbformat.v4.new_notebook()
    made.cells = [
        nbformat.v4.new_code_cell("assert f(1) == 1", metadata={"tags": ["checks"]}),
        nbformat.v4.new_markdown_cell("assert f(9) == 9", metadata={"tags": ["checks", "prose"]}),
        nbformat.v4.new_code_cell("assert f(2) == 4", metadata={"tags": ["hard", "checks"]}),
        nbformat.v4.new_code_cell("%%checks fib\nassert f(3) ==", metadata={"tags": ["broken"]}),
        nbformat.v4.new_code_cell("f(5)"),
    ]
    nbformat.write(made, tmp_path / "nb.ipynb")
    return tmp_path / "nb.ipynb"


def spec(*references: str, **more: object) -> Spec:
    return make_spec("", [text for each in references for text in gather(each, **more)])  # type: ignore[arg-type]


def sources(*references: str, **more: object) -> list[str]:
    return [check.source for check in spec(*references, **more).checks]


def test_a_kept_name_is_its_text() -> None:
    assert sources("fib", kept=KEPT) == ["assert fib(2) == 1"]


def test_a_python_file_is_test_code(write) -> None:
    assert sources(write("a.py", '"""Like\n>>> f(1)\n"""\nassert f(1) == 1')) == ["assert f(1) == 1"]


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.rst"])
def test_a_text_holds_doctest_examples(write, name: str) -> None:
    text = "To assert that\nassert it\n\n```python\n>>> f(2)\n4\n```\n\n    >>> f(3)\n    9\n\nProse."
    assert sources(write(name, text)) == [">>> f(2)\n4", ">>> f(3)\n9"]


def test_a_text_without_examples_is_test_code(write) -> None:
    assert sources(write("a.txt", "assert f(1) == 1")) == ["assert f(1) == 1"]


def test_examples_in_a_file_are_the_users_and_not_the_prompts(write) -> None:
    assert [check.origin for check in spec(write("a.txt", ">>> f(2)\n4")).checks] == ["user"]


def test_json_lines_are_recorded_calls(write) -> None:
    assert sources(write("a.jsonl", '{"call": "f(2)", "result": 4}')) == ["assert f(2) == 4"]


def test_windows_line_ends_and_a_byte_order_mark_make_no_difference(write) -> None:
    assert sources(write("a.py", "\ufeffassert f(1)\r\nassert f(2)\r\n")) == ["assert f(1)", "assert f(2)"]


def test_a_notebook_gives_its_cells_tagged_checks(notebook: Path) -> None:
    assert sources(str(notebook)) == ["assert f(1) == 1", "assert f(2) == 4"]


def test_a_notebook_gives_the_cells_of_a_tag(notebook: Path) -> None:
    assert sources(f"{notebook}:hard") == ["assert f(2) == 4"]


def test_a_tag_alone_is_one_of_this_notebook(notebook: Path) -> None:
    assert sources("hard", kept={}, notebook=notebook) == ["assert f(2) == 4"]


def test_a_kept_name_comes_before_a_tag_of_this_notebook(notebook: Path) -> None:
    assert sources("hard", kept={"hard": KEPT["fib"]}, notebook=notebook) == ["assert fib(2) == 1"]


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (
            "nope",
            r"no checks .nope.: it is no file, and the names kept with %%checks are: fib; no code cell of .*nb.ipynb",
        ),
        ("nope.py", "no checks 'nope.py'"),
        ("{notebook}:nope", "has the tag 'nope'; there are: broken, checks, hard"),
        ("none.ipynb:checks", "'none.ipynb' cannot be read: No such file"),
        ("{folder}", "cannot be read: Is a directory"),
        ("{notebook}:broken", r"nb.ipynb, cell 4, line 2: the checks have a syntax error"),
    ],
)
def test_a_wrong_reference_says_what_there_is(notebook: Path, reference: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        sources(reference.format(notebook=notebook, folder=notebook.parent), kept=KEPT, notebook=notebook)


def test_without_kept_names_they_are_not_spoken_of() -> None:
    with pytest.raises(SpecError, match=r"it is no file, nor FILE\.ipynb:TAG$"):
        gather("nope")


@pytest.mark.parametrize("text", ["", "{}", '{"cells": 3, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "\0"])
def test_a_broken_notebook_is_refused(write, text: str) -> None:
    with pytest.raises(SpecError, match=r"b.ipynb' cannot be read"):
        gather(write("b.ipynb", text))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.py", "assert f(1)\nassert f(2 ==", r"a.py, line 2: the checks have a syntax error"),
        ("a.txt", "Prose.\n>>> f(2 ==\n4", r"a.txt, line 2: syntax error in a doctest example"),
        ("a.jsonl", '{"call": "f(2)", "result": 4}\n{', r"a.jsonl, line 2: this is not JSON"),
        ("a.py", "import math", r"a.py: it holds no check"),
        ("a.py", "\n\ndef test_f(four):\n    assert f(1)", r"a.py, line 3: test_f takes 'four'"),
        (
            "a.py",
            "import solution\n\nprint(solution)\nassert solution.f(1)",
            r"a.py, line 3: the module solution cannot",
        ),
    ],
)
def test_a_mistake_is_refused_with_its_file_and_line(write, name: str, text: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        sources(write(name, text))


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="it is not UTF-8 text"):
        gather(str(tmp_path / "a.py"))


def test_all_places_come_in_order_with_numbers_through(write) -> None:
    prompt = "Write f.\n>>> f(0)\n0\nf(1) -> 1"
    more = gather(write("a.py", "assert f(3) == 9"))
    checks = make_problem(prompt, "assert f(2) == 4", more=more).spec.checks
    assert [(check.id, check.origin) for check in checks] == [
        ("c1", "doctest"),
        ("c2", "example"),
        ("c3", "user"),
        ("c4", "user"),
    ]


def test_the_same_check_in_another_layout_is_kept_once(write) -> None:
    assert sources(write("a.py", "assert f(1)==1"), write("b.py", "assert f( 1 ) == 1  # one")) == ["assert f(1)==1"]


def test_the_same_example_in_two_files_is_kept_once(write) -> None:
    assert sources(write("a.txt", ">>> f(1)\n1"), write("b.txt", "  >>> f( 1)\n  1")) == [">>> f(1)\n1"]


def test_examples_with_different_results_are_both_kept(write) -> None:
    assert len(sources(write("a.txt", ">>> f(1)\n1"), write("b.txt", ">>> f(1)\n2"))) == 2


def test_the_same_example_in_the_prompt_and_below_is_kept_twice() -> None:
    checks = make_problem("Write f.\n>>> f(1)\n1", ">>> f(1)\n1").spec.checks
    assert [check.origin for check in checks] == ["doctest", "user"]


def test_setups_are_joined_with_each_statement_once(write) -> None:
    first, second = "import os\nxs = [1]\nassert f(xs)", "import os\nimport re\nxs = [1]\nassert f(re, xs)"
    assert spec(write("a.py", first), write("b.py", second)).setup == "import os\nxs = [1]\nimport re"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("xs = [1]", "xs = [2]"),
        ("def xs():\n    return 1", "def xs():\n    return 2"),
        ("from math import pi as xs", "from math import e as xs"),
        ("import math as xs", "xs = [1]"),
    ],
)
def test_a_name_with_two_meanings_is_refused(write, first: str, second: str) -> None:
    files = write("a.py", f"{first}\nassert f(xs)"), write("b.py", f"{second}\nassert g(xs)")
    with pytest.raises(SpecError, match=r"xs is defined differently in .*a.py and in .*b.py: rename one"):
        spec(*files)


def test_a_package_and_a_module_of_it_are_one_meaning(write) -> None:
    files = write("a.py", "import os\nassert f(os)"), write("b.py", "import os.path\nassert g(os)")
    assert spec(*files).setup == "import os\nimport os.path"
