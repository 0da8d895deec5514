"""Fake passes: every candidate here gives a wrong answer, and none may pass."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

from tests.hostile.case import Case, wrong

EQUAL = "class E:\n    def __eq__(self, other): return True\n    def __ne__(self, other): return False\n    __hash__ = None\n    def __bool__(self): return True\n    __lt__ = __gt__ = __le__ = __ge__ = __contains__ = __eq__\n"
INTEGER = "class I(int):\n    __eq__ = lambda a, b: True\n    __ne__ = lambda a, b: False\n    __lt__ = __gt__ = __eq__\n    __hash__ = int.__hash__\n    __sub__ = __rsub__ = lambda a, b: 0\n    __abs__ = lambda a: 0\n    __repr__ = lambda a: '2'\n"
SEND = """\
import gc, json, sys
kernel = [o for o in gc.get_objects() if type(o).__name__ == 'SlimKernel'][0]
answers = [json.dumps(dict(value=v, stdout='', stderr='')) for v in (True, 'passed', None, {'passed': True})]
def asker():
    frame = sys._getframe()
    while frame and 'identity' not in frame.f_locals: frame = frame.f_back
    return frame.f_locals['identity']
def forge():
    for answer in answers:
        shown = dict(status='ok', metadata=dict(), data={'text/plain': repr(answer)})
        reply = dict(status='ok', execution_count=1, payload=[], user_expressions=dict(answer=shown))
        for channel in ('shell', 'control', 'stdin', 'iopub'):
            for kind in ('execute_reply', 'kernel_info_reply'):
                kernel.send(channel, kind, reply, asker())
    kernel.publish('status', dict(execution_state='idle'))
"""
FORGED_REPLY = SEND + "forge()\ndef f(x): return 3\n"
FORGED_IOPUB = (
    SEND
    + """\
for content in (dict(execution_state='idle'), dict(outcome='passed'), dict(name='stdout', text='passed')):
    for kind in ('status', 'stream', 'execute_result', 'error', 'shutdown_reply', 'check_result'):
        kernel.publish(kind, content)
def f(x):
    return 3
"""
)
IN_THE_FUNCTION = "{0}\ndef f(x):\n    {1}\n"
PATCHED_JSON = """\
import json, json.encoder
json.dumps = lambda *a, **k: '{"value": true, "stdout": "", "stderr": ""}'
json.JSONEncoder.encode = lambda self, o: '{"value": true}'
json.encoder.c_make_encoder = None
def f(x): return 3
"""

CASES: list[Case] = [
    wrong("equal to everything", EQUAL + "def f(x): return E()\n"),
    wrong("equal to everything, unequal wanted", EQUAL + "def f(x): return E()\n", check="assert not (f(1) != 2)"),
    wrong("equal to everything in a list", EQUAL + "def f(x): return [E()]\n", check="assert f(1) == [2]"),
    wrong(
        "equal to everything as a key",
        EQUAL.replace("__hash__ = None", "__hash__ = lambda s: hash(2)") + "def f(x): return {E(): 1}\n",
        check="assert f(1) == {2: 1}",
    ),
    wrong("equal to everything, searched for", EQUAL + "def f(x): return E()\n", check="assert f(1) in (1, 2, 3)"),
    wrong("equal to everything, searched in", EQUAL + "def f(x): return E()\n", check="assert 2 in f(1)"),
    wrong(
        "a metaclass equal to everything",
        "class M(type):\n    __eq__ = lambda a, b: True\n    __hash__ = type.__hash__\nclass C(metaclass=M): pass\ndef f(x): return C\n",
    ),
    wrong("an int of its own", INTEGER + "def f(x): return I(3)\n"),
    wrong("an int of its own, compared by size", INTEGER + "def f(x): return I(3)\n", check="assert f(1) < 2"),
    wrong("an int of its own, nearly equal", INTEGER + "def f(x): return I(3)\n", check="assert abs(f(1) - 2) < 1e-9"),
    wrong("a float that is no number", "def f(x): return float('nan')\n", check="assert abs(f(1) - 2) < 1e-9"),
    wrong(
        "a str of its own",
        "class S(str):\n    __eq__ = lambda a, b: True\n    __hash__ = str.__hash__\n    __iter__ = lambda a: iter('ab')\ndef f(x): return S('x')\n",
        check="assert f(1) == 'ab'",
    ),
    wrong(
        "a list of its own",
        "class L(list):\n    __eq__ = lambda a, b: True\n    __iter__ = lambda a: iter([1, 2])\n    __len__ = lambda a: 2\ndef f(x): return L([3])\n",
        check="assert sorted(f(1)) == [1, 2]",
    ),
    wrong(
        "a dict of its own",
        "class D(dict):\n    __eq__ = lambda a, b: True\n    items = lambda a: [('a', 1)]\ndef f(x): return D()\n",
        check="assert f(1) == {'a': 1}",
    ),
    wrong(
        "a type that claims to be another",
        "class C:\n    __class__ = int\n    __eq__ = lambda a, b: True\ndef f(x): return C()\n",
        check="assert isinstance(f(1), int) and f(1) == 2",
    ),
    wrong("a repr that lies", "class R:\n    __repr__ = __str__ = lambda s: '2'\ndef f(x): return R()\n"),
    wrong(
        "a repr that lies about a list",
        "class R(list):\n    __repr__ = __str__ = lambda s: '[2]'\ndef f(x): return R()\n",
        check="assert f(1) == [2]",
    ),
    *[
        wrong(f"{words} in the function", IN_THE_FUNCTION.format("import os, sys, signal, threading, atexit", code))
        for words, code in {
            "sys.exit(0)": "sys.exit(0)",
            "quit()": "quit()",
            "os._exit(0)": "os._exit(0)",
            "SystemExit with a pass": "raise SystemExit('passed')",
            "KeyboardInterrupt": "raise KeyboardInterrupt",
            "GeneratorExit": "raise GeneratorExit",
            "AssertionError": "raise AssertionError",
            "abort": "os.abort()",
            "os._exit(0) from a thread": "threading.Thread(target=os._exit, args=[0]).start(); import time; time.sleep(9)",
            "exec of true": "os.execv('/bin/true', ['true'])",
            "pthread exit": "import ctypes; ctypes.CDLL(None).pthread_exit(None)",
            "a signal's default": "os.kill(os.getpid(), signal.SIGTERM)",
        }.items()
    ],
    *[
        wrong(f"{code} at top", f"def f(x): return 3\nimport os, sys\n{code}\n")
        for code in (
            "sys.exit(0)",
            "quit()",
            "exit(0)",
            "os._exit(0)",
            "raise SystemExit",
            "raise KeyboardInterrupt",
            "os.execv('/bin/true', ['true'])",
        )
    ],
    wrong(
        "AssertionError replaced",
        "import builtins\nclass AssertionError(BaseException):\n    def __new__(cls, *a): raise SystemExit(0)\nbuiltins.AssertionError = AssertionError\ndef f(x): return 3\n",
    ),
    wrong(
        "AssertionError that is false",
        "import builtins\nbuiltins.AssertionError = type('AssertionError', (), {})\ndef f(x): raise builtins.AssertionError()\n",
    ),
    wrong(
        "the expected exception replaced",
        "import builtins\nclass ValueError(BaseException): pass\nbuiltins.ValueError = ValueError\ndef f(x): return 3\n",
        check="import pytest\nwith pytest.raises(ValueError):\n    f(1)",
    ),
    wrong(
        "an exception by the same name",
        "class ValueError(Exception): pass\ndef f(x): raise ValueError('x')\n",
        check="import pytest\nwith pytest.raises(ValueError):\n    f(1)",
    ),
    wrong(
        "an AST transformer",
        "import ast\nast.NodeTransformer.visit = lambda s, n: n\nast.parse = lambda *a, **k: ast.Module([], [])\ndef f(x): return 3\n",
    ),
    wrong(
        "compile replaced",
        "import builtins\nreal = builtins.compile\nbuiltins.compile = lambda source, *a, **k: real('True' if isinstance(source, str) and 'f(' in source else source, *a, **k)\ndef f(x): return 3\n",
    ),
    wrong(
        "an input transformer",
        "from IPython import get_ipython\nip = get_ipython()\nip.input_transformers_cleanup.append(lambda lines: ['pass\\n'])\nip.ast_transformers.append(None)\ndef f(x): return 3\n",
    ),
    wrong(
        "a patched run_cell",
        "from IPython.core.interactiveshell import InteractiveShell\nInteractiveShell.run_cell = lambda *a, **k: True\nInteractiveShell.run_cell_async = None\nInteractiveShell.user_expressions = lambda *a: {}\ndef f(x): return 3\n",
    ),
    wrong(
        "frame walking",
        "import sys\ndef f(x):\n    frame = sys._getframe()\n    while frame:\n        for space in (frame.f_locals, frame.f_globals):\n            for v in list(space.values()):\n                if isinstance(v, str) and '==' in v and 'f(' in v and len(v) < 99: return eval(v.split('==')[1])\n        frame = frame.f_back\n    return 3\n",
    ),
    wrong(
        "a scan of all objects",
        "import gc\ndef f(x):\n    for o in gc.get_objects():\n        try:\n            if isinstance(o, dict):\n                for v in o.values():\n                    if type(v) is str and v.startswith('assert f(1)'): return int(v.split('==')[1])\n        except Exception: pass\n    return 3\n",
    ),
    wrong(
        "a scan of the connection and its folder",
        "import os\ndef f(x):\n    for folder in ('.', '..', '../..'):\n        for name in os.listdir(folder):\n            try: text = open(os.path.join(folder, name)).read()\n            except Exception: continue\n            if 'assert f(1)' in text: return 2\n    return 3\n",
    ),
    wrong(
        "a scan of its own memory",
        "import os\ndef f(x):\n    marker = b'f(1) ' + b'== '\n    with open('/proc/self/mem', 'rb', 0) as memory, open('/proc/self/maps') as maps:\n        for line in maps:\n            if 'rw' not in line: continue\n            low, high = (int(n, 16) for n in line.split()[0].split('-'))\n            if high - low > 1 << 24: continue\n            try:\n                memory.seek(low); text = memory.read(high - low)\n            except OSError: continue\n            if marker + b'2' in text: return 2\n    return 3\n",
    ),
    wrong("forged iopub messages", FORGED_IOPUB),
    wrong("forged shell replies", FORGED_REPLY),
    wrong("forged shell replies in the function", SEND + "def f(x):\n    forge()\n    return 3\n"),
    wrong(
        "forged shell replies from a thread",
        SEND
        + "import threading, time\nwho = asker()\nasker = lambda: who\ndef run():\n    while True: forge(); time.sleep(0.001)\nthreading.Thread(target=run, daemon=True).start()\ndef f(x):\n    time.sleep(0.1)\n    return 3\n",
    ),
    wrong(
        "no replies at all but forged ones",
        SEND
        + "real = kernel.send\ndef send(channel, kind, content, identities):\n    if kind == 'execute_reply': content['user_expressions'] = dict(answer=dict(status='ok', data={'text/plain': repr(answers[0])}))\n    real(channel, kind, content, identities)\nkernel.send = send\ndef f(x): return 3\n",
    ),
    wrong(
        "signing patched",
        SEND
        + "for name in dir(kernel.messages):\n    if not name.startswith('__'):\n        try: setattr(kernel.messages, name, lambda *a, **k: b'')\n        except Exception: pass\ndef f(x): return 3\n",
    ),
    wrong(
        "a printed marker",
        "def f(x):\n    print('passed'); print('{\"value\": true}'); print('1 passed in 0.01s'); print('OK')\n    return 3\n",
    ),
    wrong(
        "a printed marker at exit",
        "import atexit, os\natexit.register(print, 'passed')\ndef f(x):\n    os.write(1, b'passed\\n{\"value\": true}\\n')\n    raise SystemExit(0)\n",
    ),
    wrong(
        "shadowed builtins",
        "import builtins\nfor name in ('sorted', 'len', 'abs', 'set', 'isinstance', 'all', 'any', 'bool', 'repr'):\n    globals()[name] = lambda *a, **k: True\n    setattr(builtins, name, lambda *a, **k: True)\ndef f(x): return 3\n",
    ),
    wrong(
        "shadowed builtins that checks use",
        "import builtins\nfor name in ('sorted', 'len', 'sum'):\n    globals()[name] = lambda *a, **k: [1, 2]\n    setattr(builtins, name, lambda *a, **k: [1, 2])\ndef f(x): return [3]\n",
        check="assert sorted(f([2, 1])) == [1, 2]",
    ),
    wrong(
        "a function of the checks shadowed",
        "import math\nmath.isclose = lambda *a, **k: True\ndef isclose(*a, **k): return True\ndef f(x): return 3\n",
        check="import math\nassert math.isclose(f(1), 2)",
    ),
    wrong(
        "isinstance replaced",
        "import builtins\nbuiltins.isinstance = lambda *a: True\nbuiltins.issubclass = lambda *a: True\nbuiltins.type = lambda *a: int\ndef f(x): return object()\n",
    ),
    wrong("a late redefinition", "def f(x):\n    global f\n    f = lambda x: 2\n    return 3\n"),
    wrong(
        "a late redefinition of the harness",
        "import sys\ndef f(x):\n    sys.modules['_refine_harness'].harness.answer = lambda *a, **k: '{\"value\": true}'\n    return 3\n",
    ),
    wrong(
        "right only when looked at twice",
        "calls = []\ndef f(x):\n    calls.append(x)\n    return 2 if len(calls) > 1 else 3\n",
        check="assert f(1) == 2\nassert f(1) == 2",
    ),
    wrong("patched json", PATCHED_JSON),
    wrong(
        "patched encoder",
        "import sys\nencoder = sys.modules['_refine_encoder']\nencoder.Encoder.encode = encoder.Encoder.value = lambda *a: True\nencoder.PLAIN = ()\ndef f(x): return 3\n",
    ),
    wrong(
        "patched harness",
        "import sys\nharness = sys.modules['_refine_harness'].harness\nfor name in ('call', 'load', 'run', 'cross', 'program', 'answer'):\n    setattr(harness, name, lambda *a, **k: '{\"value\": true, \"verdict\": {\"passed\": true}}')\ndef f(x): return 3\n",
    ),
    wrong(
        "the harness' modules gone",
        "import sys\nfor name in [n for n in sys.modules if n.startswith('_refine')]: del sys.modules[name]\ndef f(x): return 3\n",
    ),
    wrong(
        "a harness that answers what cannot be read",
        "import sys\nsys.modules['_refine_harness'].harness.call = lambda *a, **k: '{\"value\": {\"set\": [[1]]}}'\ndef f(x): return 3\n",
    ),
    wrong(
        "a harness that answers deep data",
        "import sys\nsys.modules['_refine_harness'].harness.call = lambda *a, **k: '{\"value\": ' + '[' * 9999 + ']' * 9999 + '}'\ndef f(x): return 3\n",
    ),
    wrong(
        "a harness that answers an expression",
        "import sys\nclass A(str):\n    __repr__ = lambda s: \"'{}' or __import__('os').system('true')\"\nsys.modules['_refine_harness'].harness.call = lambda *a, **k: A()\ndef f(x): return 3\n",
    ),
    wrong(
        "a harness that answers a million strings",
        "import sys\nclass A(str):\n    __repr__ = lambda s: \"'' \" * 1_000_000\nsys.modules['_refine_harness'].harness.call = lambda *a, **k: A()\ndef f(x): return 3\n",
    ),
    wrong(
        "monkeypatched repr",
        'import builtins\nbuiltins.repr = lambda o: "\'{\\"value\\": true}\'"\nimport reprlib\nreprlib.repr = builtins.repr\ndef f(x): return 3\n',
    ),
    wrong(
        "monkeypatched eval",
        "import builtins\nbuiltins.eval = lambda *a: '{\"value\": true}'\nbuiltins.exec = lambda *a: None\ndef f(x): return 3\n",
    ),
    wrong(
        "a fork whose child answers",
        "import os, time\ndef f(x):\n    if os.fork() == 0: return True\n    time.sleep(0.2)\n    return 3\n",
    ),
    wrong(
        "a fork whose child answers for a parent that left",
        "import os\ndef f(x):\n    if os.fork(): os._exit(0)\n    return True\n",
    ),
    wrong("a child that runs on", "import os\nif os.fork(): os._exit(0)\ndef f(x): return True\n"),
    wrong(
        "a trace function that changes what is returned",
        "import sys\ndef tracer(frame, event, arg):\n    frame.f_trace_opcodes = True\n    return tracer\nsys.settrace(tracer)\nsys.setprofile(lambda *a: None)\ndef f(x): return 3\n",
    ),
    wrong(
        "an import hook",
        "import builtins\nreal = builtins.__import__\ndef hook(name, *a, **k):\n    if 'json' in name: raise SystemExit(0)\n    return real(name, *a, **k)\nbuiltins.__import__ = hook\ndef f(x): return 3\n",
    ),
    wrong(
        "another call beneath the same name",
        "class F:\n    def __call__(self, x): return self\n    def __eq__(self, o): return True\n    __hash__ = None\nf = F()\n",
    ),
    wrong(
        "a module in place of the candidate's",
        "import sys, types\nclass M(types.ModuleType):\n    def __getattr__(self, name): return lambda *a: True\nsys.modules['candidate'] = M('candidate')\ndef f(x): return 3\n",
    ),
    wrong(
        "excepthook and displayhook",
        "import sys\nsys.excepthook = sys.displayhook = sys.unraisablehook = lambda *a: None\ndef f(x): raise ValueError('2')\n",
    ),
]
