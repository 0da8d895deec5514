"""Candidates that talk to the front end: nothing of it is in the result but text."""
# ruff: noqa: E501 - a case of a table is one line

from __future__ import annotations

from tests.hostile.case import Case

MARK = "hostile-mark"
FORGE = "import gc\nkernel = [o for o in gc.get_objects() if type(o).__name__ == 'SlimKernel'][0]\n"


def forged(name: str, kind: str, content: str) -> Case:
    """Return a case that sends a message of its own as if the kernel had."""
    sent = f"kernel.publish('{kind}', {content})"
    code = f"{FORGE}def f(x):\n    {sent}\n"
    return Case(name, code + "    return x + 1\n", "passed", unsaid=MARK)


HTML = f"dict(data={{'text/html': '<script>{MARK}</script>', 'application/javascript': '{MARK}'}}, metadata={{}}, transient={{}})"
CASES: list[Case] = [
    forged("HTML and JavaScript", "display_data", HTML),
    forged("HTML in place of another", "update_display_data", HTML),
    forged("HTML as a result", "execute_result", HTML),
    forged("a comm opened", "comm_open", f"dict(comm_id='1', target_name='{MARK}', data={{}})"),
    forged("a comm's message", "comm_msg", f"dict(comm_id='1', data={{'x': '{MARK}'}})"),
    forged("the output cleared", "clear_output", "dict(wait=False)"),
    forged("the input shown", "execute_input", f"dict(code='{MARK}', execution_count=1)"),
    forged("an error shown", "error", f"dict(ename='{MARK}', evalue='{MARK}', traceback=['{MARK}'])"),
    forged("a stream that is no text", "stream", "dict(name=['stdout'], text={'a': 1})"),
    forged("a message without content", "stream", "None"),
    forged("a message that is a list", "stream", f"['{MARK}']"),
    forged("a question", "input_request", f"dict(prompt='{MARK}', password=True)"),
    Case("a payload", FORGE + f"old = kernel.on_execute_request\ndef new(*a):\n    reply = old(*a)\n"
         f"    reply['payload'] = [dict(source='set_next_input', text='{MARK}', replace=True), dict(source='page', data="
         f"{{'text/html': '{MARK}'}})]\n    return reply\nkernel.on_execute_request = new\ndef f(x): return x + 1\n",
         "passed", unsaid=MARK),
    Case("terminal codes in what is printed", "def f(x):\n    print('\\x1b]0;title\\x07\\x1b[2J\\x9b2J')\n    return x + 1\n",
         "passed"),
    Case("display of IPython", "from IPython.display import HTML, Javascript, clear_output, display\n"
         f"def f(x):\n    display(HTML('<b>{MARK}'), Javascript('{MARK}'))\n    clear_output()\n    return x + 1\n",
         "passed", needs=("IPython",)),
]  # fmt: skip
