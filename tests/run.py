"""Run every test that this machine allows, then say which parts were left out and why.

``--nothing-left-out`` makes a part that was left out a failure, as CI wants it, but for what no test run can bring
about: an isolation level that the machine does not have, a folder that only root may read.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import pytest

GIVEN = (
    "cannot be had here",
    "cannot be read by another user",
    "outside of home folders",
    "only root can become another user",
    "no user namespace in which to forbid namespaces",
)


class LeftOut:
    """Collects why tests were skipped."""

    def __init__(self) -> None:
        self.reasons: Counter[tuple[str, str]] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple):
            folder = "/".join(report.nodeid.split("::")[0].split("/")[:2])
            self.reasons[folder, report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reasons[report.nodeid, report.longrepr[2].removeprefix("Skipped: ")] += 1


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--nothing-left-out", action="store_true")
    options, rest = parser.parse_known_args()
    left_out = LeftOut()
    status = int(pytest.main(rest, plugins=[left_out]))
    for (where, why), count in sorted(left_out.reasons.items()):
        print(f"left out: {where}: {count} test{'s' if count > 1 else ''}: {why}")
    missed = [why for _, why in left_out.reasons if not any(words in why for words in GIVEN)]
    if not left_out.reasons:
        print("nothing was left out")
    elif options.nothing_left_out and missed:
        print("parts were left out, which is not allowed here")
        return status or 1
    return status


if __name__ == "__main__":
    sys.exit(main())
