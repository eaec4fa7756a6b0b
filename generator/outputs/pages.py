"""Lists: every slice of every collection, cut into pages of encoded summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from generator.api.artifact import Artifact
from generator.api.grammar import Grammar, Query, Slice
from generator.api.listing import list_bytes, total_pages
from generator.records.symbols import Symbols
from generator.tables.facets import declared
from generator.tables.table import Registry, Table, upcoming


def slices(table: Table, symbols: Symbols, as_of: date) -> Iterator[tuple[Slice, Sequence[int]]]:
    """Every slice of a collection that has files, with its rows: whole lists, sorts, upcoming, then
    by filter.
    """
    collection = table.collection
    for sort in collection.prepared_sorts:
        part = Slice(collection, sort="" if sort == collection.sorts[0] else sort)
        yield part, table.positions(part)
    for _, part in collection.virtual_slices():
        yield part, upcoming(table, as_of)
    present = table.counts().values
    for name, known in declared(collection, symbols).items():
        for value in sorted({*known, *present[name]}):
            part = Slice(collection, name, value)
            yield part, table.positions(part)


def length(registry: Registry, part: Slice) -> int:
    """How many pages a slice has; an empty one has one."""
    (table,) = (table for table in registry.tables if table.collection.name == part.collection.name)
    return total_pages(len(table.positions(part)), registry.settings.page_size)


def pages(
    part: Slice,
    positions: Sequence[int],
    summaries: Sequence[bytes],
    size: int,
    grammar: Grammar,
    as_of: date | None,
) -> Iterator[Artifact]:
    """Cut a slice into pages of at most `size` encoded summaries; no rows give one empty page."""
    for number in range(1, total_pages(len(positions), size) + 1):
        rows = [summaries[i] for i in positions[(number - 1) * size : number * size]]
        yield page(part, number, rows, len(positions), size, grammar, as_of)


def page(
    part: Slice,
    number: int,
    rows: Sequence[bytes],
    count: int,
    size: int,
    grammar: Grammar,
    as_of: date | None,
) -> Artifact:
    """One page of a list; `as_of` is given for events only."""
    filters = ((part.filter, part.value or ""),) if part.filter is not None else ()
    query = Query(part.collection, filters, part.sort, None, number)
    day = as_of.isoformat() if as_of is not None else None
    return Artifact(part.path(number), list_bytes(query, rows, count, size, grammar, day))
