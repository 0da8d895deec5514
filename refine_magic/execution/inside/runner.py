"""Run test code by the runner that it is written for: plain Python, pytest, unittest or doctest; tell what it found.

Stand-alone, standard library only, and pytest where it is asked for. A test that did not run is not a pass.
"""

from __future__ import annotations

import asyncio
import io
import linecache
import sys
import threading
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refine_magic.execution.inside import asserts
    from refine_magic.execution.inside.encoder import describe
else:
    import _refine_asserts as asserts
    from _refine_encoder import describe

OURS = ("<check>", "<setup>", "<candidate>", "<doctest check")
SHOWN = 1000


class NotPassed(Exception):
    """A test that did not pass: its name, what was raised if anything was, and words for it."""

    def __init__(self, words: str, error: BaseException | None = None) -> None:
        """Take the words and the exception."""
        super().__init__(words)
        self.words, self.error = words, error


def run(request: dict[str, Any], scope: dict[str, Any]) -> dict[str, Any]:
    """Run a check in a fresh module with these names, and return what became of it; never raises."""
    name = "checks" if request["tests"] else "__main__"
    module = types.ModuleType(name)
    module.__dict__.update({**scope, "__name__": name})
    module.__dict__[asserts.FAILED] = asserts.failed
    sys.modules["checks"] = module
    try:
        how = RUNNERS[request["how"]]
        if request["outside_loop"]:
            outside_loop(lambda: how(request, module))
        else:
            how(request, module)
    except NotPassed as found:
        return verdict(found.error, found.words)
    except BaseException as error:
        return verdict(error, "")
    finally:
        sys.modules.pop("checks", None)
    return {"passed": True}


def verdict(error: BaseException | None, words: str) -> dict[str, Any]:
    """Return what is told of a check that did not pass."""
    found: dict[str, Any] = {"passed": False, "words": words, "failed": error is None or is_failure(error)}
    if error is not None:
        error.__traceback__ = trimmed(error.__traceback__)
        found["error"], found["sides"] = describe(error), getattr(error, "refine", None)
        found["exception"] = error
    return found


def is_failure(error: BaseException) -> bool:
    """Tell a test's own failure from an error in what it called."""
    return isinstance(error, AssertionError) or type(error).__module__.startswith("_pytest.")


def trimmed(stack: types.TracebackType | None) -> types.TracebackType | None:
    """Return the traceback from the first frame of the test or the candidate on."""
    first = stack
    while first is not None and not first.tb_frame.f_code.co_filename.startswith(OURS):
        first = first.tb_next
    return first or stack


def outside_loop(work: Callable[[], None]) -> None:
    """Do the work where no event loop is running: in a thread of its own if one is here. Raises what it raises."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        work()
        return
    raised: list[BaseException] = []

    def attempt() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


def execute(source: str, filename: str, module: types.ModuleType) -> None:
    """Execute test source in the module, its asserts telling of their values."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(asserts.compiled(source, filename), module.__dict__)


def load(request: dict[str, Any], module: types.ModuleType) -> None:
    """Execute the setup and the test's source."""
    execute(request["setup"], "<setup>", module)
    execute(request["source"], "<check>", module)


def plain(request: dict[str, Any], module: types.ModuleType) -> None:
    """Run statements, then each test function and each method of a plain test class."""
    load(request, module)
    for name in request["tests"]:
        thing = module.__dict__[name]
        if not isinstance(thing, type):
            call(thing)
            continue
        methods = [method for method in dir(thing) if method.startswith("test")]
        if not methods:
            raise NotPassed("the test class has no tests")
        for method in methods:
            call(getattr(thing(), method))


def call(test: Callable[[], Any]) -> None:
    """Call a test function; one that is a coroutine's is run to its end. Raises NotPassed for a generator."""
    found = test()
    if isinstance(found, types.CoroutineType):
        asyncio.run(found)
    elif isinstance(found, types.GeneratorType):
        raise NotPassed("the test is a generator: nothing of it ran")


def cases(request: dict[str, Any], module: types.ModuleType) -> None:
    """Run test cases of unittest. Raises NotPassed unless each test ran and passed."""
    import unittest

    load(request, module)
    found: list[tuple[str, BaseException | None]] = []

    class Result(unittest.TestResult):
        def addFailure(self, test: Any, err: Any) -> None:
            found.append((str(test), err[1]))

        addError = addFailure

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
            if err is not None:
                found.append((str(subtest), err[1]))

        def addSkip(self, test: Any, reason: str) -> None:
            found.append((f"{test} was skipped: {reason}", None))

        def addExpectedFailure(self, test: Any, err: Any) -> None:
            found.append((f"{test} failed, as it expects", None))

        def addUnexpectedSuccess(self, test: Any) -> None:
            found.append((f"{test} passed, though it expects to fail", None))

    suite = unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromTestCase(module.__dict__[name]) for name in request["tests"]
    )
    result = Result()
    suite.run(result)
    if not found and result.testsRun == 0:
        raise NotPassed("the test case has no tests")
    if found:
        raise NotPassed(f"{found[0][0]}" + (f", and {len(found) - 1} more" if len(found) > 1 else ""), found[0][1])


def examples(request: dict[str, Any], module: types.ModuleType) -> None:
    """Run a doctest text. Raises NotPassed with the first example that shows something else."""
    import doctest

    execute(request["setup"], "<setup>", module)
    told: list[NotPassed] = []

    class Runner(doctest.DocTestRunner):
        def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
            error = AssertionError(f"{example.source.strip()} shows {got.strip()[:SHOWN] or 'nothing'}")
            error.refine = (example.want.strip()[:SHOWN], got.strip()[:SHOWN])  # type: ignore[attr-defined]
            told.append(NotPassed("", error))

        def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
            told.append(NotPassed(example.source.strip()[:SHOWN], exc_info[1]))

    test = doctest.DocTestParser().get_doctest(request["source"], module.__dict__, "check", "<check>", 0)
    ran = Runner(verbose=False).run(test, out=io.StringIO().write, clear_globs=False)
    if told:
        raise told[0]
    if ran.attempted == 0 or ran.failed:
        raise NotPassed("no example was tried" if ran.attempted == 0 else "an example failed")


def pytests(request: dict[str, Any], module: types.ModuleType) -> None:
    """Run tests by pytest. Raises NotPassed unless each test that was collected ran and passed."""
    sys.modules["_refine_pytests"].run(request, module, load, NotPassed)


RUNNERS: dict[str, Callable[[dict[str, Any], types.ModuleType], None]] = {
    "plain": plain,
    "pytest": pytests,
    "unittest": cases,
    "doctest": examples,
}
