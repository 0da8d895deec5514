from __future__ import annotations

import json

import pytest

from refine_magic import schema
from refine_magic.core.errors import RefineError
from refine_magic.core.types import SCHEMA_VERSION
from tests.unit.samples import answer, begin, run

PLAYED = run("no", answer(1), answer(1), answer(1, 2, 3)).last


def test_a_record_survives_the_round_trip() -> None:
    assert schema.load(schema.dump(PLAYED)) == PLAYED


def test_a_record_is_plain_ascii_json() -> None:
    assert schema.dump(begin().model_copy(update={"message": "é ☃ 😀"})).isascii()


def test_text_beyond_ascii_survives_the_round_trip() -> None:
    unusual = begin().model_copy(update={"message": "é ☃ 😀 \u2028 \x00"})
    assert schema.load(schema.dump(unusual)).message == unusual.message


def test_text_that_is_no_unicode_is_marked() -> None:
    assert schema.bundle(begin().model_copy(update={"message": "a\ud800b"}))["message"] == "a?b"


def test_a_bundle_can_be_written_as_utf_8() -> None:
    strange = schema.bundle(begin().model_copy(update={"message": "\ud800"}))
    assert json.dumps(strange, ensure_ascii=False).encode("utf-8")


def test_another_version_is_refused() -> None:
    other = json.dumps({**json.loads(schema.dump(PLAYED)), "schema_version": SCHEMA_VERSION + 1})
    with pytest.raises(RefineError, match=f"schema version {SCHEMA_VERSION + 1}; this refine-magic reads"):
        schema.load(other)


@pytest.mark.parametrize("text", ["", "{", "[]", "5", "null", '"text"'])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RefineError, match="no trajectory"):
        schema.load(text)


def test_a_record_without_its_parts_is_refused() -> None:
    with pytest.raises(RefineError, match="no trajectory"):
        schema.load(json.dumps({"schema_version": SCHEMA_VERSION}))


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(RefineError, match="no trajectory"):
        schema.load(json.dumps({**json.loads(schema.dump(PLAYED)), "surprise": 1}))


def test_the_schema_says_its_version() -> None:
    assert schema.schema()["version"] == SCHEMA_VERSION


def test_the_schema_describes_every_field_of_a_record() -> None:
    assert set(json.loads(schema.dump(PLAYED))) <= set(schema.schema()["properties"])
