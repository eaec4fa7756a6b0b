"""Tables as the build log keeps them: written whole, opened without reading them, written again with a few changes."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from generator.build.buildlog import Log, Packed, Writer, places
from generator.build.patch import BY_SLUG, Patch
from generator.query import Collection
from generator.registry import Row, Table


def remember(writer: Writer, name: str, table: Table, fields: Sequence[bytes]) -> None:
    """Write a table whole.  `fields` has the packed fields of each row, by position."""
    start = writer.rows(name, [*fields, *table.summaries], append=False)
    orders = {**table.orders, BY_SLUG: sorted(range(len(table.rows)), key=[row.slug for row in table.rows].__getitem__)}
    writer.part(f"places-{name}", array("Q", places(fields, table.summaries, start)).tobytes())
    _write(writer, name, orders, table.members, table.labels)


def remember_patch(writer: Writer, log: Log, name: str, patch: Patch, packed: Mapping[int, tuple[bytes, bytes]]) -> None:
    """Write a table with the rows of a patch after the others; `packed` has fields and summary of those rows."""
    numbers = sorted(packed)
    fields, summaries = [packed[n][0] for n in numbers], [packed[n][1] for n in numbers]
    start = writer.rows(name, [*fields, *summaries], append=True)
    had = bytearray(log.part(f"places-{name}"))
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


def recall(log: Log, collection: Collection, changed: Mapping[int, Row] | None = None) -> Table:
    """A table as the log has it, with rows of some numbers laid over it.  Raises LogDamaged."""
    orders, members, labels = log.part(f"table-{collection.name}")
    blob, numbers = log.rows(collection.name), memoryview(log.part(f"places-{collection.name}")).cast("Q")
    laid = changed or {}

    def order(packed: bytes) -> Sequence[int]:
        return memoryview(packed).cast("I")

    rows: Any = Packed(blob, numbers, laid, Row._make)
    summaries: Any = Packed(blob, numbers, laid, Row._make, summaries=True)
    return Table(collection, rows, summaries, {sort: order(p) for sort, p in orders.items()},
                 {facet: order(p) for facet, p in members.items()}, labels)  # fmt: skip


def overlaid(table: Table, changed: Mapping[int, Row]) -> Table:
    """A recalled table with rows laid over it."""
    rows, summaries = table.rows, table.summaries
    assert isinstance(rows, Packed) and isinstance(summaries, Packed)
    return Table(table.collection, Packed(rows.blob, rows.places, changed, rows.make),
                 Packed(rows.blob, rows.places, changed, rows.make, summaries=True),
                 table.orders, table.members, table.labels)  # fmt: skip
