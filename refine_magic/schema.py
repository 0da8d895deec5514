"""The record's JSON schema, versioned, and reading a record back."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from refine_magic.core.errors import RefineError
from refine_magic.core.types import SCHEMA_VERSION, ExecutionResult, Trajectory


def schema() -> dict[str, Any]:
    """Return the JSON schema of a trajectory; its definitions hold every other record's."""
    made = Trajectory.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "version": SCHEMA_VERSION, **made}


def dump(record: Trajectory | ExecutionResult) -> str:
    """Return the record as one JSON document."""
    return json.dumps(bundle(record), ensure_ascii=True)


def bundle(record: Trajectory | ExecutionResult) -> dict[str, Any]:
    """Return the record as plain data for JSON; text that is no valid unicode is marked, not lost."""
    data = record.model_dump(mode="python")
    return json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))  # type: ignore[no-any-return]


def load(text: str) -> Trajectory:
    """Return the trajectory of a JSON document. Raises RefineError for another version or another thing."""
    try:
        data = json.loads(text)
        version = data.get("schema_version")
    except (ValueError, AttributeError) as error:
        raise RefineError(f"this is no trajectory: {error}") from error
    if version != SCHEMA_VERSION:
        raise RefineError(f"the trajectory has schema version {version}; this refine-magic reads {SCHEMA_VERSION}")
    try:
        return Trajectory.model_validate(data)
    except ValidationError as error:
        raise RefineError(f"this is no trajectory: {str(error).splitlines()[0]}") from error
