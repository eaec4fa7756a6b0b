"""Warns about a value that is in a list twice: of names also in other letters, of addresses also
with another spelling of one page.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from generator.kinds.types import fold_website
from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, describe_field
from generator.text.words import fold


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    lists: list[tuple[Loc, Any]]
    lists = [(("tags", family), tags) for family, tags in (record.tags or {}).items()]
    lists += [(f.place, getattr(record, f.name)) for f in kind.declared.sets]
    for loc, values in lists:
        if isinstance(values, list) and 1 < len(values) != len(set(map(_key, values))):
            yield from _repeats(loc, values)


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
