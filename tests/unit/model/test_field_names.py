"""The field names that YAML hints know."""

from __future__ import annotations

from generator.dialect.mistakes import FIELD_NAMES
from generator.kinds.models import model_of
from generator.kinds.types import Location
from support.kinds import COMPUTED as KINDS


def test_hints_know_the_fields_of_all_kinds_and_of_locations() -> None:
    fields = {name for kind in KINDS.values() for name in model_of(kind.model).model_fields}
    assert fields | set(model_of(Location).model_fields) == FIELD_NAMES
