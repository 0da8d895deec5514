"""Code, checks, and the verdict that any executor must come to."""

from __future__ import annotations

from dataclasses import dataclass

from refine_magic.testing.trial import Trial, expect

RIGHT = "def f(x):\n    return x + 1\n"
CHECK = "assert f(1) == 2"
ANYTHING_BUT_PASSED = "-passed"


@dataclass(frozen=True)
class Verdict:
    """The outcome of the whole and of each check, by their names with spaces between; ``-NAME`` is any but that one.

    `ename` is the name of the exception, `says` maps a field of the first check to a part of its text.
    """

    code: str
    checks: str
    outcome: str
    each: str
    ename: str = ""
    says: tuple[tuple[str, str], ...] = ()

    def __call__(self, trial: Trial) -> None:
        """Judge, and compare. Raises Unexpected."""
        judged = trial.judge(self.code, self.checks)
        result = judged.result
        wanted = self.each.split()
        expect(fits(result.outcome, self.outcome), f"{judged}; should be {self.outcome}")
        same = len(wanted) == len(judged.outcomes) and all(map(fits, judged.outcomes, wanted))
        expect(same, f"{judged}; the checks should be {wanted}")
        if self.ename:
            errors = [error for error in (result.error, *(c.error for c in result.checks)) if error is not None]
            named = any(error.ename == self.ename for error in errors)
            expect(named, f"{judged}; the exception {self.ename} is not told")
        for field, part in self.says:
            text = getattr(result.checks[0], field) or ""
            expect(part in text, f"{field} is {text[:200]!r}, without {part!r}")
        if result.outcome != "invalid":
            expect(result.duration > 0, "the duration is not told")


def fits(seen: str, wanted: str) -> bool:
    """Tell whether an outcome is the one that is wanted."""
    return seen != wanted[1:] if wanted.startswith("-") else seen == wanted


def never_passes(code: str, checks: str = CHECK) -> Verdict:
    """Return the case of code that must not pass, by whatever name that goes."""
    return Verdict(code, checks, "-passed", "-passed")


ORDINARY = {
    "right code passes": Verdict(RIGHT, CHECK, "passed", "passed"),
    "wrong code fails, with what was expected and what was observed": Verdict(
        "def f(x):\n    return x + 40\n", CHECK, "failed", "failed", says=(("expected", "2"), ("observed", "41"))
    ),
    "an exception is the check's error": Verdict(
        "def f(x):\n    raise KeyError(x)\n", CHECK, "failed", "error", ename="KeyError"
    ),
    "a syntax error is invalid, and no check runs": Verdict("def f(x:\n", CHECK, "invalid", "not_run"),
    "an exception at the top is the candidate's error, and no check runs": Verdict(
        RIGHT + "1 / 0\n", f"{CHECK}\n{CHECK}0", "error", "not_run not_run", ename="ZeroDivisionError"
    ),
    "each check has its own outcome": Verdict(
        "def f(x):\n    return 1 / x\n",
        "assert f(1) == 1\nassert f(2) == 1\nassert f(4) == 0.25\nassert f(0) == 0",
        "failed",
        "passed failed passed error",
    ),
    "checks may need setup": Verdict(RIGHT, "import math\nassert f(math.floor(1.5)) == 2", "passed", "passed"),
    "an expected exception passes": Verdict(
        "def f(x):\n    raise ValueError(x)\n",
        "import pytest\nwith pytest.raises(ValueError):\n    f(1)",
        "passed",
        "passed",
    ),
    "an expected exception that does not come fails": Verdict(
        RIGHT, "import pytest\nwith pytest.raises(ValueError):\n    f(1)", "failed", "-passed"
    ),
    "a change in place is seen": Verdict(
        "def f(xs):\n    xs.append(1)\n",
        "def test_f():\n    xs = []\n    f(xs)\n    assert xs == [1]",
        "passed",
        "passed",
    ),
    "a change in place that does not come fails": Verdict(
        "def f(xs):\n    return [*xs, 1]\n",
        "def test_f():\n    xs = []\n    f(xs)\n    assert xs == [1]",
        "failed",
        "-passed",
    ),
    "a test with a loop passes": Verdict(
        RIGHT, "def test_f():\n    for x in range(5):\n        assert f(x) == x + 1", "passed", "passed"
    ),
    "a test with a loop fails": Verdict(
        "def f(x):\n    return 2\n",
        "def test_f():\n    for x in range(5):\n        assert f(x) == x + 1",
        "failed",
        "-passed",
    ),
    "a program is judged by its output": Verdict(
        "print(int(input()) + 1)\n",
        '{"stdin": "1", "stdout": "2"}\n{"stdin": "5", "stdout": "7"}',
        "failed",
        "passed failed",
    ),
    "what is printed by a check is its own": Verdict(
        "def f(x):\n    print('from within')\n    return 2\n",
        CHECK,
        "passed",
        "passed",
        says=(("stdout", "from within"),),
    ),
    "text of any language comes through": Verdict(
        "# příliš žluťoučký 🐍\ndef f(x):\n    return '日本 🎉 ' + chr(0) + x\n",
        "assert f('ß') == '日本 🎉 \\x00ß'",
        "passed",
        "passed",
    ),
    "a lone surrogate comes through": Verdict(
        "def f(x):\n    return chr(0xD800)\n", "assert f(1) == '\\ud800'\nassert f(1) == '?'", "failed", "passed failed"
    ),
    "lines may end as on Windows": Verdict("def f(x):\r\n    return x + 1\r\n", CHECK, "passed", "passed"),
    "a large result passes": Verdict(
        "def f(n):\n    return list(range(n))\n", "assert f(20_000) == list(range(20_000))", "passed", "passed"
    ),
}

HOSTILE = {
    "a result that is far too large is no pass": never_passes("def f(x):\n    return 'x' * 10**8\n"),
    "a crash ends the candidate, and no later check runs": Verdict(
        "import os\n\ndef f(x):\n    return x if x != 1 else os._exit(0)\n",
        "assert f(0) == 0\nassert f(1) == 1\nassert f(2) == 2",
        "-passed",
        "passed -passed not_run",
    ),
    "os._exit(0) at the top is no pass": never_passes("import os\nos._exit(0)\n" + RIGHT),
    "os._exit(0) in a function is no pass": never_passes("import os\n\ndef f(x):\n    os._exit(0)\n"),
    "sys.exit(0) at the top is no pass": never_passes("import sys\nsys.exit(0)\n" + RIGHT),
    "sys.exit(0) in a function is no pass": never_passes("import sys\n\ndef f(x):\n    sys.exit(0)\n"),
    "a hang is a timeout": Verdict("def f(x):\n    while True:\n        pass\n", CHECK, "timeout", "-passed"),
    "a flood of output is no pass": never_passes("def f(x):\n    while True:\n        print('x' * 10_000)\n"),
    "a value that equals everything is no pass": never_passes(
        "class Equal:\n    def __eq__(self, other):\n        return True\n\n\ndef f(x):\n    return Equal()\n"
    ),
    "a number that equals everything is no pass": never_passes(
        "class Equal(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = int.__hash__\n\n\n"
        "def f(x):\n    return Equal(7)\n"
    ),
    "an AssertionError that cannot be raised is no pass": never_passes(
        "import builtins\nbuiltins.AssertionError = type('Quiet', (SystemExit,), {})\n\n\ndef f(x):\n    return 7\n"
    ),
    "a printed claim is no pass": never_passes("print('1 passed')\nprint('OK')\n\n\ndef f(x):\n    print('passed')\n"),
    "a name that is missing is no pass": never_passes("def g(x):\n    return x + 1\n"),
}
