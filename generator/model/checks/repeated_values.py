"""Warns about a value that is in a list twice: of names also in other letters, of addresses also
with another spelling of one page.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from generator.kinds.types import fold_website
from generator.model.kind import Kind
from generator.model.settings import own_fields
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, describe_field
from generator.text.words import fold


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    names = (*kind.declared.sets, *kind.declared.names)
    lists = [*record.tags.values()] if record.tags is not None else []
    lists += [values for name in names if (values := getattr(record, name)) is not None]
    for values in lists:
        if len(values) > 1 and len(set(map(_key, values))) != len(values):
            return _check_lists(names, record)
    return () if record.fields is None else _check_lists(names, record)


def _check_lists(names: Iterable[str], record: Any) -> Iterator[Fault]:
    for family, tags in (record.tags or {}).items():
        yield from _repeats(("tags", family), tags)
    for key, values in own_fields.own_values(record):
        if isinstance(values, list):
            yield from _repeats(("fields", key), values)
    for name in names:
        yield from _repeats((name,), getattr(record, name) or ())


def _repeats(loc: Loc, values: Iterable[Any]) -> Iterator[Fault]:
    seen, given = set[Any](), set[Any]()
    for i, value in enumerate(values):
        if (key := _key(value)) in seen:
            item = (*loc, i)
            message = f'{describe_field(item)}: "{value}" is already in this list'
            fix = Fix("remove", None, item) if value in given else None
            yield Fault("repeated-value", message, item, "remove it", severity="warning", fix=fix)
        seen.add(key)
        given.add(value)


def _key(value: Any) -> Any:
    """What is the same for two spellings of a name or an address."""
    if not isinstance(value, str):
        return value
    if "://" in value:
        return fold_website(value)
    return value if value.islower() and value.isascii() else " ".join(fold(value).split())
