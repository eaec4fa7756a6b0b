"""Lists name a value once.  A repeat is harmless, so this only warns."""

from collections.abc import Iterable, Iterator
from typing import Any

from generator.model.settings import own_fields
from generator.model.symbols import Kind, Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, spell

_FIELDS = ("programs", "organizations", "aliases", "sources")


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    held = record.__dict__  # fields that a kind has not are missed sooner here
    lists = [*record.tags.values()] if record.tags is not None else []
    lists += [held[field] for field in _FIELDS if held.get(field) is not None]
    for values in lists:
        if len(values) > 1 and len(set(values)) != len(values):
            return _of_each(record)
    return () if record.fields is None else _of_each(record)


def _of_each(record: Any) -> Iterator[Fault]:
    for family, tags in (record.tags or {}).items():
        yield from _repeats(("tags", family), tags)
    for key, values in own_fields.values(record):
        if isinstance(values, list):
            yield from _repeats(("fields", key), values)
    for field in _FIELDS:
        yield from _repeats((field,), getattr(record, field, None) or ())


def _repeats(loc: Loc, values: Iterable[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for i, value in enumerate(values):
        if value in seen:
            where = (*loc, i)
            yield Fault(
                "repeated-value",
                f'{spell(where)}: "{value}" is already in this list',
                where,
                "remove it",
                severity="warning",
                fix=Fix("remove", None, where),
            )
        seen.add(value)
