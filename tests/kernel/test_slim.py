"""To jupyter_client our slim kernel is a kernel like any other, by our provisioner or as a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import nbclient
import nbformat
import psutil
import pytest
from jupyter_client.connect import write_connection_file
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

PROVISIONERS = {
    "forked": {"kernel_provisioner": {"provisioner_name": "refine-magic-zygote", "config": {"isolation": "limits"}}},
    "spawned": {},
}


@pytest.fixture(scope="module", params=PROVISIONERS)
def specs(request, tmp_path_factory):
    """The manager of a folder with one kernelspec, `slim`."""
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "slim").mkdir()
    spec = {
        "argv": [sys.executable, "-m", "refine_magic.execution.sandbox.spawned", "-f", "{connection_file}"],
        "display_name": "slim",
        "language": "python",
        "metadata": PROVISIONERS[request.param],
    }
    (folder / "slim" / "kernel.json").write_text(json.dumps(spec))
    return KernelSpecManager(kernel_dirs=[str(folder)])


@pytest.fixture(scope="module")
def kernel(specs):
    manager = KernelManager(kernel_name="slim", kernel_spec_manager=specs)
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=30)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel()


@pytest.fixture
def run(kernel):
    """Run a cell; return its reply, and what it sent by the types of the messages."""

    def run(code, **more):
        sent = {}
        reply = kernel[1].execute_interactive(
            code, timeout=20, output_hook=lambda m: sent.setdefault(m["msg_type"], []).append(m["content"]), **more
        )
        return reply["content"], sent

    return run


def test_its_kernel_info_names_its_language(kernel):
    client = kernel[1]
    assert client.kernel_info(reply=True, timeout=20)["content"]["language_info"]["name"] == "python"


def test_the_value_of_the_last_expression_is_its_result(run):
    assert run("a = 20\na + 1")[1]["execute_result"][0]["data"] == {"text/plain": "21"}


def test_a_cell_sees_what_an_earlier_one_defined(run):
    run("kept = 5")
    assert run("kept")[1]["execute_result"][0]["data"] == {"text/plain": "5"}


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_what_is_printed_is_streamed(run, name):
    assert run(f"import sys; print('hé', file=sys.{name})")[1]["stream"] == [{"name": name, "text": "hé\n"}]


def test_an_exception_is_an_error_in_jupyters_words(run):
    reply, _ = run("def f():\n    return 1 / 0\nf()")
    assert (reply["status"], reply["ename"], "return 1 / 0" in "".join(reply["traceback"])) == (
        "error", "ZeroDivisionError", True,
    )  # fmt: skip


def test_sys_exit_ends_the_cell_and_not_the_kernel(run):
    run("import sys; sys.exit(3)")
    assert run("1")[0]["status"] == "ok"


def test_user_expressions_are_evaluated(run):
    reply, _ = run("x = 4", user_expressions={"good": "x", "bad": "no_such_name"})
    found = reply["user_expressions"]
    assert (found["good"]["data"]["text/plain"], found["bad"]["ename"]) == ("4", "NameError")


def test_input_is_asked_of_the_front_end(kernel, run):
    client = kernel[1]
    answer = run("input('name? ')", stdin_hook=lambda m: client.input(m["content"]["prompt"] + "Ada"))[1]
    assert answer["execute_result"][0]["data"] == {"text/plain": "'name? Ada'"}


def test_input_where_nobody_answers_is_an_eoferror(run):
    assert run("input()", allow_stdin=False)[0]["ename"] == "EOFError"


def test_an_interrupt_ends_the_cell_and_not_the_kernel(kernel, run):
    manager, client = kernel
    asked = client.execute("while True: pass")
    time.sleep(0.3)
    manager.interrupt_kernel()
    while (reply := client.get_shell_msg(timeout=20))["parent_header"]["msg_id"] != asked:
        pass
    assert (reply["content"]["ename"], run("1")[0]["status"]) == ("KeyboardInterrupt", "ok")


def test_its_heart_beats_while_it_works(kernel):
    client = kernel[1]
    client.execute("import time; time.sleep(2.5)")
    client.hb_channel.unpause()
    time.sleep(2)
    assert client.hb_channel.is_beating()


def test_a_process_that_code_forked_does_not_answer_too(run):
    run("import os, time\npid = os.fork()")
    assert [run(str(number))[1]["execute_result"][0]["data"]["text/plain"] for number in range(5)] == list("01234")


def test_nbclient_executes_a_notebook_in_it(specs):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(6 * 7)")])
    manager = KernelManager(kernel_name="slim", kernel_spec_manager=specs)
    nbclient.NotebookClient(book, km=manager).execute()
    assert book.cells[0].outputs[0]["text"] == "42\n"


def test_a_shutdown_leaves_no_process(specs):
    before = set(psutil.Process().children(recursive=True))
    manager = KernelManager(kernel_name="slim", kernel_spec_manager=specs)
    manager.start_kernel()
    manager.shutdown_kernel(now=True)
    assert set(psutil.Process().children(recursive=True)) <= before


def test_a_spawned_kernel_ends_with_its_parent(tmp_path):
    write_connection_file(str(tmp_path / "kernel.json"), transport="ipc", ip="/tmp/refine-test-spawned", key=b"k")
    start = (
        "import subprocess as s, sys, time\n"
        "print(s.Popen(sys.argv[1:], stdout=s.DEVNULL, stderr=s.DEVNULL).pid)\n"
        "time.sleep(2)"
    )
    command = [sys.executable, "-m", "refine_magic.execution.sandbox.spawned", "-f", str(tmp_path / "kernel.json")]
    parent = subprocess.run([sys.executable, "-c", start, *command], capture_output=True, text=True, check=True)
    until = time.monotonic() + 20
    while psutil.pid_exists(int(parent.stdout)) and time.monotonic() < until:
        time.sleep(0.05)
    for path in Path("/tmp").glob("refine-test-spawned*"):
        path.unlink()
    assert not psutil.pid_exists(int(parent.stdout))
