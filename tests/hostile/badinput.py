"""Candidates that are no program, or not the one that was asked for: a clear outcome each."""

from __future__ import annotations

from tests.hostile.case import Case

RIGHT = "def f(x):\n    return x + 1\n"
CASES: list[Case] = [
    Case("empty", "", "invalid"),
    Case("white space", " \n\t\n", "invalid"),
    Case("a comment", "# def f(x): return 2\n", "invalid"),
    Case("a syntax error", "def f(:", "invalid"),
    Case("a syntax error of the compiler", "return 2\n", "invalid"),
    Case("a NUL", "def f(x): return 2\0\n", "invalid"),
    Case("prose", "Sure! Here is the function that you asked for.\n", "invalid"),
    Case("prose that is a name", "Sure\n", "invalid|error"),
    Case("a fence left in", "```python\n" + RIGHT + "```\n", "invalid"),
    Case("no entry point", "def g(x):\n    return 2\n", "invalid"),
    Case("an entry point that is no function", "f = 2\n", "failed|invalid"),
    Case("too few parameters", "def f():\n    return 2\n", "failed"),
    Case("too many parameters", "def f(x, y, z):\n    return 2\n", "failed"),
    Case("a coroutine", "async def f(x):\n    return 2\n", "failed"),
    Case("a generator", "def f(x):\n    yield 2\n", "failed"),
    Case("an async generator", "async def f(x):\n    yield 2\n", "failed"),
    Case("nothing returned", "def f(x):\n    print(2)\n", "failed"),
    Case("a missing import", "import no_such_module\n" + RIGHT, "error"),
    Case("a missing import in the function", "def f(x):\n    import no_such_module\n    return 2\n", "failed"),
    Case("an exception at top", RIGHT + "1 / 0\n", "error"),
    Case("a lone surrogate", "x = '\ud800'\n" + RIGHT, "invalid"),
    Case("a written surrogate", "x = '\\ud800'\nprint(x)\n" + RIGHT, "passed"),
    Case("CRLF", "def f(x):\r\n    return x + 1\r\n", "passed"),
    Case("CR", "def f(x):\r    return x + 1\r", "passed|invalid"),
    Case("a byte order mark", "\ufeff" + RIGHT, "passed|invalid"),
    Case("tabs", "def f(x):\n\tif x:\n\t\treturn x + 1\n", "passed"),
    Case("tabs and spaces", "def f(x):\n\tif x:\n        return x + 1\n", "invalid"),
    Case("no newline at the end", "def f(x): return x + 1", "passed"),
    Case("another coding", "# -*- coding: latin-1 -*-\n" + RIGHT, "passed|invalid"),
    Case("an unknown coding", "# -*- coding: no-such -*-\n" + RIGHT, "passed|invalid"),
    Case("names of other alphabets", "def f(größe):\n    return größe + 1\n", "passed"),
    Case("an enormous source", "x = [" + "1, " * 300_000 + "]\n" + RIGHT, "passed|invalid|output_limit|memory|error"),
    Case("an enormous line", "x = '" + "a" * 2_000_000 + "'\n" + RIGHT, "passed|invalid|output_limit|memory|error"),
    Case("nested too deeply", "x = " + "(" * 500 + ")" * 500 + "\n" + RIGHT, "invalid"),
    Case("nested too deeply for the reader", "x = " + "-" * 50_000 + "1\n" + RIGHT, "invalid|error|crashed|memory"),
    Case("warnings of the compiler", "x = '\\d' is 'y'\n" + RIGHT, "passed"),
    Case("a future import too late", RIGHT + "from __future__ import annotations\n", "invalid"),
    Case("a magic", "%timeit 1\n" + RIGHT, "invalid"),
    Case("star import", "from math import *\n" + RIGHT, "passed"),
]
