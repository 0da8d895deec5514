"""The ``refine-magic`` command: the same engine as the magic, and exit statuses that scripts can use."""

from __future__ import annotations

import click

from refine_magic.cli.demo import demo
from refine_magic.cli.doctor import doctor
from refine_magic.cli.go_on import go_on
from refine_magic.cli.judge import judge
from refine_magic.cli.run import run
from refine_magic.cli.speed import speed
from refine_magic.version import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="refine-magic")
def main() -> None:
    """Have a local Llama write code, and refine it until its checks pass.

    Exit status: 0 passed, 1 not passed, 2 wrong usage, 3 our own failure (model or kernel), 4 passed on generated
    checks only, 130 interrupted.
    """


for command in (run, go_on, judge, doctor, demo, speed):
    main.add_command(command)
