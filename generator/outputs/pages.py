"""The lists: every slice of every collection, in pages of encoded summaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from generator.contract.artifact import Artifact
from generator.contract.listing import render_list, total_pages
from generator.grammar.grammar import Grammar, Query, Slice
from generator.model.symbols import Symbols
from generator.model.tables.facets import paged_values
from generator.model.tables.table import Registry, Table, items_at, upcoming_events


def slices(table: Table, symbols: Symbols, as_of: date) -> Iterator[tuple[Slice, Sequence[int]]]:
    """The slices of a collection that have files, each with its rows: whole lists, sorts, virtual
    filters, then values of filters.
    """
    collection = table.collection
    parts = [*collection.whole_slices(), *(part for _, part in collection.virtual_slices())]
    parts += [Slice(collection, *pair) for pair in paged_values(table.counts(), symbols)]
    return ((part, slice_rows(table, part, as_of)) for part in parts)


def slice_rows(table: Table, part: Slice, as_of: date) -> Sequence[int]:
    """The rows of a slice, in its order."""
    virtual = part.filter in table.collection.virtual
    return upcoming_events(table, as_of) if virtual else table.positions(part)


def count_pages(
    part: Slice, rows: Sequence[int], known: Mapping[str, Mapping[str, str]], size: int
) -> int:
    """The number of pages of a slice: at least 1, but 0 for a value that no record has and that is
    not in `known`, the result of `facets.declared_values`.
    """
    is_declared = part.filter not in known or part.value in known[part.filter or ""]
    return total_pages(len(rows), size) if is_declared or len(rows) else 0


def list_length(registry: Registry, part: Slice) -> int:
    """The number of pages of a slice, at least 1."""
    table = registry.tables[part.collection.name]
    return total_pages(len(table.positions(part)), registry.settings.page_size)


def render_page(
    part: Slice,
    number: int,
    rows: Sequence[int],
    summaries: Sequence[bytes],
    size: int,
    grammar: Grammar,
    as_of: date,
) -> Artifact:
    """One page of a slice, with at most `size` encoded summaries.  `rows` are all its rows.  Only
    pages of a collection with a virtual filter have the day.
    """
    filters = ((part.filter, part.value or ""),) if part.filter is not None else ()
    query = Query(part.collection, filters, part.sort, None, number)
    day = as_of.isoformat() if part.collection.virtual else None
    texts = items_at(summaries, rows[(number - 1) * size : number * size])
    page = render_list(query, texts, count=len(rows), size=size, grammar=grammar, as_of=day)
    return Artifact(part.path(number), page)
