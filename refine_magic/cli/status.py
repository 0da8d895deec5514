"""Exit statuses, and the one place where our errors become them."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

import click

from refine_magic.core.errors import PluginError, RefineError, SpecError
from refine_magic.core.types import Trajectory

PASSED, NOT_PASSED, USAGE, FAILURE, UNVERIFIED, INTERRUPTED = 0, 1, 2, 3, 4, 130
OF_STATUS = {
    "passed": PASSED,
    "passed_unverified": UNVERIFIED,
    "not_passed": NOT_PASSED,
    "interrupted": INTERRUPTED,
    "error": FAILURE,
}


def of(run: Trajectory) -> int:
    """Return the exit status for a run that is over."""
    return OF_STATUS[run.status]


@contextmanager
def errors() -> Generator[None, None, None]:
    """Turn our errors into one line on standard error and an exit status."""
    try:
        yield
    except (SpecError, PluginError) as error:
        raise click.UsageError(str(error)) from error
    except RefineError as error:
        click.echo(f"{type(error).__name__}: {error}", err=True)
        sys.exit(FAILURE)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)


def read(file: str, what: str) -> str:
    """Return a file's text, or standard input's for ``-``. Raises click.UsageError where it cannot be read."""
    try:
        with click.open_file(file, encoding="utf-8") as stream:
            return str(stream.read())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise click.UsageError(f"{what} {file!r} cannot be read: {reason}") from error
