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

    def __init__(self, limit, most):
        self.limit, self.most, self.size, self.parts = limit, most, 0, []

    def writable(self):
        return True

    def write(self, text):
        self.size += len(text)
        if self.size > self.limit:
            raise OutputLimit(f"more than {self.limit} characters printed")
        self.parts.append(str(text))
        return len(text)

    def whole(self):
        return "".join(self.parts)[: self.most]

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
        broken = self.compile(code)
        if broken != "{}":
            return broken
        return self.answer(lambda: self.execute(code, "<candidate>", self.namespace))

    def call(self, expression, setup="", take=None, shown=False):
        """Evaluate an expression over the candidate's names; return its value as data, or its repr where `shown`."""

        def value():
            self.execute(setup, "<setup>", self.namespace)
            found = eval(compile(expression, "<call>", "eval"), self.namespace)
            return found if not shown or found is None else Shown(found)

        return self.answer(value, take)

    def install(self, sources):
        """Bring more of our modules in, those that are not here yet."""
        for name, source in sources.items():
            if name not in sys.modules:
                sys.modules[name] = types.ModuleType(name)
                exec(compile(source, "<harness>", "exec", dont_inherit=True), sys.modules[name].__dict__)

    def run(self, text):
        """Run test code next to the candidate: its setup in the candidate's module, the rest in a copy of it."""
        request = json.loads(text)
        reply = {}

        def body():
            self.execute(request["setup"], "<setup>", self.namespace)
            found = sys.modules["_refine_runner"].run({**request, "setup": ""}, self.namespace)
            found.pop("exception", None)
            reply["verdict"] = found

        answer = json.loads(self.answer(body))
        return json.dumps({**answer, **reply})

    def cross(self, text):
        """Answer what a stub in the judge's kernel asks."""
        return sys.modules["_refine_serving"].serving().answer(text)

    def compile(self, code):
        """Keep the candidate's code as a program, without running it."""
        self.code = code
        try:
            compile(code, "<candidate>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            return json.dumps({"error": describe(error), "invalid": True})
        return json.dumps({})

    def program(self, stdin):
        """Run the candidate's code as a program with this on its standard input."""
        try:
            return json.dumps({"program": sys.modules["_refine_program"].run(self.code, stdin, self.output_limit // 4)})
        except OutputLimit as error:
            return json.dumps({"limit": str(error)})

    def printed(self):
        """Return what collects the output of one thing that is done."""
        return Printed(self.output_limit, self.result_limit)

    def execute(self, code, filename, scope):
        linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
        exec(compile(code, filename, "exec", dont_inherit=True), scope)

    def answer(self, work, take=None):
        """Do the work and return what became of it as JSON."""
        out, err = self.printed(), self.printed()
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
