"""A seccomp filter: system calls that a candidate has no use for fail with EPERM.

Classic BPF, as in https://docs.kernel.org/userspace-api/seccomp_filter.html. Each machine has its own numbers.
"""

from __future__ import annotations

import ctypes
import os
import struct

from . import system

LOAD, JUMP_EQUAL, JUMP_ANY_BIT, JUMP_AT_LEAST, RETURN, AND = 0x20, 0x15, 0x45, 0x35, 0x06, 0x54
ALLOW, KILL, EPERM, ENOSYS, NOTHING = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026, 0x00050000
AT_NUMBER, AT_MACHINE, AT_FIRST = 0, 4, 16
SET_MODE_FILTER, THREADS_TOO = 1, 1
NEW_NAMESPACES = 0x7E020080
AF_UNIX, STREAM, TYPE_MASK, SEQPACKET = 1, 1, 0xF, 5
X32_BIT = 0x40000000

# name: (x86-64, aarch64); None where there is no such call.
CALLS: dict[str, tuple[int | None, int]] = {
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "open_by_handle_at": (304, 265), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "sethostname": (170, 161), "setdomainname": (171, 162), "syslog": (103, 116), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "vhangup": (153, 58), "iopl": (172, 0xFFFF), "ioperm": (173, 0xFFFF), "move_pages": (279, 239),
    "migrate_pages": (256, 238), "process_madvise": (440, 440),
    # What outlives a process, and what Landlock does not restrict.
    "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "removexattrat": (466, 466),
    "ioprio_set": (251, 30),
}  # fmt: skip
SOCKETS: dict[str, tuple[int, int]] = {
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
}  # fmt: skip
SIGNALS: dict[str, tuple[int, int]] = {
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
}  # fmt: skip
# Their first argument is a process: allowed for this one, as 0 or by its id.
ON_ITSELF: dict[str, tuple[int, int]] = {
    "prlimit64": (302, 261), "sched_setaffinity": (203, 122), "sched_setattr": (314, 274),
}  # fmt: skip
# As well, but libzmq sets these for each of its threads by their ids, and aborts where it cannot (thread.cpp).
FOR_THREADS: dict[str, tuple[int, int]] = {"sched_setscheduler": (144, 119), "sched_setparam": (142, 118)}
# Landlock restricts none of these: rights and owners ever, lengths before its version 3.
RIGHTS: dict[str, tuple[int | None, int]] = {
    "chmod": (90, 0xFFFF), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, 0xFFFF), "fchown": (93, 55), "lchown": (94, 0xFFFF), "fchownat": (260, 54),
}  # fmt: skip
LENGTHS: dict[str, tuple[int | None, int]] = {"truncate": (76, 45)}
SETPRIORITY = (141, 140)
KILLS: dict[str, tuple[int, int]] = {"kill": (62, 129), "tgkill": (234, 131)}
CLONE, CLONE3, SOCKETPAIR = (56, 220), (435, 435), (53, 199)
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


class Unsupported(OSError):
    """There is no filter for this machine."""


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one instruction; the jumps count the instructions to leave out."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


class Filter:
    """The instructions of a filter, in the numbers of this machine."""

    def __init__(self, machine: str) -> None:
        """Begin with the refusal of any other machine's calls. Raises Unsupported."""
        if machine not in MACHINES:
            raise Unsupported(38, f"no system call filter for {machine}")
        self.column, audit = MACHINES[machine]
        self.code = [
            instruction(LOAD, AT_MACHINE),
            instruction(JUMP_EQUAL, audit, 1, 0),
            instruction(RETURN, KILL),
            instruction(LOAD, AT_NUMBER),
        ]
        if machine == "x86_64":
            self.code += [instruction(JUMP_AT_LEAST, X32_BIT, 0, 1), instruction(RETURN, EPERM)]

    def refuse(self, calls: dict[str, tuple[int, int]] | dict[str, tuple[int | None, int]], how: int = EPERM) -> None:
        """Let these calls fail."""
        for numbers in calls.values():
            number = numbers[self.column]
            if number is not None:
                self.code += [instruction(JUMP_EQUAL, number, 0, 1), instruction(RETURN, how)]

    def refuse_namespaces(self) -> None:
        """Let clone fail where it would make namespaces; clone3 does not exist, as far as a candidate can tell."""
        self.refuse({"clone3": CLONE3}, ENOSYS)
        self.when(CLONE[self.column], [instruction(JUMP_ANY_BIT, NEW_NAMESPACES, 0, 1), instruction(RETURN, EPERM)])

    def only_on(self, calls: dict[str, tuple[int, int]], *allowed: int) -> None:
        """Let these calls fail unless their first argument is one of the allowed numbers."""
        for numbers in calls.values():
            skips = [instruction(JUMP_EQUAL, value, len(allowed) - n, 0) for n, value in enumerate(allowed)]
            self.when(numbers[self.column], [*skips, instruction(RETURN, EPERM)])

    def only_connected_pairs(self) -> None:
        """Let socketpair fail but for streams: a datagram's sender may name any receiver."""
        checks = [
            instruction(AND, TYPE_MASK),
            instruction(JUMP_EQUAL, STREAM, 2, 0),
            instruction(JUMP_EQUAL, SEQPACKET, 1, 0),
            instruction(RETURN, EPERM),
        ]
        self.when(SOCKETPAIR[self.column], checks, argument=1)

    def when(self, number: int, checks: list[bytes], argument: int = 0) -> None:
        """Run checks on the low half of an argument of this call, then go on with the next rule."""
        block = [instruction(LOAD, AT_FIRST + 8 * argument), *checks, instruction(LOAD, AT_NUMBER)]
        self.code += [instruction(JUMP_EQUAL, number, 0, len(block)), *block]

    def install(self) -> None:
        """Put the filter in force for every thread of this process; needs no_new_privs. Raises OSError."""
        code = b"".join([*self.code, instruction(RETURN, ALLOW)])
        buffer = ctypes.create_string_buffer(code, len(code))
        program = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
        number = {"x86_64": 317, "aarch64": 277}[system.MACHINE]
        system.checked(system.libc.syscall(number, SET_MODE_FILTER, THREADS_TOO, program), "seccomp")


def restrict(*, sockets: str, signals: bool, others: bool, rights: bool, lengths: bool) -> None:
    """Refuse what no candidate needs: `sockets` may be all, local or none, and signals to others allowed or not.

    `others` says that limits and priorities of other processes may be set, `lengths` that files may be shortened by
    their paths, `rights` that theirs may be set; where not, that does nothing. Raises OSError.
    """
    made = Filter(system.MACHINE)
    made.refuse(CALLS)
    made.refuse_namespaces()
    me = os.getpid()
    if sockets == "local":
        made.only_on({"socket": SOCKETS["socket"]}, AF_UNIX)
    elif sockets == "none":
        made.refuse(SOCKETS)
        made.only_connected_pairs()
    if not signals:
        made.refuse(SIGNALS)
        made.only_on(KILLS, 0, me)
    if not others:
        made.only_on(ON_ITSELF, 0, me)
        made.refuse(FOR_THREADS, NOTHING)
        for argument in (0, 1):  # of a process, which is this one
            made.when(
                SETPRIORITY[made.column], [instruction(JUMP_EQUAL, 0, 1, 0), instruction(RETURN, EPERM)], argument
            )
    if not rights:
        made.refuse(RIGHTS, NOTHING)  # shutil.copy sets them, and would fail
    if not lengths:
        made.refuse(LENGTHS)
    made.install()
