"""Organization categories and program types are declared in registry.yaml."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from generator.records.faults import Fault
from generator.records.meant import declared
from generator.records.symbols import Frame, Kind

COLLECTIONS = ("organizations", "programs")


def check_record(kind: Kind, record: Any, frame: Frame) -> Iterator[Fault]:
    if (
        kind.collection == "organizations"
        and "organization_categories" not in frame.unknown
        and record.category not in frame.categories
    ):
        what = f'category: there is no organization category "{record.category}"'
        hint = partial(declared, record.category, frame.categories, "organization_categories")
        yield Fault("unknown-category", what, ("category",), hint)
    if (
        kind.collection == "programs"
        and "program_types" not in frame.unknown
        and record.type not in frame.program_types
    ):
        what = f'type: there is no program type "{record.type}"'
        hint = partial(declared, record.type, frame.program_types, "program_types")
        yield Fault("unknown-program-type", what, ("type",), hint)
