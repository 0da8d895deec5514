"""Candidates that read what is secret, or ask the system for what no candidate needs."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

from tests.hostile.case import Case, attack

SECRETS: list[Case] = [
    attack("a secret file", "return open('<<folder>>/secret.txt').read()"),
    attack("a secret file by a child", "return subprocess.run(['/bin/cat', '<<folder>>/secret.txt'], capture_output=True,"
           " text=True).stdout or 'refused'"),
    attack("a secret file by a link", "os.symlink('<<folder>>/secret.txt', 'mine')\nreturn open('mine').read()"),
    attack("the names of files", "return str(os.listdir('<<folder>>'))"),
    attack("the home folder", "names = os.listdir('<<home>>')\nfor name in names:\n"
           "    if os.path.isfile(os.path.join('<<home>>', name)): return 'done'\nreturn 'refused'"),
    attack("the password file", "return open('/etc/shadow').read()"),
    attack("the configuration of the machine", "return open('/etc/hostname').read()"),
    attack("other kernels' folders", "return str(os.listdir('<<base>>'))"),
    attack("the templates' log", "return open('<<base>>/zygote.log').read()"),
    attack("the environment of the notebook's", "return os.environ['<<token>>'] if '<<token>>' in os.environ else 'refused'",
           at={"limits": "passed"}, spoils=()),
    attack("the environment it was started in", "return 'done' if b'<<token>>' in open('/proc/self/environ', 'rb').read() "
           "else 'refused'", at={"limits": "passed"}, spoils=()),
    attack("the environment of its parents", "for pid in (os.getppid(), <<zygote>>, <<host>>, 1):\n    try:\n"
           "        if b'<<token>>' in open(f'/proc/{pid}/environ', 'rb').read(): return 'done'\n    except OSError: pass\n"
           "return 'refused'"),
    attack("the memory of the notebook", "d = os.open('/proc/<<host>>/mem', os.O_RDONLY)\nreturn 'done'"),
    attack("the memory of its parent", "d = os.open(f'/proc/{os.getppid()}/mem', os.O_RDWR)\nreturn 'done'"),
    attack("the command line of another", "return open('/proc/<<victim>>/cmdline').read() and 'done'"),
    attack("the processes of the machine", "found = [n for n in os.listdir('/proc') if n.isdigit()]\n"
           "return 'done' if '<<host>>' in found else 'refused'"),
    attack("the files of another", "return str(os.listdir('/proc/<<victim>>/fd'))"),
    attack("the root of another", "return str(os.listdir('/proc/<<victim>>/root<<folder>>'))"),
    attack("the root of its parent", "return open(f'/proc/{os.getppid()}/root<<folder>>/secret.txt').read()"),
    attack("the root of the first process", "return open('/proc/1/root<<folder>>/secret.txt').read()"),
    attack("the working folder of its parent", "return str(os.listdir(f'/proc/{os.getppid()}/cwd/'))"),
    attack("a block device", "for name in ('vda', 'sda', 'nvme0n1'):\n    try: os.open('/dev/' + name, os.O_RDONLY)\n"
           "    except OSError: continue\n    return 'done'\nreturn 'refused'"),
    attack("the terminal", "os.open('/dev/tty', os.O_RDWR)"),
    attack("the kernel's log", "os.open('/dev/kmsg', os.O_RDONLY)"),
    attack("a descriptor left open", "for n in range(3, 256):\n    try: found = os.readlink(f'/proc/self/fd/{n}')\n"
           "    except OSError: continue\n    if found.startswith('/') and not found.startswith(('/own', '/dev', '/proc',"
           " '<<base>>', '/tmp')): return found\nreturn 'refused'", at={"limits": "passed"}, spoils=()),
]  # fmt: skip


def refused(name: str, *arguments: object, at: dict[str, str] | None = None) -> Case:
    """Return a case that makes a system call by its number on x86-64."""
    listed = ", ".join(map(str, arguments))
    return attack(name, f"call({listed})", needs=("x86_64",), at=at)


BUFFER = "ctypes.create_string_buffer(256)"
CALLS: list[Case] = [
    *[refused(f"unshare {flags:#x}", 272, flags) for flags in (0x10000000, 0x20000, 0x40000000, 0x20000000)],
    refused("clone into a user namespace", 56, 0x10000000 | 17, 0, 0, 0, 0),
    refused("clone3", 435, BUFFER, 88),
    refused("setns", 308, 0, 0),
    refused("mount", 165, 0, "b'/tmp'", "b'tmpfs'", 0, 0),
    refused("umount", 166, "b'/proc'", 2),
    refused("pivot_root", 155, "b'.'", "b'.'"),
    refused("chroot", 161, "b'.'"),
    refused("open_tree", 428, -100, "b'/'", 1),
    refused("fsopen", 430, "b'tmpfs'", 0),
    refused("mount_setattr", 442, -100, "b'/'", 0, BUFFER, 32),
    refused("keyctl", 250, 0, -3, 1),
    refused("add_key", 248, "b'user'", "b'x'", "b'y'", 1, -3),
    refused("request_key", 249, "b'user'", "b'x'", 0, -3),
    refused("bpf", 321, 0, BUFFER, 128),
    refused("userfaultfd", 323, 0),
    refused("userfaultfd in user mode", 323, 1),
    refused("perf_event_open", 298, BUFFER, 0, -1, -1, 0),
    refused("open_by_handle_at", 304, -100, BUFFER, 0),
    refused("ptrace", 101, 16, "os.getppid()", 0, 0),
    refused("ptrace of itself", 101, 0, 0, 0, 0),
    refused("process_vm_readv", 310, "os.getppid()", BUFFER, 1, BUFFER, 1, 0),
    refused("process_vm_writev", 311, "os.getppid()", BUFFER, 1, BUFFER, 1, 0),
    refused("pidfd_getfd", 438, 0, 0, 0),
    refused("kcmp", 312, "os.getppid()", "os.getpid()", 0, 0, 0),
    refused("io_uring_enter", 426, 0, 0, 0, 0, 0),
    refused("io_uring_register", 427, 0, 0, 0, 0),
    refused("sethostname", 170, "b'hostile'", 7),
    refused("syslog", 103, 10, 0, 0),
    refused("iopl", 172, 3),
    refused("a call of the x32 kind", "0x40000000 + 39"),
    attack("setuid to root", "os.setuid(0)"),
    attack("setgid to root", "os.setgid(0)"),
    attack("setgroups", "os.setgroups([0])"),
    attack("a program that becomes root", "for path in ('/usr/bin/su', '/bin/su', '/usr/bin/sudo', '/usr/bin/mount'):\n"
           "    if not os.path.exists(path): continue\n    p = subprocess.run([path, '--version'], capture_output=True)\n"
           "with open('/proc/self/status') as file: status = file.read()\n"
           "return 'refused' if 'NoNewPrivs:\\t1' in status else 'done'"),
    attack("new capabilities", "with open('/proc/self/status') as file: status = dict(line.split(':', 1) for line in file)\n"
           "extra = int(status['CapEff'], 16) & ~(1 << 2)\nreturn 'done' if extra else 'refused'",
           at={"limits": "passed|failed"}),
    attack("a limit raised", "import resource\nsoft, hard = resource.getrlimit(resource.RLIMIT_NPROC)\n"
           "try: resource.setrlimit(resource.RLIMIT_NPROC, (hard + 1, hard + 1))\nexcept ValueError: return 'refused'",
           at={"limits": "passed"}, spoils=()),
    attack("a core dump", "import resource\nreturn 'refused' if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0 else 'done'",
           at={"limits": "passed"}, spoils=()),
    attack("a better priority", "os.nice(-5)", at={"limits": "passed"}, spoils=()),
    attack("standard input", "input()\n", expected="failed", at={"limits": "failed"}, spoils=()),
    attack("standard input by descriptor", "return os.read(0, 9).decode() or 'refused'", at={"limits": "passed"}, spoils=()),
]  # fmt: skip
CASES = SECRETS + CALLS
