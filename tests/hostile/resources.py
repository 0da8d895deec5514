"""Candidates that use up memory, processes, disk, descriptors or the host's patience."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

from tests.hostile.case import Case

FORGED = """\
import gc
kernel = [o for o in gc.get_objects() if type(o).__name__ == 'SlimKernel'][0]
def f(x):
    while True:
        kernel.publish('stream', dict(name='stdout', text='x' * 10_000))
"""
PARTS = """\
import gc, struct, time
kernel = [o for o in gc.get_objects() if type(o).__name__ == 'SlimKernel'][0]
peers = [peer for peer in kernel.channels.peers.values() if peer.channel == 'iopub']
def f(x):
    for _ in range(200):
        peers[0].socket.sendall(struct.pack('>BQ', 3, 1_000_000) + b'x' * 1_000_000)
    time.sleep(600)
"""
# Frames of one message that never ends, written past the kernel on every connection: flags 3 are `more` and `long`.
RAW = """\
import os, stat, struct, time
frame = struct.pack('>BQ', 3, 1_000_000) + b'x' * 1_000_000
def f(x):
    targets = []
    for n in range(3, 128):
        try:
            if stat.S_ISSOCK(os.fstat(n).st_mode): targets.append(n)
        except OSError: pass
    sent = {n: 0 for n in targets}
    until = time.monotonic() + 0.5
    while time.monotonic() < until and max(sent.values()) < 200_000_000:
        for n in targets:
            try: sent[n] += os.write(n, frame[sent[n] % len(frame):])
            except OSError: pass
    time.sleep(600)
"""
FLOODS: list[Case] = [
    Case("a print flood", "def f(x):\n    while True: print('x' * 1000)\n", "output_limit"),
    Case("a print of 200 MB", "def f(x): print('x' * 200_000_000)\n", "output_limit|memory"),
    Case("a print flood that goes on", "def f(x):\n    while True:\n        try: print('x' * 10_000)\n"
         "        except BaseException: pass\n", "timeout", hasty=True),
    Case("a flood of descriptor 1", "import os\ndef f(x):\n    while True: os.write(1, b'x' * 10_000)\n", "output_limit|failed"),
    Case("a flood of descriptor 2", "import os\ndef f(x):\n    while True: os.write(2, b'x' * 10_000)\n", "output_limit|failed"),
    Case("a flood of sys.stderr", "import sys\ndef f(x):\n    while True: print('x' * 1000, file=sys.stderr)\n", "output_limit"),
    Case("a flood of the real stdout", "import sys\ndef f(x):\n    while True: print('x' * 9999, file=sys.__stdout__)\n", "output_limit|failed"),
    Case("a flood by a child", "import subprocess, sys\ndef f(x):\n    subprocess.run(['/usr/bin/yes', 'x' * 9999])\n    return 3\n", "output_limit|failed"),
    Case("a flood of forged messages", FORGED, "output_limit|memory"),
    Case("a message of many parts", PARTS, "output_limit|memory|timeout"),
    Case("raw frames past the kernel", RAW, "output_limit|memory|timeout|crashed"),
    Case("a result of 200 MB", "def f(x): return 'x' * 200_000_000\n", "failed|memory"),
    Case("a forged answer of 100 MB", "import sys\nsys.modules['_refine_harness'].harness.call = lambda *a, **k: 'x' * 100_000_000\n"
         "def f(x): return 3\n", "output_limit|crashed|memory|failed"),
    Case("a flood of warnings", "import warnings\ndef f(x):\n    for n in range(10 ** 9): warnings.warn(f'{n}' * 100)\n", "output_limit|failed|memory"),
    Case("an exception of 100 MB", "def f(x): raise ValueError('x' * 100_000_000)\n", "failed|memory"),
]  # fmt: skip

CASES: list[Case] = [
    *FLOODS,
    Case("memory at once", "def f(x): return bytearray(10 ** 12)\n", "memory"),
    Case("memory bit by bit", "def f(x):\n    a = []\n    while True: a.append('x' * 10 ** 7)\n", "memory"),
    Case("memory at top", "def f(x): return 2\na = [0] * 10 ** 12\n", "memory"),
    Case("memory of an integer", "def f(x): return 1 << 10 ** 11\n", "memory"),
    Case("memory mapped", "import mmap\ndef f(x):\n    kept = []\n    while True:\n        m = mmap.mmap(-1, 1 << 24)\n"
         "        m.write(b'x' * (1 << 24))\n        kept.append(m)\n", "memory|failed"),
    Case("memory of many children", "import os, time\ndef f(x):\n    for _ in range(12):\n        if os.fork() == 0:\n"
         "            kept = bytearray(b'x' * 100_000_000)\n            time.sleep(600)\n    time.sleep(600)\n", "memory"),
    Case("memory in files without a name", "import os, time\ndef f(x):\n    kept = []\n    for n in range(60):\n"
         "        d = os.memfd_create('m')\n        kept.append(d)\n        os.write(d, b'x' * 15_000_000)\n"
         "    time.sleep(1)\n    return 2\n", "memory|crashed|failed"),
    Case("a fork bomb", "import os\ndef f(x):\n    while True: os.fork()\n", "failed|crashed|timeout|memory"),
    Case("a fork bomb that goes on", "import os\ndef f(x):\n    while True:\n        try: os.fork()\n"
         "        except OSError: pass\n", "crashed|timeout|memory", hasty=True),
    Case("a fork bomb of sessions", "import os\ndef f(x):\n    while True:\n        try:\n            if os.fork() == 0:\n"
         "                os.setsid()\n                if os.fork(): os._exit(0)\n        except OSError: pass\n",
         "crashed|timeout|memory", hasty=True),
    Case("a thread bomb", "import threading, time\ndef f(x):\n    while True: threading.Thread(target=time.sleep, args=[600]).start()\n", "failed|memory"),
    Case("one endless file", "def f(x):\n    with open('a', 'wb') as file:\n        while True: file.write(b'x' * 1_000_000)\n", "failed|crashed"),
    Case("many files", "def f(x):\n    for n in range(10 ** 6): open(f'{n}', 'wb').write(b'x' * 1_000_000)\n", "failed|crashed"),
    Case("many files without a name", "import os, time\ndef f(x):\n    kept = []\n    for n in range(20):\n"
         "        d = os.open('d', os.O_CREAT | os.O_RDWR)\n        os.unlink('d')\n        kept.append(d)\n"
         "        os.write(d, b'x' * 15_000_000)\n    time.sleep(1)\n    return 2\n", "failed|crashed"),
    Case("big files behind many small ones", "import os, time\ndef f(x):\n    for folder in 'abc': os.mkdir(folder)\n"
         "    for folder in 'ac':\n        for n in range(11_000): os.close(os.open(f'{folder}/{n}', os.O_CREAT))\n"
         "    for n in range(20): open(f'b/{n}', 'wb').write(b'x' * 15_000_000)\n    time.sleep(1)\n    return 2\n",
         "failed|crashed|timeout"),
    Case("a sparse file", "import os\ndef f(x):\n    with open('a', 'wb') as file: file.truncate(1 << 40)\n    return 3\n", "failed"),
    Case("descriptors", "def f(x):\n    kept = []\n    while True: kept.append(open('/dev/null'))\n", "failed"),
    Case("pipes", "import os\ndef f(x):\n    while True: os.pipe()\n", "failed"),
    Case("recursion", "def f(x): return f(x)\n", "failed"),
    Case("recursion without a limit", "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(x): return [f(x)]\n", "crashed|memory|failed|timeout"),
    Case("a segmentation fault", "import ctypes\ndef f(x): return ctypes.string_at(0)\n", "crashed"),
    Case("a segmentation fault at top", "import ctypes\ndef f(x): return 2\nctypes.string_at(0)\n", "crashed"),
    Case("a stack overflow in C", "import ast\ndef f(x): return eval('-' * 10 ** 6 + '1')\n", "crashed|failed|memory"),
    Case("a bus error", "import mmap, os\ndef f(x):\n    d = os.open('a', os.O_CREAT | os.O_RDWR)\n    os.ftruncate(d, 4096)\n"
         "    m = mmap.mmap(d, 4096)\n    os.ftruncate(d, 0)\n    return m[0]\n", "crashed"),
    Case("a cyclic result", "def f(x):\n    a = []\n    a.append(a)\n    return a\n", "failed"),
    Case("a deep result", "def f(x):\n    a = []\n    for _ in range(10 ** 5): a = [a]\n    return a\n", "failed|crashed"),
    Case("an endless result", "import itertools\ndef f(x): return itertools.count()\n", "failed"),
    Case("a huge integer", "def f(x): return 1 << 10 ** 7\n", "failed"),
    Case("time of the CPU in children", "import os\ndef f(x):\n    for _ in range(4):\n        if os.fork() == 0:\n            while True: pass\n"
         "    while True: pass\n", "timeout", hasty=True),
]  # fmt: skip
