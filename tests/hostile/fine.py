"""Good candidates that use much of what Python offers: they pass at every level, or the table says why not."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

from tests.hostile.case import Case, good

# /dev/shm holds the semaphores of multiprocessing, and Landlock gives a candidate no folder but its own.
NO_SEMAPHORES = {"landlock": "failed|error"}
# Without a socket of its own no event loop, so its self-pipe is a socketpair: streams are allowed.
CASES: list[Case] = [
    good("nothing special", "def f(x):\n    return x + 1\n"),
    good("a process of multiprocessing", "import multiprocessing as mp\ndef add(pipe, x): pipe.send(x + 1)\ndef f(x):\n"
         "    ours, theirs = mp.Pipe()\n    p = mp.get_context('fork').Process(target=add, args=(theirs, x))\n"
         "    p.start()\n    found = ours.recv()\n    p.join()\n    return found\n"),
    good("a process that is terminated", "import multiprocessing as mp, time\ndef f(x):\n"
         "    p = mp.get_context('fork').Process(target=time.sleep, args=(600,))\n    p.start()\n    p.terminate()\n"
         "    p.join()\n    return x + 1\n"),
    good("a lock of multiprocessing", "import multiprocessing as mp\ndef f(x):\n    with mp.Lock(): return x + 1\n", at=NO_SEMAPHORES),
    good("a pool of processes", "import multiprocessing as mp\ndef add(x): return x + 1\ndef f(x):\n"
         "    with mp.get_context('fork').Pool(2) as pool: return pool.map(add, [x])[0]\n", at=NO_SEMAPHORES),
    good("a pool of threads", "from concurrent.futures import ThreadPoolExecutor\ndef f(x):\n"
         "    with ThreadPoolExecutor(4) as pool: return sum(pool.map(int, [x, 1]))\n"),
    good("a program", "import subprocess, sys\ndef f(x):\n"
         "    return int(subprocess.run([sys.executable, '-c', f'print({x} + 1)'], capture_output=True, text=True, check=True).stdout)\n"),
    good("a shell", "import subprocess\ndef f(x): return int(subprocess.check_output(f'echo $(({x} + 1))', shell=True))\n"),
    good("a program that takes too long", "import subprocess, sys\ndef f(x):\n    try:\n"
         "        subprocess.run([sys.executable, '-S', '-c', 'import time; time.sleep(600)'], timeout=0.1)\n"
         "    except subprocess.TimeoutExpired: return x + 1\n"),
    good("asyncio", "import asyncio\nasync def add(x):\n    await asyncio.sleep(0.001)\n    return x + 1\n"
         "def f(x): return asyncio.run(add(x))\n"),
    good("asyncio with a thread", "import asyncio\ndef f(x): return asyncio.run(asyncio.to_thread(lambda: x + 1))\n"),
    good("temporary files", "import tempfile, os\ndef f(x):\n    with tempfile.TemporaryDirectory() as folder, "
         "tempfile.NamedTemporaryFile('w+', dir=folder) as file, tempfile.TemporaryFile() as other:\n"
         "        other.write(b'x')\n        file.write(str(x + 1))\n        file.seek(0)\n        return int(file.read())\n"),
    good("a file in its folder", "def f(x):\n    with open('a.txt', 'w') as file: file.write(str(x + 1))\n"
         "    with open('a.txt') as file: return int(file.read())\n"),
    good("a tree of files", "import os, shutil, pathlib\ndef f(x):\n    os.makedirs('a/b')\n    pathlib.Path('a/b/c').write_text('2')\n"
         "    shutil.copytree('a', 'd')\n    os.rename('d', 'e')\n    shutil.rmtree('a')\n    return int(pathlib.Path('e/b/c').read_text())\n"),
    good("a file in the home folder", "import pathlib\ndef f(x):\n    p = pathlib.Path.home() / 'settings.json'\n"
         "    p.write_text('2')\n    return int(p.read_text())\n"),
    good("sqlite in its folder", "import sqlite3\ndef f(x):\n    with sqlite3.connect('a.db') as db:\n"
         "        db.execute('create table t (x)')\n        db.execute('insert into t values (?)', (x + 1,))\n"
         "    return db.execute('select x from t').fetchone()[0]\n"),
    good("sqlite in memory", "import sqlite3\ndef f(x): return sqlite3.connect(':memory:').execute('select ? + 1', (x,)).fetchone()[0]\n"),
    good("threads", "import threading, queue\ndef f(x):\n    q = queue.Queue()\n    ts = [threading.Thread(target=q.put, args=(x,)) for _ in range(8)]\n"
         "    for t in ts: t.start()\n    for t in ts: t.join()\n    return q.get() + 1\n"),
    good("fork and wait", "import os\ndef f(x):\n    r, w = os.pipe()\n    pid = os.fork()\n    if pid == 0:\n"
         "        os.write(w, str(x + 1).encode())\n        os._exit(0)\n    os.waitpid(pid, 0)\n    return int(os.read(r, 9))\n"),
    good("a signal to itself", "import os, signal\nheard = []\nsignal.signal(signal.SIGUSR1, lambda *a: heard.append(1))\n"
         "def f(x):\n    os.kill(os.getpid(), signal.SIGUSR1)\n    return x + len(heard)\n"),
    good("an alarm", "import signal, time\ndef late(*a): raise TimeoutError\nsignal.signal(signal.SIGALRM, late)\ndef f(x):\n"
         "    signal.setitimer(signal.ITIMER_REAL, 0.05)\n    try:\n        time.sleep(9)\n    except TimeoutError: return x + 1\n"),
    good("random", "import random, secrets, uuid, os\ndef f(x):\n    uuid.uuid4(); uuid.uuid1(); secrets.token_hex(); os.urandom(8)\n"
         "    return x + random.choice([1])\n"),
    good("time zones", "from datetime import datetime, timezone\nfrom zoneinfo import ZoneInfo\ndef f(x):\n"
         "    return x + (datetime(2024, 7, 1, tzinfo=ZoneInfo('Europe/Berlin')).utcoffset().seconds == 7200)\n"),
    good("hashes", "import hashlib, hmac, zlib\ndef f(x):\n    hmac.new(b'k', b'm', 'sha256').digest()\n"
         "    return x + (hashlib.sha256(b'').hexdigest()[:4] == 'e3b0')\n"),
    good("ssl", "import ssl\nssl.create_default_context()\ndef f(x): return x + 1\n"),
    good("imports that look around", "import platform, getpass, locale, socket, select, mmap, ctypes, cProfile, readline\n"
         "platform.platform(); locale.setlocale(locale.LC_ALL, ''); socket.gethostname(); platform.processor()\n"
         "def f(x): return x + 1\n"),
    good("logging", "import logging\nlogging.basicConfig(filename='a.log', level=logging.INFO)\ndef f(x):\n"
         "    logging.info('called')\n    return x + 1\n"),
    good("deep recursion", "import sys\nsys.setrecursionlimit(20_000)\ndef g(n): return 0 if n == 0 else 1 + g(n - 1)\n"
         "def f(x): return x + (g(9_000) == 9_000)\n"),
    good("deep recursion in a thread", "import sys, threading\nsys.setrecursionlimit(10 ** 5)\nthreading.stack_size(64 << 20)\n"
         "def g(n): return 0 if n == 0 else 1 + g(n - 1)\ndef f(x):\n    out = []\n    t = threading.Thread(target=lambda: out.append(g(30_000)))\n"
         "    t.start()\n    t.join()\n    return x + (out == [30_000])\n"),
    good("a hundred megabytes", "def f(x):\n    a = bytearray(100_000_000)\n    return x + 1\n"),
    good("much is printed", "def f(x):\n    for n in range(5_000): print('line', n)\n    return x + 1\n"),
    good("pickle and copy", "import copy, pickle\nclass P:\n    def __init__(self, x): self.x = x\n"
         "def f(x): return pickle.loads(pickle.dumps(copy.deepcopy(P(x)))).x + 1\n"),
    good("dataclasses and enums", "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom enum import Enum\n"
         "class C(Enum):\n    A = 1\n@dataclass(frozen=True, slots=True)\nclass P:\n    x: int\ndef f(x): return P(x).x + C.A.value\n"),
    good("an int enum as a result", "from enum import IntEnum\nclass C(IntEnum):\n    A = 2\ndef f(x): return C.A\n"),
    good("a program's own main", "def f(x):\n    return x + 1\nif __name__ == '__main__':\n    raise SystemExit('not as a program')\n"),
    good("an exit handler", "import atexit\natexit.register(print, 'bye')\ndef f(x): return x + 1\n"),
    good("its own event loop, sockets in pairs", "import socket\ndef f(x):\n    a, b = socket.socketpair()\n    a.send(b'2')\n    return int(b.recv(1))\n"),
    good("arrays", "import numpy as np\ndef f(x): return int(np.dot(np.ones(1000), np.ones(1000)) / 1000) + x\n", needs=("numpy",)),
    good("random arrays", "import numpy as np\ndef f(x): return np.random.default_rng(0).integers(1, 2) + x\n", needs=("numpy",)),
]  # fmt: skip
