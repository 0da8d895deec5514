"""A run in the terminal from its first event to its exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from refine_magic import schema
from refine_magic.cli import status
from refine_magic.cli.show import RunView
from refine_magic.core import loop
from refine_magic.core.errors import PluginError, RefineError
from refine_magic.core.events import Event
from refine_magic.core.types import Trajectory


def follow(begin: Callable[[], loop.Events], view: RunView, *, as_json: bool) -> None:
    """Begin a run, show it to its end, print its record or its code, and exit with its status."""
    latest: list[Trajectory] = []

    def observe(record: Trajectory, event: Event) -> None:
        latest[:] = [record]
        view(record, event)

    with status.errors():
        stream = begin()
        try:
            loop.drive(stream, observe)
        except KeyboardInterrupt:
            pass
        except PluginError:
            raise
        except RefineError:
            if not latest:
                raise
        finally:
            view.close()
    if not latest:
        sys.exit(status.INTERRUPTED)
    if as_json:
        click.echo(schema.dump(latest[-1]))
    elif latest[-1].passed:
        click.echo(latest[-1].code)
    sys.exit(status.of(latest[-1]))
