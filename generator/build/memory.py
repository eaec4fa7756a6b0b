"""Tables over those of the last build: opened without reading them, changed in a few rows, written
whole or with what changed.
"""

from __future__ import annotations

import types
from array import array
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any
from zlib import crc32

from generator.api.grammar import Collection
from generator.build.buildlog import Log, Packed, Writer
from generator.build.plain import LogDamaged
from generator.tables.patch import BY_SLUG, Change, Patch, patch, position
from generator.tables.table import Row, Rows, Table, TableBuilder, batch, unpacked_row

#: Bytes of a row's places: six numbers of 64 bits (see generator.build.buildlog.Packed).
_PLACE = 48


def apply(
    collection: Collection, before: Table | None, rows: TableBuilder, gone: Set[str]
) -> Patch:
    """A recalled table with rows that are new or changed, and without those that are gone; where
    there is none, the table of these rows.  Raises LogDamaged.
    """
    if before is None:
        return Patch(rows.table(collection), {}, slugs_changed=True)
    changes = []
    for row in sorted(Rows(rows.fields, rows.summaries), key=attrgetter("slug")):
        number = position(before, row.slug)
        was = before.rows[number] if number is not None else None
        if was != row:
            changes.append(Change(was, row))
    for slug in sorted(gone):
        number = position(before, slug)
        if number is None:
            raise LogDamaged
        changes.append(Change(before.rows[number], None))
    if not changes:
        return Patch(before, {})
    return patch(before, changes, lambda changed: _overlaid(before, changed))


def remember(writer: Writer, name: str, patch: Patch) -> None:
    """Write a table: whole where it is new, else the changed rows after those that the log has."""
    table = patch.table
    if isinstance(table.rows, Rows):
        by_slug = array("I", sorted(range(len(table.rows)), key=table.slugs.__getitem__))
        writer.part(f"places-{name}", None, [_put(writer, name, table.rows, append=False)])
        _write(writer, name, {**table.orders, BY_SLUG: by_slug}, table)
    elif patch.touched:
        _append(writer, name, table.rows, patch.changed)
        if patch.in_place:
            writer.keep(f"table-{name}")
        else:
            _write(writer, name, table.orders, table)
    else:
        writer.keep(f"table-{name}", f"places-{name}")
        writer.keep_rows(name)


def _put(writer: Writer, name: str, rows: Rows, *, append: bool) -> memoryview:
    """Write rows, as they lie in memory; the places of each."""
    blocks = chain(rows.fields.blocks(), rows.summaries.blocks())
    start = writer.rows(name, blocks, append=append)
    places = array("Q", bytes(_PLACE * len(rows)))
    for first, pieces in (0, rows.fields), (3, rows.summaries):
        places[first::6] = pieces.places(start)
        places[first + 1 :: 6] = array("Q", pieces.sizes)
        places[first + 2 :: 6] = array("Q", map(crc32, pieces))
        start += sum(pieces.totals)
    return memoryview(places).cast("B")


def _append(writer: Writer, name: str, rows: Sequence[Row], changed: Mapping[int, Row]) -> None:
    assert isinstance(rows, Packed)
    numbers = sorted(changed)
    packed = bytearray(rows.places)
    packed.extend(bytes(_PLACE * len(rows) - len(packed)))
    new = _put(writer, name, batch(changed[number] for number in numbers).rows(), append=True)
    for i, number in enumerate(numbers):
        own = new[i * _PLACE : (i + 1) * _PLACE]
        packed[number * _PLACE : (number + 1) * _PLACE] = own
    writer.part(f"places-{name}", None, [bytes(packed)])


def _write(writer: Writer, name: str, orders: Mapping[str, Sequence[int]], table: Table) -> None:
    lists = [
        memoryview(order if isinstance(order, memoryview | array) else array("I", order)).cast("B")
        for order in (*orders.values(), *table.members.values())
    ]
    named = list(orders), list(table.members), dict(table.labels), list(table.coverage.items())
    writer.part(f"table-{name}", named, lists)


class _Column(Sequence[Any]):
    """One field of rows that are not read before they are asked for."""

    def __init__(self, rows: Packed, name: str):
        self.rows, self.field = rows, attrgetter(name)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.field(self.rows[index])


class _Slugs(_Column):
    """Their slugs, of which much is asked: the first text of the fields, without an escape."""

    def __init__(self, rows: Packed):
        super().__init__(rows, "slug")

    def __getitem__(self, index: Any) -> Any:
        fields = self.rows.fields(index)
        return super().__getitem__(index) if fields is None else _slug(fields)

    def some(self, numbers: Sequence[int]) -> list[str]:
        if not self.rows.changed.keys().isdisjoint(numbers):
            return [self[number] for number in numbers]
        return [_slug(bytes(fields)) for fields in self.rows.parts(numbers)]


def _slug(fields: bytes) -> str:
    return fields[2 : fields.index(b'"', 2)].decode()


def recall(log: Log, collection: Collection) -> Table:
    """A table as the log has it; where an order has a number that no row has, reading that row
    fails.  Raises LogDamaged.
    """
    (sorts, facets, labels, coverage), packed = log.views(
        f"table-{collection.name}", ([str], [str], {str: str}, [(int, int)])
    )
    _, places = log.views(f"places-{collection.name}", types.NoneType)
    if len(packed) != len(sorts) + len(facets) or len(places) != 1 or len(places[0]) % _PLACE:
        raise LogDamaged
    if sorted(sorts) != sorted((*collection.table_sorts, BY_SLUG)) or any(
        len(order) % 4 for order in packed
    ):
        raise LogDamaged
    blob, numbers = log.rows(collection.name), places[0].cast("Q")
    lists = [order.cast("I") for order in packed]
    rows = Packed(blob, numbers, {}, unpacked_row)
    summaries = Packed(blob, numbers, {}, unpacked_row, summaries=True)
    return Table(
        collection,
        rows,
        summaries,
        _Slugs(rows),
        _Column(rows, "numbers"),
        log.head.aliases[collection.name],
        dict(zip(sorts, lists, strict=False)),
        dict(zip(facets, lists[len(sorts) :], strict=True)),
        labels,
        dict(coverage),
    )


def _overlaid(table: Table, changed: Mapping[int, Row]) -> Table:
    """A recalled table with rows laid over it."""
    rows = table.rows
    assert isinstance(rows, Packed)
    laid = Packed(rows.blob, rows.places, changed, rows.make)
    summaries = Packed(rows.blob, rows.places, changed, rows.make, summaries=True)
    return replace(
        table,
        rows=laid,
        summaries=summaries,
        slugs=_Slugs(laid),
        numbers=_Column(laid, "numbers"),
    )
