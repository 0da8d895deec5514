"""Input and output written in a prompt, as in ``fibonacci(5) -> [0, 1, 1, 2, 3]``, are checks."""

from __future__ import annotations

import ast
import builtins
import re

from refine_magic.core.types import Check
from refine_magic.specs import names, source

CALL = re.compile(r"[^\W\d][\w.]*\(")
VERBS = r"(?:(?:should|must) )?(?:return|give|be|yield|raise)s?\b:?"
ARROW = re.compile(rf"`?\s*(?:->|→|=>|⇒|==?(?!=)|{VERBS})\s*`?(?:an? )?")
ENDS = r"$|#|[.;:!?)](?:\s|$)|\s\("  # of the line, or of the sentence, or what comes next is a remark
GOES_ON = r"[,;]?\s*(?:and|but|or|while|because|since|as|if)\b|[,;]\s*`?[^\W\d][\w.]*\("
REST = re.compile(rf"`?\s*(?:{ENDS}|{GOES_ON})")
NO_EXAMPLE = re.compile(r"(?:\b(?:not|never|def|class|return|if|while|elif|in)|=)\s*`?$")
CODE = (">>>", "...", "assert ", "def ", "class ")
LONGEST = 500


def parse(prompt: str) -> tuple[list[Check], str]:
    """Return a check for each call with literal arguments that a line shows with its literal result, and their setup.

    An exception's name in place of the result, as in ``root(-1) raises ValueError``, is what the call must raise.
    """
    found = [made for line in prompt.splitlines() for made in statements(line)]
    checks, setup = source.parse("\n".join(dict.fromkeys(found)))
    return [check.model_copy(update={"origin": "example"}) for check in checks], setup


def statements(line: str) -> list[str]:
    """Return the test code that the examples in a line mean."""
    if line.lstrip().startswith(CODE) or len(line) > LONGEST:
        return []
    found, position = [], 0
    while (match := CALL.search(line, position)) is not None:
        made, position = example(line, match.start()) or ("", match.end())
        found += [made] if made else []
    return found


def example(line: str, start: int) -> tuple[str, int] | None:
    """Return the test code of the example that begins here, and where it ends, or None where there is none."""
    if NO_EXAMPLE.search(line[:start]):
        return None
    for closing in re.finditer(r"\)", line[start:]):
        end = start + closing.end()
        arrow = ARROW.match(line, end)
        call = expression(line[start:end]) if arrow else None
        if arrow is None or call is None:
            continue
        result, stop = outcome(line, arrow.end())
        if result is None or not is_shown(call, result):
            return None
        if isinstance(result, ast.Name):
            return f"with pytest.raises({result.id}):\n    {ast.unparse(call)}", stop
        return f"assert {ast.unparse(call)} {'is' if is_singleton(result) else '=='} {ast.unparse(result)}", stop
    return None


def outcome(line: str, start: int) -> tuple[ast.expr | None, int]:
    """Return the longest literal, or the exception's name, that begins here and ends where a value can end.

    A full stop behind a number is the sentence's.
    """
    for end in range(len(line.rstrip()), start, -1):
        if REST.match(line, end) and line[end - 1] != ".":
            value = expression(line[start:end])
            if value is not None and (is_literal(value, line[start]) or is_exception(value)):
                return value, end
    return None, start


def is_shown(call: ast.expr, result: ast.expr) -> bool:
    """Tell whether this is a call of one function under test, with plain data, and no signature or printing."""
    if not isinstance(call, ast.Call):
        return False
    called = names.free(call)
    signature = not call.args and not call.keywords and isinstance(result, ast.Constant) and result.value is None
    return len(called) == 1 and called[0] in names.called(call) and not signature and names.used(call)[0] != "print"


def expression(text: str) -> ast.expr | None:
    """Return the expression that a text is, if it is one."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_literal(value: ast.expr, first: str) -> bool:
    """Tell whether this is plain data; a tuple counts only in parentheses, for a comma may be the sentence's."""
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return not isinstance(value, ast.Tuple) or first == "("


def is_singleton(value: ast.expr) -> bool:
    """Tell whether the value is None, which is compared by identity."""
    return isinstance(value, ast.Constant) and value.value is None


def is_exception(value: ast.expr) -> bool:
    """Tell whether this is the name of one of Python's exceptions."""
    kind = getattr(builtins, value.id, None) if isinstance(value, ast.Name) else None
    return isinstance(kind, type) and issubclass(kind, Exception)
