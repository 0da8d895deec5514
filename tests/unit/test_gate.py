from __future__ import annotations

import threading
import time

from refine_magic.execution.gate import Gate


def test_one_who_was_inside_by_himself_was_alone():
    gate = Gate()
    with gate.together() as visit:
        pass
    assert visit.alone


def test_one_whom_another_joined_was_not_alone():
    gate = Gate()
    with gate.together() as first:
        with gate.together():
            pass
    assert not first.alone


def test_one_who_joins_another_was_not_alone():
    gate = Gate()
    with gate.together():
        with gate.together() as second:
            pass
    assert not second.alone


def test_nobody_is_inside_with_one_who_is_alone():
    gate, inside, seen = Gate(), [], []

    def work(number: int) -> None:
        for _ in range(20):
            with gate.alone() if number == 0 else gate.together():
                inside.append(number)
                time.sleep(0.0005)
                seen.append(sorted(inside) == [0] if number == 0 else 0 not in inside)
                inside.remove(number)

    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(seen)
