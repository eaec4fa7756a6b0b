"""Lists name a value once.  A repeat is harmless, so this only warns."""

from collections.abc import Iterator
from typing import Any

from generator.api.diagnostic import Fix
from generator.records import own
from generator.records.faults import Fault, Loc, spell
from generator.records.symbols import Kind, Symbols


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for family, tags in (record.tags or {}).items():
        if len(tags) > 1:
            yield from _repeats(("tags", family), tags)
    for key, values in own.values(record):
        if isinstance(values, list) and len(values) > 1:
            yield from _repeats(("fields", key), values)
    for field in ("programs", "organizations", "aliases", "sources"):
        values = getattr(record, field, None)
        if values is not None and len(values) > 1:
            yield from _repeats((field,), values)


def _repeats(loc: Loc, values: list[str]) -> Iterator[Fault]:
    if len(set(values)) != len(values):
        seen: set[str] = set()
        for i, value in enumerate(values):
            if value in seen:
                where = (*loc, i)
                yield Fault(
                    "repeated-value",
                    f'{spell(where)}: "{value}" stands here again',
                    where,
                    "remove it",
                    severity="warning",
                    fix=Fix("remove", None, where),
                )
            seen.add(value)
