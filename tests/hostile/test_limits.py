"""Each limit can be set: what one candidate may just have, another with a lower limit may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refine_magic.core.types import Settings
from refine_magic.execution.executor import KernelExecutor
from refine_magic.execution.limits import MIB
from tests.hostile.case import LEVELS
from tests.hostile.rigs import USUAL, execute_only

TASKS = {
    "processes": "import os, time\ndef f(x):\n    for _ in range(20):\n"
    "        if os.fork() == 0: time.sleep(60)\n    return 2\n",
    "files": "def f(x):\n    kept = [open('/dev/null') for _ in range(80)]\n    return 2\n",
    "file_bytes": "def f(x):\n    open('a', 'wb').write(b'x' * 3_000_000)\n    return 2\n",
    "output_bytes": "def f(x):\n    print('x' * 100_000)\n    return 2\n",
    "memory_bytes": "def f(x):\n    a = bytearray(150_000_000)\n    return 2\n",
    "cpu_seconds": "import time\ndef f(x):\n    while time.process_time() < 1.3: pass\n    return 2\n",
    "wall_seconds": "import time\ndef f(x):\n    time.sleep(0.5)\n    return 2\n",
}
LOW = {
    "processes": (8, "failed|crashed"),
    "files": (64, "failed"),
    "file_bytes": (MIB, "failed|crashed"),
    "output_bytes": (50_000, "output_limit"),
    "memory_bytes": (128 * MIB, "memory"),
    "cpu_seconds": (1, "timeout"),
    "wall_seconds": (0.3, "timeout"),
}
LONG = "def f(x): return 'a' * 20_000\n"
DEEP = "def f(x):\n    a = 1\n    for _ in range(20): a = [a]\n    return a\n"
DIAL = (
    "import socket\ndef f(x):\n    try: socket.create_connection(('127.0.0.1', {port}), 1).close()\n"
    "    except OSError: return 'refused'\n    return 'reached'\n"
)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", TASKS)
def test_what_is_within_the_limit_passes(rig_at, level, name):
    assert rig_at(level).judge(TASKS[name]).outcome == "passed"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", LOW)
def test_what_is_over_a_lower_limit_does_not(rig_at, level, name):
    value, expected = LOW[name]
    rig_at(level)
    executor = KernelExecutor(Settings(isolation=level), replace(USUAL, **{name: value}))
    try:
        assert execute_only(executor, TASKS[name], "assert f(1) == 2").outcome in expected.split("|")
    finally:
        executor.close()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("name", "value", "code", "check"),
    [
        ("result_bytes", 10_000, LONG, "assert f(1) == 'a' * 20_000"),
        ("result_depth", 10, DEEP, "assert f(1) == " + "[" * 20 + "1" + "]" * 20),
    ],
)
def test_a_result_is_taken_up_to_the_limit(rig_at, level, name, value, code, check):
    usual = rig_at(level).judge(code, check).outcome
    executor = KernelExecutor(Settings(isolation=level), replace(USUAL, **{name: value}))
    try:
        assert (usual, execute_only(executor, code, check).outcome) == ("passed", "failed")
    finally:
        executor.close()


@pytest.mark.parametrize("level", LEVELS)
def test_with_network_a_listener_is_reached(rig_at, world, level):
    code = DIAL.format(port=world.port)
    assert rig_at(level, replace(USUAL, network=True)).judge(code, "assert f(1) == 'reached'").outcome == "passed"


@pytest.mark.parametrize("level", ["landlock", "namespaces"])
def test_without_network_no_listener_is_reached(rig_at, world, level):
    result = rig_at(level).judge(DIAL.format(port=world.port), "assert f(1) == 'refused'")
    assert (result.outcome, world.harm()) == ("passed", {})


@pytest.mark.parametrize("level", ["landlock", "namespaces"])
def test_with_network_the_secrets_are_as_hidden(rig_at, world, level):
    code = f"def f(x): return open({str(world.files[1])!r}).read()\n"
    assert "Error" in (rig_at(level, replace(USUAL, network=True)).judge(code).checks[0].observed or "")
