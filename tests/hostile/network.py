"""Candidates that dial: the listeners are the test's own, on loopback and in its folder."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

from tests.hostile.case import Case, attack

DIAL = "socket.create_connection(('127.0.0.1', <<port>>), 1)"
CASES: list[Case] = [
    attack("TCP", DIAL),
    attack("TCP over IPv6", "socket.create_connection(('::1', <<port6>>), 1)"),
    attack("TCP to the machine's own address", "socket.create_connection(('0.0.0.0', <<port>>), 1)"),
    attack("TCP by a child", "if subprocess.run([sys.executable, '-S', '-c', \"import socket; socket.create_connection("
           "('127.0.0.1', <<port>>), 1)\"], stderr=-3).returncode: return 'refused'"),
    attack("TCP by a thread", "import threading\nfound = []\ndef run():\n    try: found.append(" + DIAL + ")\n"
           "    except OSError: pass\nt = threading.Thread(target=run); t.start(); t.join()\nif not found: return 'refused'"),
    attack("TCP fast open", "s = socket.socket()\ns.sendto(b'x', 0x20000000, ('127.0.0.1', <<port>>))"),
    attack("urllib", "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:<<port>>/', timeout=1)"),
    attack("UDP", "socket.socket(2, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', <<udp>>))"),
    attack("UDP by sendmsg", "socket.socket(2, socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('127.0.0.1', <<udp>>))"),
    attack("a local socket", "s = socket.socket(socket.AF_UNIX)\ns.connect('<<unix>>')"),
    attack("an abstract socket", "s = socket.socket(socket.AF_UNIX)\ns.connect('\\0<<abstract>>')"),
    attack("a datagram to an abstract socket", "socket.socket(1, socket.SOCK_DGRAM).sendto(b'x', '\\0<<abstract>>-d')"),
    attack("a datagram by a pair", "a, b = socket.socketpair(1, socket.SOCK_DGRAM)\na.sendto(b'x', '\\0<<abstract>>-d')"),
    attack("a pair connected anew", "a, b = socket.socketpair()\na.connect('<<unix>>')"),
    attack("a raw socket", "socket.socket(2, socket.SOCK_RAW, 1)"),
    attack("a packet socket", "socket.socket(17, socket.SOCK_RAW, 768)"),
    attack("netlink that changes something", "s = socket.socket(16, socket.SOCK_RAW, 0)\ns.bind((0, 0))\n"
           "import struct\ns.send(struct.pack('=IHHIIBBHiII', 32, 16, 5, 1, 0, 0, 0, 0, 1, 1, 1))\n"
           "if struct.unpack_from('=i', s.recv(999), 16)[0]: return 'refused'"),
    attack("a listener of its own on a port", "s = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()",
           at={"namespaces": "passed|failed"}),  # in a network of its own it may
    attack("vsock", "s = socket.socket(40, 1)\ns.settimeout(0.5)\ns.connect((2, 1))"),
    attack("io_uring", "call(425, 8, ctypes.create_string_buffer(256))", needs=("x86_64",)),
    attack("the user's own kernel", "import jupyter_client\nc = jupyter_client.BlockingKernelClient()\n"
           "c.load_connection_file('<<folder>>/kernel-1.json')\nc.start_channels()\nc.execute('1')\ntime.sleep(0.3)",
           expected="passed|crashed", at={"limits": "passed|failed|crashed"}),
    attack("its own zmq context, to the listener", "import zmq\ns = zmq.Context.instance().socket(zmq.DEALER)\n"
           "s.connect('tcp://127.0.0.1:<<port>>')\ns.send(b'x')\ntime.sleep(0.3)\nreturn 'refused'",
           expected="passed|crashed", at={"limits": "passed|crashed"}),
    attack("the kernel's own sockets, to the listener", "import gc\n"
           "k = [o for o in gc.get_objects() if type(o).__name__ == 'SlimKernel'][0]\n"
           "for s in [p.socket for p in k.channels.peers.values()] + [l for _, l in k.channels.listeners.values()]:\n"
           "    try: s.connect('<<unix>>'); s.send(b'x')\n    except OSError: pass\nreturn 'refused'",
           expected="passed|crashed|failed", at={"limits": "passed|crashed|failed"}),
]  # fmt: skip
