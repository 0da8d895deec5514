"""The part that runs inside the candidate's kernel: load the code, call it, answer in plain typed data.

Stand-alone, standard library only; its source is sent to the kernel, whichever kernel that is. Nothing here is
trusted: whatever a candidate makes of it, the host sees no more than data, and compares that with values which this
process never had.
"""

import contextlib
import datetime
import decimal
import fractions
import io
import itertools
import json
import linecache
import sys
import traceback
import types

MOST_ITEMS = 10_000
TEXT_LIMIT = 16_384


class OutputLimit(BaseException):
    """The candidate printed more than it may."""


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


def encode(value, depth=0):
    """Return typed plain data for JSON; a subclass goes by its base value, through the base type's own methods."""
    if depth > encode.depth:
        raise ValueError(f"a result nested more than {encode.depth} deep")
    if value is None or value is True or value is False:
        return value
    deeper = depth + 1
    if isinstance(value, int):
        return {"int": hex(int.__index__(value))}
    if isinstance(value, float):
        return {"float": float.hex(float.__float__(value))}
    if isinstance(value, complex):
        return {"complex": [float.hex(value.real + 0.0), float.hex(value.imag + 0.0)]}
    if isinstance(value, str):
        return {"str": str.__str__(value)} if type(value) is str else {"str": "".join(str.__iter__(value))}
    if isinstance(value, (bytes, bytearray)):
        return {type_of(value, bytes, bytearray): bytes(value).hex()}
    if isinstance(value, range):
        return {"range": [hex(value.start), hex(value.stop), hex(value.step)]}
    if isinstance(value, list):
        return {"list": [encode(item, deeper) for item in list.__iter__(value)]}
    if isinstance(value, tuple):
        return {"tuple": [encode(item, deeper) for item in tuple.__iter__(value)]}
    if isinstance(value, (set, frozenset)):
        return {type_of(value, set, frozenset): [encode(item, deeper) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(k, deeper), encode(v, deeper)] for k, v in dict.items(value)]}
    if isinstance(value, decimal.Decimal):
        return {"Decimal": decimal.Decimal.__str__(value)}
    if isinstance(value, fractions.Fraction):
        return {"Fraction": [hex(value.numerator), hex(value.denominator)]}
    if isinstance(value, datetime.datetime):
        return {"datetime": datetime.datetime.isoformat(value)}
    if isinstance(value, datetime.date):
        return {"date": datetime.date.isoformat(value)}
    if isinstance(value, datetime.time):
        return {"time": datetime.time.isoformat(value)}
    if isinstance(value, datetime.timedelta):
        return {"timedelta": [value.days, value.seconds, value.microseconds]}
    if hasattr(type(value), "__next__") or isinstance(value, (type({}.keys()), type({}.values()), type({}.items()))):
        items = list(itertools.islice(iter(value), MOST_ITEMS + 1))
        return {"items": [encode(item, deeper) for item in items[:MOST_ITEMS]], "more": len(items) > MOST_ITEMS}
    return {"opaque": f"{type(value).__module__}.{type(value).__qualname__}", "text": short(value)}


encode.depth = 50


def type_of(value, *bases):
    return next(base.__name__ for base in bases if isinstance(value, base))


def short(value):
    try:
        return str(repr(value))[:300]
    except Exception as error:
        return f"<its repr raised {type(error).__name__}>"


class Harness:
    """The candidate's namespace and the three things that are done with it: load, call, run."""

    def __init__(self, output_limit, result_limit, depth):
        self.output_limit, self.result_limit = output_limit, result_limit
        encode.depth = depth
        self.namespace = {"__name__": "candidate", "__builtins__": __builtins__}

    def load(self, code):
        """Run the candidate's code as a module."""
        return self.answer(lambda: self.execute(code, "<candidate>", self.namespace))

    def call(self, expression):
        """Evaluate an expression over the candidate's names, and return its value as data."""
        return self.answer(lambda: eval(compile(expression, "<call>", "eval"), self.namespace))

    def run(self, setup, source, names):
        """Run test code next to the candidate: its setup, its source, then each named test function or case."""
        scope = dict(self.namespace)

        def body():
            self.execute(setup, "<setup>", scope)
            self.execute(source, "<check>", scope)
            for name in names:
                self.test(scope[name])

        return self.answer(body)

    def doctest(self, setup, source):
        """Run a doctest text next to the candidate."""
        import doctest

        scope = dict(self.namespace)

        def body():
            self.execute(setup, "<setup>", scope)
            test = doctest.DocTestParser().get_doctest(source, scope, "check", "<check>", 0)
            report = io.StringIO()
            runner = doctest.DocTestRunner(verbose=False)
            if runner.run(test, out=report.write).failed:
                raise AssertionError(report.getvalue())

        return self.answer(body)

    def test(self, thing):
        if not isinstance(thing, type):
            thing()
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
        for name in [name for name in dir(thing) if name.startswith("test")]:
            instance = thing()
            with_setup = getattr(instance, "setup_method", None)
            if with_setup is not None:
                with_setup()
            getattr(instance, name)()

    def execute(self, code, filename, scope):
        linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
        exec(compile(code, filename, "exec", dont_inherit=True), scope)

    def answer(self, work):
        """Do the work and return what became of it as JSON."""
        out, err = Printed(self.output_limit), Printed(self.output_limit)
        reply = {}
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                reply["value"] = encode(work())
            except OutputLimit as error:
                reply["limit"] = str(error)
            except BaseException as error:
                reply["error"] = self.describe(error)
        reply["stdout"], reply["stderr"] = out.text(), err.text()
        text = json.dumps(reply)
        if len(text) > self.result_limit + 2 * TEXT_LIMIT * 6:
            reply["value"] = {"opaque": "builtins.object", "text": f"a result of more than {self.result_limit} bytes"}
            text = json.dumps(reply)
        return text

    def describe(self, error):
        here = __file__ if "__file__" in globals() else "<harness>"
        try:
            shown = traceback.TracebackException.from_exception(error, limit=-12)
            shown.stack = traceback.StackSummary.from_list(
                [frame for frame in shown.stack if frame.filename not in (here, "<harness>", "<call>")]
            )
            lines = [str(line)[:2000] for line in shown.format()][-40:]
        except Exception as broken:
            lines = [f"<the traceback could not be shown: {type(broken).__name__}>"]
        try:
            evalue = str(error)[:2000]
        except Exception as broken:
            evalue = f"<its text raised {type(broken).__name__}>"
        kinds = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__]
        return {"ename": type(error).__name__, "evalue": evalue, "traceback": lines, "kinds": kinds[:32]}


def install(output_limit, result_limit, depth):
    """Make the harness reachable as a module of its own, out of the candidate's namespace."""
    module = types.ModuleType("_refine_harness")
    module.harness = Harness(output_limit, result_limit, depth)
    sys.modules["_refine_harness"] = module
