"""How an executor behaves from one candidate to the next, and between its beginning and its end."""

from __future__ import annotations

import time
from collections.abc import Callable

from refine_magic.core.types import Check, Spec, Trust
from refine_magic.testing.trial import Judged, Trial, candidate, expect, spec_of
from refine_magic.testing.verdicts import CHECK, RIGHT

Case = Callable[[Trial], None]
SLOW = "import time\n\ndef f(x):\n    time.sleep(x)\n    return x\n"
EARLIER = 0.5
LEAVES_SOMETHING = """
import builtins, math
builtins.left_behind = 1
math.sqrt = lambda x: 7
with open("left_behind.txt", "w") as file:
    file.write("x")

def f(x):
    return x + 1
"""
FINDS_NOTHING = """
import builtins, math, os

def f(x):
    return hasattr(builtins, "left_behind"), math.sqrt(4), os.path.exists("left_behind.txt")
"""


def passes(judged: Judged, when: str) -> None:
    """Raise Unexpected where right code did not pass."""
    expect(judged.result.outcome == "passed", f"right code, {when}: {judged}")


def says_its_isolation(trial: Trial) -> None:
    """The isolation level is told, and is that of the results."""
    level = trial.executor.isolation
    expect(isinstance(level, str) and level.strip(), f"isolation is {level!r}")
    ran_at = trial.judge(RIGHT, CHECK).result.isolation
    expect(ran_at == level, f"isolation is {level!r}, a result's {ran_at!r}")


def yields_each_check_once(trial: Trial) -> None:
    """Every check is yielded, once."""
    judged = trial.judge(RIGHT, "assert f(1) == 2\nassert f(2) == 4\nassert f(3) == 4")
    shown = sorted(check.check_id for check in judged.yielded)
    wanted = sorted(check.check_id for check in judged.result.checks)
    expect(shown == wanted, f"it yielded {shown} of {wanted}")


def yields_as_results_come(trial: Trial) -> None:
    """A result is yielded before the next check runs."""
    times = []
    for _ in trial.executor.execute(candidate(SLOW), spec_of("assert f(0) == 0\nassert f(1) == 1")):
        times.append(time.monotonic())
    expect(len(times) == 2, f"it yielded {len(times)} of 2 checks")
    apart = times[1] - times[0]
    expect(apart > EARLIER, f"two results came {apart:.2f} s apart, though the second check takes a second")


def keeps_what_is_printed_at_the_top(trial: Trial) -> None:
    """What the code prints while it loads is in the result."""
    judged = trial.judge("print('at the top')\n" + RIGHT, CHECK)
    passes(judged, "which prints")
    expect("at the top" in judged.result.stdout, f"stdout is {judged.result.stdout[:200]!r}")


def candidates_do_not_meet(trial: Trial) -> None:
    """A global, a file and a patched module are gone with their candidate."""
    passes(trial.judge(LEAVES_SOMETHING, CHECK), "which leaves things behind")
    judged = trial.judge(FINDS_NOTHING, "assert f(1) == (False, 2.0, False)")
    observed = judged.result.checks[0].observed
    expect(judged.result.outcome == "passed", f"(global, math.sqrt(4), file) of the candidate before: {observed}")


def goes_on_after(code: str, how: str) -> Case:
    """Return the case of right code after a candidate that ended badly."""

    def case(trial: Trial) -> None:
        first = trial.judge(code + RIGHT, CHECK)
        expect(first.result.outcome != "passed", f"{how}: {first}")
        passes(trial.judge(RIGHT, CHECK), how)

    return case


def needs_no_preparation(trial: Trial) -> None:
    """A new executor judges without `prepare`."""
    fresh = Trial(trial.make)
    try:
        passes(fresh.judge(RIGHT, CHECK), "without prepare()")
    finally:
        fresh.close()


def may_be_prepared_again(trial: Trial) -> None:
    """`prepare` may be called any number of times, also between candidates."""
    for _ in range(3):
        trial.executor.prepare()
    passes(trial.judge(RIGHT, CHECK), "after three times prepare()")
    trial.executor.prepare()
    passes(trial.judge(RIGHT, CHECK), "after prepare() once more")


def may_be_broken_off(trial: Trial) -> None:
    """Closing the generator before its first result, and in the middle, leaves the executor usable."""
    spec = spec_of("assert f(0) == 0\nassert f(0.1) == 0.1")
    trial.executor.execute(candidate(SLOW), spec).close()
    judging = trial.executor.execute(candidate(SLOW), spec)
    next(judging)
    judging.close()
    passes(trial.judge(RIGHT, CHECK), "after a judging that was broken off")


def may_be_closed_twice(trial: Trial) -> None:
    """`close` may be called twice, after work and before any."""
    for work in (False, True):
        fresh = Trial(trial.make)
        executor = fresh.executor
        if work:
            passes(fresh.judge(RIGHT, CHECK), "before close()")
            executor.prepare()
        executor.close()
        executor.close()


def only_trusted_checks_decide(trial: Trial) -> None:
    """A struck or suspect check that fails does not keep right code from passing."""
    for trust in ("struck", "suspect"):
        judged = trial.judge(RIGHT, trusting(("given", CHECK), (trust, "assert f(1) == 3")))
        passes(judged, f"with a {trust} check that fails")


def something_must_decide(trial: Trial) -> None:
    """Without a check that counts there is no pass."""
    for spec in (Spec(), trusting(("struck", CHECK)), trusting(("suspect", CHECK), ("struck", CHECK))):
        judged = trial.judge(RIGHT, spec)
        expect(judged.result.outcome != "passed", f"{[check.trust for check in spec.checks]}: {judged}")


def trusting(*checks: tuple[Trust, str]) -> Spec:
    """Return the spec of checks with their trust."""
    return Spec(
        checks=tuple(Check(id=f"c{n}", source=source, trust=trust) for n, (trust, source) in enumerate(checks, 1))
    )


MANNERS: dict[str, Case] = {
    "it says at which isolation level it judges": says_its_isolation,
    "it yields every check once": yields_each_check_once,
    "it yields a result before the next check runs": yields_as_results_come,
    "what is printed at the top is in the result": keeps_what_is_printed_at_the_top,
    "two candidates do not see each other": candidates_do_not_meet,
    "a crash does not hurt the next candidate": goes_on_after("import os\nos._exit(1)\n", "after a crash"),
    "a killed process does not hurt the next candidate": goes_on_after(
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "after SIGKILL"
    ),
    "a hang does not hurt the next candidate": goes_on_after("while True:\n    pass\n", "after a hang"),
    "prepare() is not needed": needs_no_preparation,
    "prepare() may be called again": may_be_prepared_again,
    "a judging may be broken off": may_be_broken_off,
    "close() may be called twice": may_be_closed_twice,
    "struck and suspect checks do not decide": only_trusted_checks_decide,
    "no check that counts is no pass": something_must_decide,
}
