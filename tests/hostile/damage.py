"""Candidates that kill, delete, change or read what is not theirs."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

from tests.hostile.case import Case, attack

ENDS = {"limits": "passed|failed|crashed|timeout"}
AWAY = ("landlock", "namespaces")
# Landlock restricts neither of these two, and who may write a file may change its times: no promise at that level.
TIMES = {"landlock": "passed|failed"}


def signalled(name: str, pid: str, number: str, at: dict[str, str] = ENDS) -> Case:
    return attack(f"{name} by {number}", f"os.kill({pid}, signal.{number})", at=at)


KILLS: list[Case] = [
    # In namespaces that is the first process of its own world, whose end is its own.
    *[signalled("the parent", "os.getppid()", number, {**ENDS, "namespaces": "passed|failed|crashed"}) for number in ("SIGKILL", "SIGSTOP", "SIGTERM", "SIGABRT")],
    *[signalled("a process of the user's", "<<victim>>", number) for number in ("SIGKILL", "SIGSTOP", "SIGTERM")],
    # As the user that runs the tests this would end them, where it can be done.
    *[attack(f"{name} by SIGKILL", f"if os.getuid() == 0: raise SystemExit\nos.kill({pid}, signal.SIGKILL)",
             at={**ENDS, "namespaces": "passed|failed"}, needs=("root",))
      for name, pid in {"the template": "<<zygote>>", "the notebook": "<<host>>"}.items()],
    attack("everybody by SIGKILL", "if os.getuid() == 0: raise SystemExit\nos.kill(-1, signal.SIGKILL)",
           expected="passed|failed", at=ENDS, needs=("root",)),  # whoever is left is of its own
    attack("the group", "os.kill(0, signal.SIGKILL)", expected="crashed", at={"limits": "crashed"}, spoils=()),
    attack("a queued signal", "call(129, <<victim>>, 9, ctypes.create_string_buffer(128))", at=ENDS, needs=("x86_64",)),
    attack("a thread's signal", "call(200, <<victim>>, 9)", at=ENDS, needs=("x86_64",), expected="passed|error|failed"),
    attack("a pidfd", "d = os.pidfd_open(<<victim>>)\nsignal.pidfd_send_signal(d, signal.SIGKILL)", at=ENDS),
    attack("a signal by F_SETOWN", "import fcntl\nr, w = os.pipe()\nfcntl.fcntl(r, fcntl.F_SETOWN, <<victim>>)\n"
           "fcntl.fcntl(r, 10, 9)\nfcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC)\nos.write(w, b'x')\ntime.sleep(0.1)\n"
           "return 'refused'", at={"limits": "passed|failed"}),
    attack("its watcher's pipe", "import select\nsocks = []\nfor n in range(3, 64):\n    try: os.set_blocking(n, False)\n"
           "    except OSError: continue\nfor _ in range(20):\n    if os.fork() == 0:\n        if os.fork() == 0: os._exit(0)\n"
           "        os._exit(0)\nend = time.monotonic() + 0.3\nwhile time.monotonic() < end:\n    for n in range(3, 64):\n"
           "        try:\n            if os.readlink(f'/proc/self/fd/{n}').startswith('pipe:'): return 'done'\n"
           "        except OSError: pass\nreturn 'refused'", at={"limits": "passed"}),
    Case("every descriptor closed", "import os\nos.closerange(0, 256)\ndef f(x): return 3\n", "crashed"),
    Case("every socket shut down", "import os, socket\nfor n in range(3, 128):\n    try: socket.socket(fileno=n).shutdown(2)\n"
         "    except OSError: pass\ndef f(x): return 3\n", "crashed|failed|timeout"),
]  # fmt: skip

# Where setting rights does nothing, the candidate is not told so: the world is what counts.
CHANGES: list[Case] = [
    *[attack(name, body.replace("DOC", "'<<folder>>/document.txt'")) for name, body in {
        "a file deleted": "os.unlink(DOC)",
        "a file overwritten": "open(DOC, 'w').write('gone')",
        "a file appended to": "open(DOC, 'a').write('more')",
        "a file shortened": "os.truncate(DOC, 0)",
        "a file renamed": "os.rename(DOC, DOC + '2')",
        "a file taken away": "os.rename(DOC, 'mine')",
        "a file replaced": "open('mine', 'w').write('x')\nos.replace('mine', DOC)",
        "a file's rights": "os.chmod(DOC, 0)\nreturn 'refused'",
        "a file's owner": "os.chown(DOC, os.getuid(), os.getgid())\nreturn 'refused'",
        "a file's attributes": "os.setxattr(DOC, 'user.mark', b'x')",
        "a file's rights by a descriptor": "os.fchmod(os.open(DOC, os.O_RDONLY), 0)\nreturn 'refused'",
        "a link to a file": "os.link(DOC, DOC + '2')",
        "a link to a file in its own folder": "os.link(DOC, 'mine')\nopen('mine', 'w').write('gone')",
        "a symbolic link": "os.symlink('/etc', '<<folder>>/link')",
        "through a symbolic link of its own": "os.symlink(DOC, 'mine')\nopen('mine', 'w').write('gone')",
        "a new file": "open('<<folder>>/new', 'w').close()",
        "a new folder": "os.mkdir('<<folder>>/new')",
        "a new pipe": "os.mkfifo('<<folder>>/new')",
        "a tree deleted": "import shutil\nshutil.rmtree('<<folder>>/inner')",
        "a folder's rights": "os.chmod('<<folder>>', 0)\nreturn 'refused'",
        "a file deleted by a child": "if subprocess.run(['/bin/rm', DOC], stderr=-3).returncode: return 'refused'",
        "a new file in /tmp": "open('/tmp/../tmp/hostile-' + str(os.getpid()), 'x').close()\n"
        "os.unlink('/tmp/hostile-' + str(os.getpid()))",
        "a new file in /dev/shm": "open('/dev/shm/hostile', 'x').close()\nos.unlink('/dev/shm/hostile')",
        "a file in Python's folder": "open(os.path.join(os.path.dirname(os.__file__), 'hostile.py'), 'x').close()",
        "a file in the home folder": "open('<<home>>/hostile', 'x').close()",
        "a file in the templates' folder": "open('<<base>>/hostile', 'x').close()",
    }.items() if not name.startswith("a new file in")],
    attack("a new file in /tmp", "open('/tmp/hostile-own', 'x').close()\nos.unlink('/tmp/hostile-own')",
           at={"namespaces": "passed|failed"}),  # it has a /tmp of its own
    attack("a new file in /dev/shm", "open('/dev/shm/hostile-own', 'x').close()\nos.unlink('/dev/shm/hostile-own')",
           at={"namespaces": "passed|failed"}),
    attack("a file's times", "os.utime('<<folder>>/document.txt')", at=TIMES, spoils=("limits", "landlock")),
    attack("limits of another", "import resource\nresource.prlimit(<<victim>>, resource.RLIMIT_CPU, (1, 1))"),
    attack("limits of the notebook", "import resource\nresource.prlimit(<<host>>, resource.RLIMIT_NOFILE, (99, 99))",
           needs=("root",)),
    attack("the priority of another", "os.setpriority(os.PRIO_PROCESS, <<victim>>, 19)"),
    attack("the priority of a user", "os.setpriority(os.PRIO_USER, <<uid>>, 19)", needs=("user",), only=AWAY),
    attack("the processors of another", "os.sched_setaffinity(<<victim>>, {0})"),
    attack("the policy of another", "os.sched_setscheduler(<<victim>>, os.SCHED_IDLE, os.sched_param(0))\nreturn 'refused'"),
    attack("the input and output of another", "call(251, 1, <<victim>>, 3 << 13)", needs=("x86_64",),
           expected="passed|failed"),  # errno 3 where it does not see the process
    attack("memory that outlives it", "call(29, 0, 4096, 0o1666)", needs=("x86_64",), only=AWAY),
    attack("a queue that outlives it", "call(68, 0, 0o1666)", needs=("x86_64",), only=AWAY),
    attack("semaphores that outlive it", "call(64, 0, 1, 0o1666)", needs=("x86_64",), only=AWAY),
    attack("a named queue", "call(240, b'hostile', 0o102, 0o666, None)", needs=("x86_64",), only=AWAY),
]  # fmt: skip

LEFT = """\
import os
for name, target in dict(a='<<folder>>', b='<<folder>>/document.txt', c='/', d='<<folder>>/inner').items():
    os.symlink(target, name)
try: os.link('<<folder>>/document.txt', 'hard')
except OSError: pass
os.makedirs('x/y')
os.symlink('<<folder>>', 'x/y/z')
"""
FOLDERS: list[Case] = [
    Case("its own folder emptied", "import os, shutil\nshutil.rmtree('..', ignore_errors=True)\ndef f(x): return x + 1\n",
         "passed"),
    Case("its own folder closed", "import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\nfor n in ('a/b', 'a', '.'):\n"
         "    os.chmod(n, 0)\ndef f(x): return x + 1\n", "passed|error"),
    Case("links to what is outside", LEFT + "def f(x): return x + 1\n", "passed"),
    Case("links to what is outside in a closed folder", LEFT + "os.chmod('x/y', 0)\nos.chmod('x', 0)\nos.chmod('.', 0)\n"
         "def f(x): return x + 1\n", "passed|error"),
    Case("its folder replaced by a link", "import os\ntry:\n    os.rename('../work', '../was')\n"
         "    os.symlink('<<folder>>', '../work')\nexcept OSError: pass\ndef f(x): return x + 1\n", "passed"),
    Case("a folder three thousand deep", "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n"
         "open('file', 'w').close()\ndef f(x): return x + 1\n", "passed|crashed"),  # too deep to be counted
    Case("a deep folder closed", "import os\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\n"
         "os.chmod('.', 0)\ndef f(x): return x + 1\n", "passed|error"),
    Case("odd names", "import os\nfor name in (b'\\xff\\xfe', b'a\\nb', b'-rf', b'*', b'x' * 255):\n    os.mkdir(name)\n"
         "    open(name + b'/' + name, 'w').close()\ndef f(x): return x + 1\n", "passed"),
    Case("its sockets gone", "import os\nfor folder in ('..', '/own'):\n    try:\n        for n in os.listdir(folder):\n"
         "            if n.startswith('s-'): os.unlink(os.path.join(folder, n))\n    except OSError: pass\n"
         "def f(x): return x + 1\n", "passed"),
    Case("a pipe file for a log", "import os\ntry:\n    os.unlink('../kernel.log')\n    os.mkfifo('../kernel.log')\n"
         "except OSError: pass\ndef f(x): return x + 1\n", "passed"),
]  # fmt: skip
CASES = KILLS + CHANGES + FOLDERS
