"""The model writes checks: asked for, cleaned, and not believed yet."""

from __future__ import annotations

import ast
from collections.abc import Generator

from refine_magic.core.errors import ModelError, SpecError
from refine_magic.core.events import ChecksWritten, Event
from refine_magic.core.protocols import Model
from refine_magic.core.types import Trajectory, Usage
from refine_magic.prompting.messages import checks_messages
from refine_magic.prompting.reply import options, read
from refine_magic.specs import generated

TRIES = 2


class GeneratedChecks:
    """Asks for checks, and once more where none of a reply's can be used."""

    def write(self, run: Trajectory, model: Model, most: int) -> Generator[Event, None, ChecksWritten]:
        """Return the problem with the model's checks added to it.

        Raises SpecError where no check is left and the user gave none, and ModelError.
        """
        problem, cost = run.problem, Usage()
        asked = checks_messages(run, most)
        for attempt in range(TRIES):
            warm = min(run.settings.temperature + attempt * run.settings.temperature_step, 1.0)
            chosen = options(run, warm, purpose="checks", json_schema=generated.SCHEMA)
            chosen = chosen.model_copy(update={"seed": chosen.seed + attempt})
            try:
                text, usage = yield from read(model, asked, chosen, "checks", lambda text: False)
            except ModelError as error:
                raise because_of_no_checks(run, error) from error
            cost += usage
            made = generated.clean(generated.read(text), problem.spec.checks, problem.entry_point, most)
            if made:
                break
        else:
            if not problem.spec.checks:
                raise SpecError(
                    "there are no checks, and the model wrote none that can be used: write some below '---'"
                )
        spec = problem.spec.model_copy(update={"checks": (*problem.spec.checks, *made)})
        entry = problem.entry_point or generated.most_called([ast.parse(check.source) for check in made])
        return ChecksWritten(problem=problem.model_copy(update={"spec": spec, "entry_point": entry}), usage=cost)


def because_of_no_checks(run: Trajectory, error: ModelError) -> ModelError:
    """Return the error with the reason why the model was asked for checks at all, where the user gave none."""
    if run.problem.spec.checks:
        return error
    return type(error)(f"there are no checks, and the model was to write them: {error}")
