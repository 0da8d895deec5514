"""The remote executor against a real kernel gateway on loopback."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from refine_magic import api, plugins
from refine_magic.core.errors import IsolationUnavailable, KernelStartError, PluginError
from refine_magic.core.types import Candidate, ExecutionResult, Settings, Spec
from refine_magic.execution.limits import Limits
from refine_magic.execution.remote import RemoteExecutor
from tests.gateway import TOKEN, Gateway, free_port, running
from tests.kernel.conftest import execute, spec_of

LIMITS = Limits(wall_seconds=5.0, memory_bytes=512 << 20)
RIGHT = "def f(x):\n    return x + 1\n"
SPEC = spec_of("assert f(1) == 2")


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Generator[Gateway, None, None]:
    with running(tmp_path_factory.mktemp("gateway")) as made:
        yield made


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_TOKEN", TOKEN)


@pytest.fixture
def executor(gateway: Gateway) -> Iterator[RemoteExecutor]:
    with closing(open_remote(gateway)) as made:
        yield made


def open_remote(gateway: Gateway, limits: Limits = LIMITS, kernel: str | None = None) -> RemoteExecutor:
    return RemoteExecutor(Settings(executor=f"remote:{gateway.url}", kernel=kernel), limits)


def judged(executor: RemoteExecutor, code: str, spec: Spec = SPEC) -> ExecutionResult:
    return execute(executor, code, spec)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        pytest.param(RIGHT, "passed", id="right"),
        pytest.param("def f(x):\n    return x + 2\n", "failed", id="wrong"),
        pytest.param("def f(x):\n    raise ValueError(x)\n", "error", id="exception"),
        pytest.param("import os\n\ndef f(x):\n    os._exit(0)\n", "crashed", id="crash"),
        pytest.param("def f(x):\n    return bytearray(2**40)\n", "memory", id="memory"),
        pytest.param("def f(x):\n    while True:\n        print('x' * 1000)\n", "output_limit", id="flood"),
        pytest.param("import time\n\ndef f(x):\n    time.sleep(60)\n", "timeout", id="hang"),
    ],
)
def test_the_outcome_is_named_rightly(executor: RemoteExecutor, code: str, outcome: str) -> None:
    result = judged(executor, code)
    assert (result.outcome if outcome != "error" else result.checks[0].outcome, result.isolation) == (outcome, "remote")


def test_a_message_that_is_too_large_is_not_read_to_its_end(executor: RemoteExecutor) -> None:
    judged(executor, RIGHT)
    before = psutil.Process().memory_info().rss
    code = (
        "from ipykernel.jsonutil import json_clean\nfrom IPython import get_ipython\n\n"
        "def f(x):\n    kernel = get_ipython().kernel\n"
        "    kernel.send_response(kernel.iopub_socket, 'display_data', {'data': {'text/plain': 'x' * 100_000_000}})\n"
        "    return 2\n"
    )
    result = judged(executor, code)
    assert result.outcome == "output_limit"
    assert psutil.Process().memory_info().rss - before < 50 << 20


def test_a_check_of_the_judge_asks_over_the_servers_stdin_channel(executor: RemoteExecutor) -> None:
    loop = "def test_f():\n    for x in range(3):\n        assert f(x) == x + 1"
    result = judged(executor, RIGHT, spec_of(loop))
    assert (result.outcome, result.checks[0].judged) == ("passed", "judge")


def test_a_candidate_has_a_folder_of_its_own_that_goes_with_it(gateway: Gateway, executor: RemoteExecutor) -> None:
    code = "import os\nopen('mine', 'w').close()\nprint(os.getcwd())\n" + RIGHT
    folders = [Path(judged(executor, code).stdout.strip()) for _ in range(2)]
    executor.close()
    assert folders[0] != folders[1] and folders[0].parent == gateway.log.parent / "tmp"
    assert becomes(lambda: not any(folder.exists() for folder in folders))


def test_two_candidates_at_once_are_judged_each_by_itself(executor: RemoteExecutor) -> None:
    results: dict[int, ExecutionResult] = {}

    def judge(number: int) -> None:
        results[number] = judged(executor, f"def f(x):\n    return {number}\n", spec_of(f"assert f(0) == {number}"))

    threads = [threading.Thread(target=judge, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results[number].outcome for number in range(3)] == ["passed"] * 3


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(RIGHT, id="right"),
        pytest.param("import os\n\ndef f(x):\n    os._exit(0)\n", id="crash"),
        pytest.param("def f(x):\n    while True:\n        pass\n", id="loop"),
    ],
)
def test_no_kernel_is_left_on_the_server_after_close(gateway: Gateway, code: str) -> None:
    with closing(open_remote(gateway, Limits(wall_seconds=4.0))) as executor:
        judged(executor, code)
        executor.prepare()
    assert gateway.kernels() == []


def test_no_kernel_is_left_when_the_judging_is_broken_off(gateway: Gateway) -> None:
    with closing(open_remote(gateway)) as executor:
        judging = begun(executor, "import time\n\ndef f(x):\n    time.sleep(x)\n    return x\n")
        next(judging)
        judging.close()
    assert gateway.kernels() == []


def test_a_server_that_goes_away_in_the_middle_is_no_candidates_fault(tmp_path: Path) -> None:
    with running(tmp_path) as gateway, closing(open_remote(gateway)) as executor:
        executor.prepare()
        judging = begun(executor, "import time\n\ndef f(x):\n    time.sleep(x)\n    return x\n")
        next(judging)
        threading.Timer(0.5, gateway.stop).start()
        with pytest.raises(KernelStartError, match="no Jupyter server answers at http://127"):
            next(judging)


def test_a_silent_server_is_no_candidates_fault(tmp_path: Path) -> None:
    with running(tmp_path) as gateway, closing(open_remote(gateway, Limits(wall_seconds=1.0))) as executor:
        judging = begun(executor, "import time\n\ndef f(x):\n    time.sleep(x)\n    return x\n")
        next(judging)
        psutil.Process(gateway.process.pid).suspend()
        with pytest.raises(KernelStartError, match="does not answer in time"):
            next(judging)
        gateway.stop()


def test_a_wrong_token_says_which_variable_to_set(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_TOKEN", "wrong")
    assert "JUPYTER_TOKEN" in refused(gateway.url)


def test_an_unknown_kernelspec_lists_those_there_are(gateway: Gateway) -> None:
    assert "'nosuch'; there are: python3" in refused(gateway.url, "nosuch")


def test_a_server_that_is_not_there_says_what_to_start() -> None:
    assert "start one there" in refused(f"http://127.0.0.1:{free_port()}")


def test_an_address_below_which_is_no_server_is_told_so(gateway: Gateway) -> None:
    assert "base URL" in refused(f"{gateway.url}/nosuch")


@pytest.mark.parametrize("address", ["", "here:8888", "ftp://here", "http://"])
def test_an_address_that_is_none_says_how_to_write_it(address: str) -> None:
    assert "remote:http://HOST:PORT" in refused(address)


@pytest.mark.parametrize("address", ["http://here:8888/?token=secret", "http://me:secret@here:8888"])
def test_an_address_with_a_secret_in_it_is_refused_without_repeating_it(address: str) -> None:
    assert (
        "JUPYTER_TOKEN" in refused(address) and "secret@" not in refused(address) and "=secret" not in refused(address)
    )


def test_a_named_isolation_level_cannot_be_had_of_a_server(gateway: Gateway) -> None:
    with pytest.raises(IsolationUnavailable, match="isolates its kernels in its own way"):
        RemoteExecutor(Settings(executor=f"remote:{gateway.url}", isolation="namespaces"))


def test_the_settings_name_the_executor_and_the_token_is_in_no_record(gateway: Gateway) -> None:
    settings = api.make_settings(executor=f"remote:{gateway.url}")
    result = api.judge(RIGHT, SPEC, settings)
    assert (result.outcome, result.isolation) == ("passed", "remote") and result.caveats
    assert TOKEN not in settings.model_dump_json() + result.model_dump_json()


def test_an_unknown_executor_lists_those_there_are() -> None:
    with pytest.raises(PluginError, match=r"no executor 'nosuch'; there are: kernel, remote"):
        plugins.open_executor(Settings(executor="nosuch:thing"))


def test_a_missing_package_is_told_with_the_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("execution.remote", "execution.kernels.distant", "execution.kernels.server"):
        monkeypatch.delitem(sys.modules, f"refine_magic.{name}")
    monkeypatch.setitem(sys.modules, "jupyter_kernel_client", None)
    with pytest.raises(PluginError, match=r"needs jupyter_kernel_client; install refine-magic\[remote\]"):
        plugins.open_executor(Settings(executor="remote:http://127.0.0.1:1"))


def test_the_local_executor_takes_no_argument() -> None:
    with pytest.raises(PluginError, match="--kernel"):
        plugins.open_executor(Settings(executor="kernel:python3"))


def refused(address: str, kernel: str | None = None) -> str:
    """Return the one line that says why nothing can be judged there."""
    with pytest.raises(KernelStartError) as caught:
        api.judge(RIGHT, SPEC, Settings(executor=f"remote:{address}", kernel=kernel))
    said = str(caught.value)
    assert "\n" not in said
    return said


def begun(executor: RemoteExecutor, code: str) -> Generator[object, None, ExecutionResult]:
    """Begin to judge two checks, one that returns at once and one that takes half a minute."""
    spec = spec_of("assert f(0) == 0", "assert f(30) == 30")
    return executor.execute(Candidate(code=code, digest="x"), spec)


def becomes(holds: Callable[[], bool], seconds: float = 5.0) -> bool:
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        time.sleep(0.05)
    return holds()
