from __future__ import annotations

import warnings

import pytest

from refine_magic.prompting.completion import blocks, digest, extract, is_complete

F = "def f(n):\n    return n"
G = "def g(n):\n    return 0"
BROKEN = "def f(n):\n    return ("
DOCUMENTED = 'def f(n):\n    """Square.\n\n    ```python\n    f(2)\n    ```\n    """\n    return n'

REPLIES = {
    "a python fence": (f"```python\n{F}\n```", F),
    "a py fence": (f"```py\n{F}\n```", F),
    "a Python fence": (f"```Python\n{F}\n```", F),
    "a python3 fence": (f"```python3\n{F}\n```", F),
    "a fence without a language": (f"```\n{F}\n```", F),
    "a blank before the language": (f"``` python\n{F}\n```", F),
    "a blank after the language": (f"```python   \n{F}\n```  ", F),
    "attributes after the language": (f'```python title="f.py"\n{F}\n```', F),
    "a file name after the language": (f"```python:f.py\n{F}\n```", F),
    "braces around the language": (f"```{{python}}\n{F}\n```", F),
    "tildes": (f"~~~python\n{F}\n~~~", F),
    "tildes around backticks": (f"~~~\n{F}\n# ```\n~~~", f"{F}\n# ```"),
    "four backticks": (f"````python\n{F}\n````", F),
    "four backticks around three": (f"````\n{F}\n```\n````", f"{F}\n```"),
    "a longer closing fence": (f"```python\n{F}\n`````", F),
    "windows line ends": (f"```python\n{F}\n```\n".replace("\n", "\r\n"), F),
    "prose before": (f"Here is the code:\n\n```python\n{F}\n```", F),
    "prose after": (f"```python\n{F}\n```\nIt returns n.", F),
    "prose around": (f"Sure!\n```python\n{F}\n```\nDone, `f` works.", F),
    "an indented block": (f"1. The code:\n\n   ```python\n   {F.replace(chr(10), chr(10) + '   ')}\n   ```", F),
    "an indented fence around code that is not": (f"  ```python\n{F}\n  ```", F),
    "blank lines around the code": (f"```python\n\n\n{F}\n\n```", F),
    "two blocks, the first of them f": (f"```python\n{F}\n```\nUse:\n```python\nprint(f(1))\n```", F),
    "two blocks, the second of them f": (f"```python\n{G}\n```\n```python\n{F}\n```", F),
    "two blocks of f, the last one counts": (f"```python\n{BROKEN}\n```\nBetter:\n```python\n{F}\n```", F),
    "two blocks, neither of them f": (f"```python\n{G}\n```\n```python\nx = 1\n```", G),
    "a shell block first": (f"```bash\npip install f\n```\n```python\n{F}\n```", F),
    "a shell block without a language first": (f"```\npip install x\n```\n```python\n{G}\n```", G),
    "an output block after": (f"```python\n{F}\n```\n```text\n4\n```", F),
    "an empty block first": (f"```python\n```\n```python\n{F}\n```", F),
    "half a block": (f"```python\n{F}", F),
    "half a block that is no python": (f"```python\n{BROKEN}", BROKEN),
    "half a block of prose": ("```\nI cannot do this", None),
    "a block with a syntax error": (f"```python\n{BROKEN}\n```", BROKEN),
    "another name": (f"```python\n{G}\n```", G),
    "a class": ("```python\nclass f:\n    pass\n```", "class f:\n    pass"),
    "an async function": ("```python\nasync def f():\n    pass\n```", "async def f():\n    pass"),
    "a lambda": ("```python\nf = lambda n: n\n```", "f = lambda n: n"),
    "a comparison is no definition": (f"```python\nf == 1\n```\n```python\n{F}\n```", F),
    "a method is no definition": (f"```python\nclass A:\n    def f(n): ...\n```\n```python\n{F}\n```", F),
    "fences in a docstring": (f"```python\n{DOCUMENTED}\n```\nDone.", DOCUMENTED),
    "an open docstring": (f'```python\n{F}\n"""open\n```\nDone.', f'{F}\n"""open'),
    "python markers": (f"[PYTHON]\n{F}\n[/PYTHON]", F),
    "python markers in prose": (f"Sure: [PYTHON]\n{F}\n[/PYTHON] Done.", F),
    "half python markers": (f"[PYTHON]\n{F}", F),
    "a fence in python markers": (f"[PYTHON]\n```python\n{F}\n```\n[/PYTHON]", F),
    "nothing but code": (F, F),
    "code with blank lines around it": (f"\n\n{F}\n\n", F),
    "indented code": ("    " + F.replace("\n", "\n    "), F),
    "code and windows line ends": (F.replace("\n", "\r\n"), F),
    "an end token after the fence": (f"```python\n{F}\n```<|eot_id|>", F),
    "an end token after code": (f"{F}<|eot_id|>", F),
    "a python tag before code": (f"<|python_tag|>{F}", F),
    "tokens with digits": (f"<|reserved_special_token_12|>{F}<|im_end|>\n<|eot_id|>", F),
    "a token in a text of the code": ("```python\nf = '<|eot_id|>'.strip\n```", "f = '<|eot_id|>'.strip"),
    "nothing": ("", None),
    "blanks": (" \n\t\n", None),
    "prose": ("I cannot help with that.", None),
    "one word that parses": ("Sorry", None),
    "prose with inline code": ("Use `def f(n): return n` here.", None),
    "prose around code without a fence": (f"Here it is:\n{F}", None),
    "a fence in one line": ("```def f(n): return n```", None),
    "another language": ("```javascript\nfunction f(n) { return n }\n```", None),
    "an interactive session": ("```pycon\n>>> f(1)\n1\n```", None),
    "an empty block": ("```python\n```", None),
    "a fence alone": ("```", None),
}


@pytest.mark.parametrize(("text", "code"), REPLIES.values(), ids=REPLIES.keys())
def test_the_code_of_a_reply_is_found(text: str, code: str | None) -> None:
    assert extract(text, "f") == code


@pytest.mark.parametrize(
    ("text", "code"),
    [(f"```python\n{F}\n```\n```python\n{G}\n```", F), (f"```\nfirst this\n```\n```python\n{G}\n```", G)],
)
def test_without_an_entry_point_the_first_python_block_is_the_code(text: str, code: str) -> None:
    assert extract(text, None) == code


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        (f"```python\n{F}\n```", True),
        (f"```python\n{F}\n``", False),
        (f"```python\n{F}\n", False),
        (f"```python\n{G}\n```", False),
        (f"```python\n{G}\n```\n```python\n{F}\n```", True),
        (f"```text\n{F}\n```", False),
        (f"```python\n{BROKEN}\n```", True),
        (f"```python\n{DOCUMENTED[:60]}", False),
        (f"```python\n{DOCUMENTED[: DOCUMENTED.index('    ```', 40) + 7]}\n", False),
        (f"```python\n{DOCUMENTED}\n```", True),
        (f"~~~\n{F}\n~~~", True),
        (f"```python\r\n{F}\r\n```\r\n", True),
        ("```\n```", False),
        (F, False),
    ],
)
def test_a_reply_is_complete_when_the_block_with_f_is_closed(text: str, complete: bool) -> None:
    assert is_complete(text, "f") is complete


def test_without_an_entry_point_any_closed_block_is_complete() -> None:
    assert is_complete(f"```\n{G}\n```", None)


def test_a_block_tells_its_language_and_whether_it_is_closed() -> None:
    assert [(b.language, b.closed) for b in blocks("```JSON\n{}\n```\n~~~\nx")] == [("json", True), ("", False)]


def test_the_warnings_of_the_models_code_are_not_shown() -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        digest("f = '\\d'") and extract("```python\nf = '\\d'\n```", "f")
    assert shown == []


@pytest.mark.parametrize("other", ["def f(n):\n\n  return n  # n", "def f( n ): return n", F + "\n"])
def test_layout_and_comments_do_not_change_the_digest(other: str) -> None:
    assert digest(other) == digest(F)


@pytest.mark.parametrize("other", [G, "def f(n):\n    return -n", 'def f(n):\n    "doc"\n    return n', BROKEN, ""])
def test_other_code_has_another_digest(other: str) -> None:
    assert digest(other) != digest(F)


@pytest.mark.parametrize("text", ["\0", "\ud800", "-" * 20000 + "1", "(" * 20000, "x = 0x" + "f" * 5000])
def test_any_text_has_a_digest(text: str) -> None:
    assert len(digest(text)) == 64
