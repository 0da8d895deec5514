"""``refine-magic judge``: one candidate, its checks, a verdict; no model."""

from __future__ import annotations

import sys

import click
from rich.console import Console
from rich.text import Text

from refine_magic import api, schema
from refine_magic.cli import status
from refine_magic.cli.show import result_view
from refine_magic.cli.sources import CHECKS_HELP, LIMIT_HELP, one_standard_input, texts
from refine_magic.core.errors import SpecError
from refine_magic.specs.problem import NO_CHECKS, find_entry_point, make_spec


@click.command()
@click.argument("code_file", type=click.Path(allow_dash=True))
@click.option("-c", "--checks", "reference", required=True, metavar="REF", help=CHECKS_HELP)
@click.option("-e", "--entry-point", metavar="NAME", help="The name that the checks call.")
@click.option("--timeout", type=float, metavar="S", help="Seconds for the code and its checks.  [default: 10]")
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE", help=LIMIT_HELP)
@click.option("--executor", metavar="SPEC", help="kernel, on this machine, or remote:http://HOST:PORT.")
@click.option("--isolation", metavar="LEVEL", help="auto, or a level by its name.")
@click.option("--kernel", metavar="NAME", help="The kernelspec to judge in.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
def judge(
    code_file: str,
    reference: str,
    entry_point: str | None,
    timeout: float | None,
    limits: tuple[str, ...],
    executor: str | None,
    isolation: str | None,
    kernel: str | None,
    as_json: bool,
) -> None:
    """Judge the code in CODE_FILE against checks, in a fresh kernel; '-' is standard input for either file."""
    one_standard_input(code_file, reference)
    code = status.read(code_file, "the code")
    with status.errors():
        settings = api.make_settings(
            timeout=timeout, limits=limits or None, executor=executor, isolation=isolation, kernel=kernel
        )
        spec = make_spec("", texts([reference]), entry_point=entry_point)
        if not spec.checks:
            raise SpecError(NO_CHECKS)
        find_entry_point(spec, entry_point)
        result = api.judge(code, spec, settings)
    if as_json:
        click.echo(schema.dump(result))
    else:
        console = Console()
        passed = f"{result.passed} of {len(result.checks)} checks passed"
        style = "bold green" if result.outcome == "passed" else "bold red"
        console.print(Text(f"{result.outcome.replace('_', ' ')}: {passed}", style=style))
        console.print(result_view(result, spec))
        told = "; ".join([f"isolation: {result.isolation}", *result.caveats])
        console.print(Text(f"{result.duration:.2f} s · {told}", style="dim"))
    sys.exit(status.PASSED if result.outcome == "passed" else status.NOT_PASSED)
