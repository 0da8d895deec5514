"""Candidates that never end: each is a timeout, and none holds anything up for longer than that."""

from __future__ import annotations

from tests.hostile.case import Case

FOREVER = "while True: pass"


def hang(name: str, code: str, expected: str = "timeout") -> Case:
    return Case(name, code, expected, hasty=True)


CASES: list[Case] = [
    hang("a loop", f"def f(x):\n    {FOREVER}\n"),
    hang("a loop at top", f"def f(x): return 2\n{FOREVER}\n"),
    hang(
        "SIGINT ignored",
        "import signal\nfor n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\n"
        f"def f(x):\n    {FOREVER}\n",
    ),
    hang(
        "every exception caught",
        "def f(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\n",
    ),
    hang("a power in C", "def f(x): return len(str(10 ** 10 ** 8))\n"),
    hang("a regular expression in C", "import re\ndef f(x): return re.match(r'(a+)+$', 'a' * 60 + 'b')\n"),
    hang("sleep", "import time\ndef f(x): time.sleep(600)\n"),
    hang("a hang in repr", f"class H:\n    def __repr__(self):\n        {FOREVER}\ndef f(x): return H()\n"),
    hang(
        "a hang in eq",
        "import time\nclass H(int):\n    def __index__(self): time.sleep(600)\n"
        "    def __eq__(self, o): time.sleep(600)\n    __hash__ = None\n    def __repr__(self): time.sleep(600)\n"
        "class G:\n    __repr__ = H.__repr__\ndef f(x): return [G()]\n",
    ),
    hang(
        "a hang in the text of an exception",
        "import time\nclass E(Exception):\n    def __str__(self): time.sleep(600)\ndef f(x): raise E()\n",
    ),
    hang("an iterator that gives nothing", "def f(x):\n    while False: yield\n    while True: pass\n"),
    # What comes after the answer is no concern of the verdict's: the kernel is killed, not asked to leave.
    hang(
        "a hang in __del__",
        "import time\nclass D:\n    def __del__(self): time.sleep(600)\ndef f(x):\n    D()\n    return 2\n",
    ),
    hang(
        "a hang in __del__ at the end",
        "import time\nclass D:\n    def __del__(self): time.sleep(600)\nkept = D()\ndef f(x): return 2\n",
        "passed",
    ),
    hang("a hang in atexit", "import atexit, time\natexit.register(time.sleep, 600)\ndef f(x): return 2\n", "passed"),
    hang(
        "a thread that never ends",
        "import threading\ndef run():\n    while True: pass\n"
        "threading.Thread(target=run).start()\ndef f(x): return 2\n",
        "passed",
    ),
    hang(
        "a child that never ends",
        "import os, time\nif os.fork() == 0:\n    while True: time.sleep(1)\ndef f(x): return 2\n",
        "passed",
    ),
    hang(
        "a deadlock",
        "import threading\nlock = threading.Lock()\ndef f(x):\n    with lock:\n        with lock: return 2\n",
    ),
    hang(
        "a deadlocked import",
        "import sys, threading, time\n"
        "open('slow_one.py', 'w').write('import time\\ntime.sleep(600)\\n')\nsys.path.insert(0, '.')\n"
        "threading.Thread(target=__import__, args=['slow_one'], daemon=True).start()\ntime.sleep(0.05)\n"
        "def f(x):\n    import slow_one\n    return 2\n",
    ),
    hang(
        "waits for a child",
        "import subprocess, sys\ndef f(x):\n"
        "    subprocess.run([sys.executable, '-S', '-c', 'import time; time.sleep(600)'])\n",
    ),
    hang("stopped by itself", "import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGSTOP)\n"),
    hang(
        "all threads stopped by a child",
        "import os, signal, time\nparent = os.getpid()\ndef f(x):\n"
        "    if os.fork() == 0:\n        while True: os.kill(parent, signal.SIGSTOP)\n    time.sleep(600)\n",
    ),
    hang("reads from standard input", "import os\ndef f(x):\n    while True: os.read(0, 1)\n"),
    hang("waits for a pipe of its own", "import os\ndef f(x):\n    r, w = os.pipe()\n    os.read(r, 1)\n"),
    hang("a pipe file that nobody writes", "import os\nos.mkfifo('p')\ndef f(x): open('p').read()\n"),
    hang("vfork held up", "import ctypes\ndef f(x):\n    ctypes.CDLL(None).pause()\n"),
]
