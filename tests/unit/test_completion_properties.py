from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from refine_magic.prompting.completion import extract, is_complete
from tests.unit.test_completion import BROKEN, DOCUMENTED, F, G

PARTS = st.one_of(
    st.sampled_from(
        [
            "```",
            "~~~",
            "````",
            "python",
            "py",
            "\n",
            "\r\n",
            "\n\n",
            "    ",
            "\t",
            F,
            G,
            BROKEN,
            DOCUMENTED,
            '"""',
            "f = 1",
            "x",
            "<",
            "'<|eot_id|>'",
            ">>> f(1)",
            "\ud800",
            "\0",
            "\x0c",
            "\u2028",
            "\\",
        ]
    ),
    st.text(max_size=5),
)
TEXTS = st.lists(PARTS, max_size=14).map("".join)
MARKED = st.lists(PARTS | st.sampled_from(["[PYTHON]", "[/PYTHON]", "<|eot_id|>"]), max_size=14).map("".join)


def lines(text: str) -> set[str]:
    return {line.strip() for line in text.replace("\r\n", "\n").split("\n")}


@given(MARKED, st.sampled_from(["f", "g", None]))
def test_extraction_never_fails(text: str, entry_point: str | None) -> None:
    code = extract(text, entry_point)
    assert code is None or code.strip()


@given(st.text(), st.text(min_size=1))
def test_extraction_never_fails_for_any_text_and_name(text: str, name: str) -> None:
    assert extract(text, name) is None or not is_complete("", name)


@example(f"```python\n{DOCUMENTED}\n```", "f")
@given(TEXTS, st.sampled_from(["f", "g", None]))
def test_extraction_never_invents_a_line(text: str, entry_point: str | None) -> None:
    assert lines(extract(text, entry_point) or "") - {""} <= lines(text)


@given(MARKED, st.sampled_from(["f", None]))
def test_extraction_never_invents_anything(text: str, entry_point: str | None) -> None:
    code = extract(text, entry_point) or ""
    assert all(any(line in given for given in lines(text)) for line in lines(code))


@given(TEXTS, st.sampled_from(["f", None]))
def test_a_complete_reply_has_code(text: str, entry_point: str | None) -> None:
    assert not is_complete(text, entry_point) or extract(text, entry_point) is not None
