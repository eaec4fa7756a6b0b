"""Tables as the build log keeps them: written whole, opened without reading them, written again
with a few changes.
"""

from __future__ import annotations

import types
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any

from generator.api.grammar import Collection
from generator.build.buildlog import Log, Packed, Writer, places
from generator.build.plain import LogDamaged
from generator.records.checks import Mark
from generator.records.folder import COLLECTIONS
from generator.tables.patch import BY_SLUG, Patch
from generator.tables.table import Row, Rows, Table, unpacked_row


def remember(writer: Writer, name: str, table: Table) -> None:
    """Write a table whole."""
    assert isinstance(table.rows, Rows)
    fields = table.rows.fields
    start = writer.rows(name, chain(fields, table.summaries), append=False)
    orders = {**table.orders, BY_SLUG: sorted(range(len(table.rows)), key=table.slugs.__getitem__)}
    writer.part(
        f"places-{name}", None, [array("Q", places(fields, table.summaries, start)).tobytes()]
    )
    _write(writer, name, orders, table.members, table.labels)


def remember_patch(
    writer: Writer, name: str, patch: Patch, packed: Mapping[int, tuple[bytes, bytes]]
) -> None:
    """Write a table with the rows of a patch after the others; `packed` has fields and summary of
    those rows.
    """
    numbers = sorted(packed)
    fields, summaries = [packed[n][0] for n in numbers], [packed[n][1] for n in numbers]
    start = writer.rows(name, [*fields, *summaries], append=True)
    rows = patch.table.rows
    assert isinstance(rows, Packed)
    had = bytearray(rows.places)
    had.extend(bytes(48 * (max([len(had) // 48, *(n + 1 for n in numbers)]) - len(had) // 48)))
    found = array("Q", places(fields, summaries, start))
    for i, number in enumerate(numbers):
        had[number * 48 : (number + 1) * 48] = found[i * 6 : i * 6 + 6].tobytes()
    writer.part(f"places-{name}", None, [bytes(had)])
    if patch.in_place:
        writer.keep(f"table-{name}")
    else:
        _write(writer, name, patch.table.orders, patch.table.members, patch.table.labels)


def _write(
    writer: Writer,
    name: str,
    orders: Mapping[str, Sequence[int]],
    members: Mapping[str, Sequence[int]],
    labels: Mapping[str, str],
) -> None:
    def pack(order: Sequence[int]) -> bytes:
        return (
            order.tobytes()
            if isinstance(order, memoryview | array)
            else array("I", order).tobytes()
        )

    writer.part(f"table-{name}", (list(orders), list(members), dict(labels)),
                [pack(order) for order in (*orders.values(), *members.values())])  # fmt: skip


class _Column(Sequence[Any]):
    """One field of rows that are not read before they are asked for."""

    def __init__(self, rows: Packed, name: str):
        self.rows, self.field = rows, attrgetter(name)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.field(self.rows[index])


def recall(log: Log, collection: Collection) -> Table:
    """A table as the log has it.  Raises LogDamaged."""
    (sorts, facets, labels), packed = log.part(
        f"table-{collection.name}", ([str], [str], {str: str})
    )
    _, places = log.part(f"places-{collection.name}", types.NoneType)
    if len(packed) != len(sorts) + len(facets) or len(places) != 1 or len(places[0]) % 48:
        raise LogDamaged
    if sorted(sorts) != sorted((*collection.prepared_sorts, BY_SLUG)) or any(
        len(order) % 4 for order in packed
    ):
        raise LogDamaged
    blob, numbers = log.rows(collection.name), memoryview(places[0]).cast("Q")
    lists = [memoryview(order).cast("I") for order in packed]
    if max(map(max, filter(None, lists)), default=-1) >= len(places[0]) // 48:
        raise LogDamaged
    rows = Packed(blob, numbers, {}, unpacked_row)
    summaries = Packed(blob, numbers, {}, unpacked_row, summaries=True)
    return Table(
        collection, rows, summaries, _Column(rows, "slug"), _Column(rows, "numbers"), log.head.aliases[collection.name],
        dict(zip(sorts, lists, strict=False)), dict(zip(facets, lists[len(sorts) :], strict=True)), labels,
    )  # fmt: skip


def overlaid(table: Table, changed: Mapping[int, Row]) -> Table:
    """A recalled table with rows laid over it."""
    rows = table.rows
    assert isinstance(rows, Packed)
    laid = Packed(rows.blob, rows.places, changed, rows.make)
    summaries = Packed(rows.blob, rows.places, changed, rows.make, summaries=True)
    return replace(
        table,
        rows=laid,
        summaries=summaries,
        slugs=_Column(laid, "slug"),
        numbers=_Column(laid, "numbers"),
    )


def remember_marks(writer: Writer, marks: Mapping[str, Mapping[str, Mark]]) -> None:
    """Write what checks across records look at; no part of a mark holds a tab."""
    packed = {
        name: {slug: f"{key}\t{website}\t{year}" for slug, (key, website, year) in of.items()}
        for name, of in marks.items()
    }
    writer.part("marks", packed)


def recall_marks(log: Log) -> dict[str, dict[str, Mark]]:
    """The marks as the log has them.  Raises LogDamaged."""
    packed, _ = log.part("marks", {name: {str: str} for name in COLLECTIONS})
    try:
        return {
            name: {slug: _mark(*text.split("\t")) for slug, text in of.items()}
            for name, of in packed.items()
        }
    except (TypeError, ValueError):
        raise LogDamaged from None


def _mark(key: str, website: str, year: str) -> Mark:
    return key, website, int(year)
