"""Run tests by pytest itself, from a module that is in memory, and tell what did not pass.

Stand-alone, the standard library and pytest only. Nothing of the machine's configuration counts: no ini file, no
conftest, no plugin but pytest's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import io
import os
import sys
import types
from collections.abc import Callable, Generator
from typing import Any

import pytest

OPTIONS = (
    "-c", os.devnull, "--noconftest", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:unraisableexception",
    "-p", "no:threadexception", "-p", "no:doctest", "--capture=no", "-qq", "--no-header", "--no-summary", "--tb=no",
    "--color=no",
)  # fmt: skip


class Module(pytest.Module):
    """A module of tests that is there already."""

    given: types.ModuleType

    def _getobj(self) -> types.ModuleType:
        return self.given


class Watch:
    """Collects the one module, and keeps what each test found."""

    def __init__(self, module: types.ModuleType) -> None:
        """Take the module."""
        self.module, self.stdout = module, sys.stdout
        self.passed = 0
        self.found: list[tuple[str, BaseException | None]] = []

    def pytest_collection(self, session: pytest.Session) -> bool:
        """Collect the tests of the module."""
        node = Module.from_parent(session, path=session.path / "checks.py")
        node.given = self.module
        session.items = list(session.genitems(node))
        session.testscollected = len(session.items)
        return True

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        """Keep why a collector failed."""
        if isinstance(report, pytest.CollectReport):
            self.found.append((str(call.excinfo.value), call.excinfo.value))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, Any, Any]:
        """Let what a test prints go where the check's output goes, and not with pytest's own."""
        with contextlib.redirect_stdout(self.stdout):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
        """Count a test that was called and passed; keep every other outcome of a phase with its exception."""
        report = yield
        name = item.name if item.cls is None else f"{item.cls.__name__}.{item.name}"  # type: ignore[attr-defined]
        error = call.excinfo.value if call.excinfo is not None else None
        if hasattr(report, "wasxfail"):
            self.found.append((f"{name}: it is expected to fail", None))
        elif report.skipped:
            self.found.append((f"{name} was skipped: {error}", None))
        elif report.failed:
            self.found.append((name, error))
        elif call.when == "call":
            self.passed += 1
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: Any) -> bool | None:
        """Run a coroutine's test to its end."""
        if not inspect.iscoroutinefunction(pyfuncitem.obj):
            return None
        names = pyfuncitem._fixtureinfo.argnames
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        """Keep what ended the whole run."""
        self.found.append(("", excinfo.value))


def run(
    request: dict[str, Any],
    module: types.ModuleType,
    load: Callable[[dict[str, Any], types.ModuleType], None],
    not_passed: type[Exception],
) -> None:
    """Run the module's tests. Raises `not_passed` with words and the first exception."""
    load(request, module)
    for name, thing in list(module.__dict__.items()):
        if name.startswith(("test", "Test")) and name not in request["tests"] and callable(thing):
            if not hasattr(thing, "_get_wrapped_function") and not hasattr(thing, "_pytestfixturefunction"):
                del module.__dict__[name]  # a helper's or the candidate's own, which is no test of this check
    watch, before = Watch(module), dict(os.environ)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    os.environ.pop("PYTEST_PLUGINS", None)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main([*OPTIONS, "--rootdir", os.curdir], plugins=[watch])
    finally:
        os.environ.clear()
        os.environ.update(before)
    total, wrong = watch.passed + len(watch.found), watch.found
    if not wrong and watch.passed == 0:
        raise not_passed("pytest found no test")
    if wrong:
        names = ", ".join(name for name, _ in wrong[:5]) + (", ..." if len(wrong) > 5 else "")
        raise not_passed(names if total == 1 else f"{len(wrong)} of {total} cases failed: {names}", wrong[0][1])
