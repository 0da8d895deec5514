"""The part that runs inside the candidate's kernel: load the code, call it, answer in plain typed data.

Stand-alone, standard library only; its source is sent to the kernel, whichever kernel that is, after that of
`encoder`, which it finds under the name `_refine_encoder`. Nothing here is trusted: whatever a candidate makes of it,
the host sees no more than data, and compares that with values which this process never had.
"""

import contextlib
import io
import json
import linecache
import sys
import types

from _refine_encoder import Encoder, OutputLimit, describe

TEXT_LIMIT = 16_384


class Printed(io.TextIOBase):
    """Collects what is printed, up to a limit."""

    def __init__(self, limit):
        self.limit, self.size, self.parts = limit, 0, []

    def writable(self):
        return True

    def write(self, text):
        self.size += len(text)
        if self.size > self.limit:
            raise OutputLimit(f"more than {self.limit} characters printed")
        self.parts.append(str(text))
        return len(text)

    def text(self):
        whole = "".join(self.parts)
        if len(whole) <= TEXT_LIMIT:
            return whole
        half = TEXT_LIMIT // 2
        return f"{whole[:half]}\n... {len(whole) - TEXT_LIMIT} characters left out ...\n{whole[-half:]}"


class Harness:
    """The candidate's namespace and what is done with it: load, call, run."""

    def __init__(self, output_limit, result_limit, depth):
        self.output_limit, self.result_limit, self.depth = output_limit, result_limit, depth
        module = types.ModuleType("candidate")  # dataclasses and pickle look the module up by its name
        sys.modules["candidate"] = module
        self.namespace = module.__dict__
        self.namespace["__builtins__"] = __builtins__

    def load(self, code, prelude=""):
        """Run the candidate's code as a module, after the definitions that its checks lend it."""
        with contextlib.suppress(Exception):
            self.execute(prelude, "<setup>", self.namespace)
        try:
            compile(code, "<candidate>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            return json.dumps({"error": describe(error), "invalid": True})
        return self.answer(lambda: self.execute(code, "<candidate>", self.namespace))

    def call(self, expression, setup="", take=None, shown=False):
        """Evaluate an expression over the candidate's names; return its value as data, or its repr where `shown`."""

        def value():
            self.execute(setup, "<setup>", self.namespace)
            found = eval(compile(expression, "<call>", "eval"), self.namespace)
            return found if not shown or found is None else Shown(found)

        return self.answer(value, take)

    def run(self, setup, source, names):
        """Run test code next to the candidate: its setup, its source, then each named test function or case."""

        def body():
            self.execute(setup, "<setup>", self.namespace)
            scope = dict(self.namespace)
            self.execute(source, "<check>", scope)
            for name in names:
                self.test(scope[name])

        return self.answer(body)

    def doctest(self, setup, source):
        """Run a doctest text next to the candidate."""
        import doctest

        def body():
            self.execute(setup, "<setup>", self.namespace)
            test = doctest.DocTestParser().get_doctest(source, dict(self.namespace), "check", "<check>", 0)
            report = io.StringIO()
            if doctest.DocTestRunner(verbose=False).run(test, out=report.write).failed:
                raise AssertionError(report.getvalue())

        return self.answer(body)

    def test(self, thing):
        if not isinstance(thing, type):
            awaited = thing()
            if isinstance(awaited, types.CoroutineType):
                import asyncio

                asyncio.run(awaited)
            elif isinstance(awaited, types.GeneratorType):
                raise AssertionError("the test is a generator: nothing of it ran")
            return
        import unittest

        if issubclass(thing, unittest.TestCase):
            result = unittest.TestResult()
            unittest.defaultTestLoader.loadTestsFromTestCase(thing).run(result)
            for case, text in result.failures + result.errors:
                raise AssertionError(f"{case.id()}\n{text}")
            if result.testsRun == 0:
                raise AssertionError("the test case has no tests")
            return
        tests = [name for name in dir(thing) if name.startswith("test")]
        if not tests:
            raise AssertionError("the test class has no tests")
        for name in tests:
            instance = thing()
            with_setup = getattr(instance, "setup_method", None)
            if with_setup is not None:
                with_setup()
            getattr(instance, name)()

    def execute(self, code, filename, scope):
        linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
        exec(compile(code, filename, "exec", dont_inherit=True), scope)

    def answer(self, work, take=None):
        """Do the work and return what became of it as JSON."""
        out, err = Printed(self.output_limit), Printed(self.output_limit)
        reply = {}
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                value = work()
                text = isinstance(value, Shown)
                reply["shown" if text else "value"] = (
                    repr(value.value)[: self.result_limit]
                    if text
                    else Encoder(self.result_limit, self.depth, take).encode(value)
                )
            except OutputLimit as error:
                reply["limit"] = str(error)
            except BaseException as error:
                reply["error"] = describe(error)
        reply["stdout"], reply["stderr"] = out.text(), err.text()
        return json.dumps(reply)


class Shown:
    """A value whose repr is wanted."""

    def __init__(self, value):
        self.value = value
