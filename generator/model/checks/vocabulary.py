"""Organization categories and program types are declared in registry.yaml."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from generator.model.suggestions import declared
from generator.model.symbols import Kind, Symbols
from generator.problems.faults import Fault

COLLECTIONS = ("organizations", "programs")


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    if (
        kind.collection == "organizations"
        and "organization_categories" not in symbols.unknown
        and record.category not in symbols.categories
    ):
        what = f'category: there is no organization category "{record.category}"'
        hint = partial(declared, record.category, symbols.categories, "organization_categories")
        yield Fault("unknown-category", what, ("category",), hint)
    if (
        kind.collection == "programs"
        and "program_types" not in symbols.unknown
        and record.type not in symbols.program_types
    ):
        what = f'type: there is no program type "{record.type}"'
        hint = partial(declared, record.type, symbols.program_types, "program_types")
        yield Fault("unknown-program-type", what, ("type",), hint)
