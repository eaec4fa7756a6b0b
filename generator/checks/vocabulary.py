"""Organization categories and program types are declared in registry.yaml."""

from collections.abc import Iterator
from typing import Any

from generator.diagnostic import suggestion
from generator.kinds.frame import Frame, Kind
from generator.load import Fault

COLLECTIONS = ("organizations", "programs")


def check_record(kind: Kind, record: Any, frame: Frame) -> Iterator[Fault]:
    if (
        kind.collection == "organizations"
        and "organization_categories" not in frame.unknown
        and record.category not in frame.categories
    ):
        what = f'category: there is no organization category "{record.category}"'
        hint = suggestion(record.category, frame.categories) or "declare it in registry.yaml, under organization_categories"
        yield Fault("unknown-category", what, ("category",), hint)
    if kind.collection == "programs" and "program_types" not in frame.unknown and record.type not in frame.program_types:
        what = f'type: there is no program type "{record.type}"'
        hint = suggestion(record.type, frame.program_types) or "declare it in registry.yaml, under program_types"
        yield Fault("unknown-program-type", what, ("type",), hint)
