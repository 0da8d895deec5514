from __future__ import annotations

import re
from pathlib import Path

import jinja2
import jinja2.meta
import pytest

import refine_magic.prompting
from refine_magic.core.errors import SpecError
from refine_magic.core.resume import resumed
from refine_magic.core.types import Message, Move, MoveKind, Trajectory
from refine_magic.prompting import templates
from refine_magic.prompting.messages import messages
from refine_magic.testing import ScriptedModel
from tests.conftest import ROOT
from tests.unit.samples import Run, answer, begin, run

TEXTS = Path(refine_magic.prompting.__path__[0]) / "texts"
DOCS = (ROOT / "docs" / "prompts.md").read_text(encoding="utf-8")
KINDS: tuple[MoveKind, ...] = ("draft", "sample", "refine", "redraft")
RUN = run(answer(1, 2), *(answer(1, note=n) for n in range(9)), max_iterations=10).last


def folder(tmp_path: Path, **texts: str) -> str:
    for name, text in texts.items():
        (tmp_path / f"{name}.md.j2").write_text(text, encoding="utf-8")
    return str(tmp_path)


def until(number: int) -> Trajectory:
    """The run as it was after so many iterations."""
    return RUN.model_copy(update={"iterations": RUN.iterations[:number], "best": 1})


def generated(run: Trajectory) -> Trajectory:
    """The run with its last check written by the model and found suspect."""
    *given, last = run.problem.spec.checks
    checks = (*given, last.model_copy(update={"origin": "generated", "trust": "suspect"}))
    spec = run.problem.spec.model_copy(update={"checks": checks})
    return run.model_copy(update={"problem": run.problem.model_copy(update={"spec": spec}), "vetted": True})


def size(told: tuple[Message, ...]) -> int:
    return sum(len(message.content) for message in told)


def documented(name: str) -> str:
    """The section on a template."""
    return DOCS.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def error_of(own: str, name: str, **values: object) -> str:
    with pytest.raises(SpecError) as caught:
        templates.render(name, own, **values)
    return str(caught.value)


def test_a_template_of_the_users_goes_before_ours(tmp_path: Path) -> None:
    assert templates.render("system", folder(tmp_path, system="Be brief.")) == "Be brief."


def test_the_other_templates_stay_ours(tmp_path: Path) -> None:
    own = folder(tmp_path, system="Be brief.")
    assert templates.render("code", own, code="x") == templates.render("code", code="x")


def test_the_users_templates_reach_the_model(tmp_path: Path) -> None:
    made = run(answer(1, 2, 3), prompts=folder(tmp_path, system="Be brief."))
    assert made.model.requests[0][0][0].content == "Be brief."


def test_a_template_of_the_users_can_include_ours(tmp_path: Path) -> None:
    own = folder(tmp_path, redraft="{% include 'system.md.j2' %} Again.")
    assert templates.render("redraft", own, attempts=[]) == templates.render("system") + " Again."


def test_a_template_that_is_changed_is_read_again(tmp_path: Path) -> None:
    own = folder(tmp_path, system="One.")
    templates.render("system", own)
    assert templates.render("system", folder(tmp_path, system="Another.")) == "Another."


def test_a_file_of_an_unknown_name_is_refused_with_the_names(tmp_path: Path) -> None:
    assert "no prompt 'sytem'; there are: checks, checks_system, code" in error_of(
        folder(tmp_path, sytem="x"), "system"
    )


def test_a_folder_without_a_template_is_refused(tmp_path: Path) -> None:
    assert f"{tmp_path} holds no prompt" in error_of(str(tmp_path), "system")


def test_a_folder_that_there_is_not_is_refused(tmp_path: Path) -> None:
    assert "holds no prompt" in error_of(str(tmp_path / "nowhere"), "system")


def test_a_syntax_error_names_the_file_and_the_line(tmp_path: Path) -> None:
    assert "the prompt system.md.j2, line 2: " in error_of(folder(tmp_path, system="a\n{% if %}\n"), "system")


def test_a_syntax_error_in_a_template_that_is_needed_later_is_found_at_once(tmp_path: Path) -> None:
    assert "the prompt refine.md.j2, line 1: " in error_of(folder(tmp_path, refine="{% endif %}"), "system")


def test_an_unknown_variable_names_the_file_and_the_line(tmp_path: Path) -> None:
    own = folder(tmp_path, code="a\nb\n{{ kode }}")
    assert error_of(own, "code", code="x") == "the prompt code.md.j2, line 3: 'kode' is undefined"


def test_an_error_in_a_templates_own_reckoning_names_the_file_and_the_line(tmp_path: Path) -> None:
    assert "the prompt system.md.j2, line 2: " in error_of(folder(tmp_path, system="a\n{{ 1 / 0 }}"), "system")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "system.md.j2").write_bytes(b"\xff\xfe\xff")
    assert "the prompt system.md.j2: " in error_of(str(tmp_path), "system")


def test_a_run_with_a_broken_template_asks_the_model_nothing(tmp_path: Path) -> None:
    made = Run(ScriptedModel(answer(1)), prompts=folder(tmp_path, refine="{{"))
    with pytest.raises(SpecError):
        made()
    assert made.model.requests == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hint", ["", "mind the edges"])
@pytest.mark.parametrize("complaint", [None, "no_code", "cut_off"])
def test_what_does_not_change_comes_first_byte_for_byte(kind: MoveKind, hint: str, complaint) -> None:  # type: ignore[no-untyped-def]
    system, problem, *_ = messages(resumed(until(5), hint=hint), Move(kind=kind, complaint=complaint))
    first = messages(begin(), Move())
    assert system == first[0] and problem.content.startswith(first[1].content)


def test_the_code_to_refine_comes_before_what_changes_with_each_attempt() -> None:
    second, tenth = (messages(until(number), Move(kind="refine")) for number in (2, 10))
    assert second[:3] == tenth[:3]


@pytest.mark.parametrize("kind", ["refine", "redraft"])
@pytest.mark.parametrize("hint", ["", "mind the edges"])
@pytest.mark.parametrize("change", [lambda run: run, generated], ids=["given", "generated"])
def test_the_prompt_of_the_tenth_iteration_is_that_of_the_second(kind: MoveKind, hint: str, change) -> None:  # type: ignore[no-untyped-def]
    second, tenth = (size(messages(resumed(change(until(number)), hint=hint), Move(kind=kind))) for number in (2, 10))
    assert tenth <= 1.1 * second


def test_more_hints_than_three_do_not_make_the_prompt_longer() -> None:
    hinted = until(2)
    sizes = []
    for number in range(10):
        hinted = resumed(hinted, hint=f"hint {number}")
        sizes.append(size(messages(hinted, Move(kind="refine"))))
    assert len(set(sizes[2:])) == 1


def test_the_latest_hints_are_kept() -> None:
    hinted = until(2)
    for number in range(5):
        hinted = resumed(hinted, hint=f"hint {number}")
    assert [f"hint {n}" in messages(hinted, Move(kind="refine"))[-1].content for n in range(5)] == [False] * 2 + [
        True
    ] * 3


@pytest.mark.parametrize("name", [path.name for path in sorted(TEXTS.iterdir())])
def test_every_template_is_documented_with_its_variables(name: str) -> None:
    used = jinja2.meta.find_undeclared_variables(jinja2.Environment().parse((TEXTS / name).read_text("utf-8")))
    listed = re.findall(r"`(\w+)`(?=[^:\n]*:)", "\n".join(re.findall(r"^- .*", documented(name), re.MULTILINE)))
    assert (documented(name) != "", set(listed)) == (True, used)


def test_no_template_is_documented_that_there_is_not() -> None:
    assert set(re.findall(r"^## (\S+\.j2)$", DOCS, re.MULTILINE)) == {path.name for path in TEXTS.iterdir()}
