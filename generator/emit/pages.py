"""Lists: every slice of every collection, cut into pages of encoded summaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import orjson

from generator.artifact import Artifact, document
from generator.facets import declared
from generator.kinds.frame import Frame
from generator.query import Grammar, Query, Slice
from generator.registry import Table, upcoming

#: Between two rows of a list, so that a line of a page is a record: `grep` and `diff` work on pages.
BETWEEN = b",\n"


def slices(table: Table, frame: Frame, as_of: date) -> Iterator[tuple[Slice, Sequence[int]]]:
    """Every slice of a collection that has files, with its rows: whole lists, sorts, upcoming, then by filter."""
    collection = table.collection
    for sort in collection.sorts:
        part = Slice(collection, sort="" if sort == collection.sorts[0] else sort)
        yield part, table.positions(part)
    if collection is frame.grammar.events:
        yield Slice(collection, "upcoming", "true"), upcoming(table, as_of)
    present = table.counts().values
    for name, known in declared(collection, frame).items():
        for value in sorted({*known, *present[name]}):
            part = Slice(collection, name, value)
            yield part, table.positions(part)


def total_pages(count: int, size: int) -> int:
    """An empty list has one page."""
    return max(1, -(-count // size))


def pages(
    part: Slice, positions: Sequence[int], summaries: Sequence[bytes], size: int, grammar: Grammar, as_of: date | None
) -> Iterator[Artifact]:
    """Cut a slice into pages of at most `size` encoded summaries; no rows give one empty page."""
    for number in range(1, total_pages(len(positions), size) + 1):
        rows = [summaries[i] for i in positions[(number - 1) * size : number * size]]
        yield page(part, number, rows, len(positions), size, grammar, as_of)


def page(part: Slice, number: int, rows: Sequence[bytes], count: int, size: int, grammar: Grammar, as_of: date | None) -> Artifact:
    """One page of a list; `as_of` is given for events only."""
    last = total_pages(count, size)
    filters = ((part.filter, part.value or ""),) if part.filter is not None else ()
    query = Query(part.collection, filters, part.sort, None, number)
    folder = grammar.url(part.folder)

    def at(n: int) -> str:
        return f"{folder}/page/{n}.json"

    links = {
        "self": at(number),
        "first": at(1),
        "prev": at(number - 1) if number > 1 else None,
        "next": at(number + 1) if number < last else None,
        "last": at(last),
        "filters": grammar.url(part.collection.filters_path),
    }
    shape = {"number": number, "size": size, "count": len(rows), "total_items": count, "total_pages": last}
    return Artifact(part.path(number), list_bytes(query, shape, links, rows, as_of))


def list_bytes(
    query: Query, shape: Mapping[str, int], links: Mapping[str, str | None], rows: Sequence[bytes], as_of: date | None
) -> bytes:
    """The bytes of a list document around rows that are encoded already."""
    head = document(f"{query.collection.kind}_list")
    if as_of is not None:
        head["as_of"] = as_of.isoformat()
    head |= {"query": query.echo(), "page": shape, "links": links}
    opening, closing = (b',"data":[\n', b"\n]}\n") if rows else (b',"data":[', b"]}\n")
    return b"".join((orjson.dumps(head)[:-1], opening, BETWEEN.join(rows), closing))
