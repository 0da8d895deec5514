"""Replies as models wrote them, beside those of `test_completion`: what is found in each."""

from __future__ import annotations

import json

import pytest

from refine_magic.prompting.completion import extract, is_complete
from tests.unit import test_completion
from tests.unit.samples import run
from tests.unit.test_completion import BROKEN, F, G

HELPER, CALLER = "def double(n):\n    return n + n", "def f(n):\n    return double(n)"
NAMED, TWICE = "from math import sqrt as root", "def twice(n):\n    return double(n) + 1"
IMPORT, ROOT = "import math", "def f(n):\n    return math.sqrt(n)"
PROMPTED, NUMBERED = ">>> def f(n):\n...     return n", "In [1]: def f(n):\n   ...:     return n"
TABBED = "def f(n):\n\treturn n"
MIXED = "def f(n):\n    if n:\n\treturn n\n    return 0"
QUOTED = "def f(n):\n    return 'a' + \"b\""
DIFF = "--- a/f.py\n+++ b/f.py\n@@ -1,2 +1,2 @@\n def f(n):\n-    return 0\n+    return n"
ESCAPED = "def f(n):\n    return n < 2 and n > 0"


def python(code: str) -> str:
    return f"```python\n{code}\n```"


def fences(*codes: str) -> str:
    return "\nthen\n".join(map(python, codes))


def indented(text: str, by: str) -> str:
    return text.replace("\n", f"\n{by}")


REPLIES = {
    "a diff": (f"```diff\n{DIFF}\n```", None),
    "a diff called python": (python(DIFF), None),
    "a diff without a header called python": (python("def f(n):\n-    return 0\n+    return n"), None),
    "a diff without a fence": (DIFF, None),
    "a diff, then the code": (f"```diff\n{DIFF}\n```\nSo:\n{python(F)}", F),
    "a diff called python, then the code": (f"{python(DIFF)}\n{python(F)}", F),
    "a hunk that is cut off": ("```python\n@@ -1,2 +1,2 @@\n def f(n):", None),
    "signs in code that is no diff": (python("x = [\n1\n+ 2\n- 3]\n" + F), f"x = [\n1\n+ 2\n- 3]\n{F}"),
    "a helper in a block before": (fences(HELPER, CALLER), f"{HELPER}\n\n\n{CALLER}"),
    "a helper in a block after": (fences(CALLER, HELPER), f"{HELPER}\n\n\n{CALLER}"),
    "an import in a block before": (fences(IMPORT, ROOT), f"{IMPORT}\n\n\n{ROOT}"),
    "an import of a name": (fences(NAMED, "f = lambda n: root(n)"), f"{NAMED}\n\n\nf = lambda n: root(n)"),
    "a helper of a helper": (
        fences(HELPER, TWICE, "f = lambda n: twice(n)"),
        f"{HELPER}\n\n\n{TWICE}\n\n\nf = lambda n: twice(n)",
    ),
    "a helper twice, the last one counts": (fences("def double(n): ...", HELPER, CALLER), f"{HELPER}\n\n\n{CALLER}"),
    "a block before that is not needed": (fences(G, F), F),
    "a block before that does something": (fences(f"{HELPER}\nprint(double(2))", CALLER), CALLER),
    "a block before that is broken": (fences("def double(n:", CALLER), CALLER),
    "an earlier try before": (fences(CALLER, HELPER, F), F),
    "a numbered list": (f"1. Write it:\n   ```python\n   {indented(F, '   ')}\n   ```\n2. Run it.", F),
    "a fence on the line of its number": (f"1. ```python\n   {indented(F, '   ')}\n   ```", F),
    "a fence on the line of its dash": (f"- ```python\n  {indented(F, '  ')}\n  ```", F),
    "a numbered list of two blocks": (
        f"1. ```python\n   {IMPORT}\n   ```\n2. ```python\n   {indented(ROOT, '   ')}\n   ```",
        f"{IMPORT}\n\n\n{ROOT}",
    ),
    "a heading and a fence": (f"## Solution\n\n{python(F)}\n\n### Complexity\nO(1)", F),
    "markers after instructions": (f"[INST]Write f[/INST]\n[PYTHON]\n{F}\n[/PYTHON]\n[TESTS]\nf(1)\n[/TESTS]", F),
    "HTML": (f'<pre><code class="language-python">{F}\n</code></pre>', F),
    "HTML in prose": (f"<p>Here:</p>\n<pre>\n{F}\n</pre>\n<p>Done.</p>", F),
    "HTML that is escaped": ("<pre><code>def f(n):\n    return n &lt; 2 and n &gt; 0</code></pre>", ESCAPED),
    "HTML of another thing": ("<pre><code>npm install</code></pre>", None),
    "half of HTML": (f"<pre><code>{F}", None),
    "JSON": (json.dumps({"code": F}), F),
    "JSON on several lines": (json.dumps({"language": "python", "code": F}, indent=2), F),
    "JSON in a fence": (f"```json\n{json.dumps({'code': F})}\n```", F),
    "JSON after prose": (f"Here it is:\n{json.dumps({'solution': F})}", F),
    "JSON around a fence": (json.dumps({"code": python(F)}), F),
    "JSON with another text that is code": (json.dumps({"setup": "x = 1", "code": F}), F),
    "JSON with an explanation": (json.dumps({"explanation": "It returns n.", "code": F}), F),
    "JSON without code": (json.dumps({"error": "I cannot do that."}), None),
    "JSON that is cut off": (json.dumps({"code": F})[:-4], None),
    "a JSON list": (json.dumps([F]), None),
    "an interpreter's prompts": (python(f"{PROMPTED}\n...\n>>> f(1)\n1"), f"{F}\n\nf(1)"),
    "an interpreter's prompts, called pycon": (f"```pycon\n{PROMPTED}\n```", F),
    "an interpreter's prompts without a fence": (PROMPTED, F),
    "an interpreter's prompts around calls only": (python(">>> f(2)\n4"), None),
    "calls with prompts after the code": (fences(F, ">>> f(2)\n2"), F),
    "IPython's prompts": (python(f"{NUMBERED}\n   ...:\n\nIn [2]: f(1)\nOut[2]: 1"), f"{F}\n\nf(1)"),
    "IPython's prompts without a fence": (NUMBERED, F),
    "backticks around a line": ("`def f(n): return n`", None),
    "backticks around a name, then a fence": (f"`f` is this:\n{python(F)}", F),
    "two backticks": (f"``\n{F}\n``", None),
    "typographic quotes": (python("def f(n):\n    return ‘a’ + “b”"), QUOTED),
    "typographic quotes in a text": (python("f = '“a”'"), "f = '“a”'"),
    "blanks that do not break": (python("def f(n):\n\u00a0\u00a0\u00a0\u00a0return n"), F),
    "blanks without width": (python("def f(n):\u200b\n    return n"), F),
    "tabs": (python(TABBED), TABBED),
    "tabs and blanks": (python(MIXED), MIXED.replace("\t", "        ")),
    "a block indented by tabs": (f"\t```python\n\t{indented(F, chr(9))}\n\t```", F),
    "a byte order mark": (f"\ufeff{python(F)}", F),
    "a byte order mark before code": (f"\ufeff{F}", F),
    "old mac line ends in prose": (f"Here:\r\n{python(F)}\r\n", F),
    "an explanation below an open fence": (f"```python\n{F}\n\nThis returns n.\n\nIt is fast.", F),
    "more code and an explanation below an open fence": (f"```python\n{F}\n\n{G}\n\nBoth return.", f"{F}\n\n{G}"),
    "broken code below an open fence": (f"```python\n{BROKEN}\n\nThis returns n.", f"{BROKEN}\n\nThis returns n."),
    "two languages": (f"```javascript\nfunction f(n) {{ return n }}\n```\n{python(F)}", F),
    "two languages, Python first": (f"{python(F)}\n```java\nint f(int n) {{ return n; }}\n```", F),
    "three languages, none of them Python": ("```c\nint f;\n```\n```rust\nfn f() {}\n```\n```sh\nls\n```", None),
    "thoughts": (f"<think>\nMaybe {python(G)}?\n</think>\n{python(F)}", F),
    "thoughts alone": (f"<think>\n{python(F)}", None),
    "thoughts around a first try": (f"<think>\n{python(BROKEN)}\n</think>\n\n{python(F)}\nDone.", F),
    "a refusal after a block of prose": ("```\nAs an AI model, I cannot.\n```", "As an AI model, I cannot."),
    "a quotation": ("> def f(n): return n", None),
}


@pytest.mark.parametrize(("text", "code"), REPLIES.values(), ids=REPLIES.keys())
def test_the_code_of_a_reply_is_found(text: str, code: str | None) -> None:
    assert extract(text, "f") == code


@pytest.mark.parametrize("text", [text for text, _ in REPLIES.values()], ids=REPLIES.keys())
def test_a_reply_is_complete_only_where_it_has_code(text: str) -> None:
    assert not is_complete(text, "f") or extract(text, "f") is not None


@pytest.mark.parametrize("text", [text for text, _ in REPLIES.values()], ids=REPLIES.keys())
def test_no_beginning_of_a_reply_fails(text: str) -> None:
    assert all(extract(text[:end], "f") != "" for end in range(len(text)))


def test_at_least_a_hundred_and_twenty_kinds_of_replies_are_known() -> None:
    assert len(REPLIES | test_completion.REPLIES) >= 120


@pytest.mark.parametrize("text", ["x", "def f(n:", "<think>\n```python\nf = 1\n```\n"])
def test_a_fence_in_thoughts_does_not_complete_a_reply(text: str) -> None:
    assert not is_complete(f"<think>\n{text}", "f")


def test_a_reply_that_is_only_a_diff_is_rejected_as_no_code() -> None:
    assert [r.reason for r in run(python(DIFF), max_reasks=0).last.rejections] == ["no_code"]
