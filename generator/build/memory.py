"""Tables as the build log keeps them: written whole, opened without reading them, written again with a few changes."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any

from generator.build.buildlog import Log, Packed, Writer, places
from generator.build.patch import BY_SLUG, Patch
from generator.query import Collection
from generator.registry import Row, Rows, Table


def remember(writer: Writer, name: str, table: Table) -> None:
    """Write a table whole."""
    assert isinstance(table.rows, Rows)
    fields = table.rows.fields
    start = writer.rows(name, chain(fields, table.summaries), append=False)
    orders = {**table.orders, BY_SLUG: sorted(range(len(table.rows)), key=table.slugs.__getitem__)}
    writer.part(f"places-{name}", array("Q", places(fields, table.summaries, start)).tobytes())
    _write(writer, name, orders, table.members, table.labels)


def remember_patch(writer: Writer, name: str, patch: Patch, packed: Mapping[int, tuple[bytes, bytes]]) -> None:
    """Write a table with the rows of a patch after the others; `packed` has fields and summary of those rows."""
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
    writer.part(f"places-{name}", bytes(had))
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
        return order.tobytes() if isinstance(order, memoryview | array) else array("I", order).tobytes()

    writer.part(f"table-{name}", ({sort: pack(order) for sort, order in orders.items()},
                                  {facet: pack(order) for facet, order in members.items()}, dict(labels)))  # fmt: skip


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
    orders, members, labels = log.part(f"table-{collection.name}")
    blob, numbers = log.rows(collection.name), memoryview(log.part(f"places-{collection.name}")).cast("Q")

    def order(packed: bytes) -> Sequence[int]:
        return memoryview(packed).cast("I")

    rows = Packed(blob, numbers, {}, Row._make)
    summaries = Packed(blob, numbers, {}, Row._make, summaries=True)
    return Table(
        collection, rows, summaries, _Column(rows, "slug"), _Column(rows, "numbers"), log.head["aliases"][collection.name],
        {sort: order(p) for sort, p in orders.items()}, {facet: order(p) for facet, p in members.items()}, labels,
    )  # fmt: skip


def overlaid(table: Table, changed: Mapping[int, Row]) -> Table:
    """A recalled table with rows laid over it."""
    rows = table.rows
    assert isinstance(rows, Packed)
    laid = Packed(rows.blob, rows.places, changed, rows.make)
    summaries = Packed(rows.blob, rows.places, changed, rows.make, summaries=True)
    return replace(table, rows=laid, summaries=summaries, slugs=_Column(laid, "slug"), numbers=_Column(laid, "numbers"))
