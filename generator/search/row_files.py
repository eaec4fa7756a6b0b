"""The row files of the search index of a collection."""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from zlib import crc32

from generator.contract.artifact import Artifact
from generator.model.tables.table import Table, items_at
from generator.search.blocks import Blocks
from generator.search.manifest import ROWS, Part, PartCheck, part_path


class RowFiles:
    """The row files of a table: small ones, by groups, and large and larger ones."""

    def __init__(self, table: Table, blocks: Blocks):
        self.table, self.blocks = table, blocks
        self.order = table.orders[table.collection.sorts[0]]
        max_level = max(blocks.levels, default=2)
        #: Where each group, large file and larger file begins.
        self.starts = {
            kind: blocks.starts_at_level(level) for level, kind in enumerate(ROWS[:max_level], 1)
        }

    def span(self, part: Part) -> tuple[slice, slice]:
        """The positions of a part, and its blocks."""
        kind, number = part
        starts = self.starts[kind]
        start = starts[number]
        end = starts[number + 1] if number + 1 < len(starts) else len(self.order)
        first, last = (bisect_left(self.blocks.starts, place) for place in (start, end))
        return slice(start, end), slice(first, last)

    def render(self, part: Part) -> tuple[list[Artifact], PartCheck]:
        """The file of a part, or the small files of a group, and the check in their names."""
        positions, blocks = self.span(part)
        rows = items_at(self.table.summaries, self.order[positions])
        collection, data = self.table.collection, b"\n".join(rows) + b"\n"
        check = crc32(data)
        if part[0] != ROWS[0]:
            return [Artifact(part_path(collection, part, check), data)], check
        files, rest = [], iter(rows)
        for slot, size in zip(self.blocks.slots[blocks], self.blocks.sizes[blocks], strict=True):
            block = b"\n".join(islice(rest, size)) + b"\n"
            file = part_path(collection, (ROWS[0], slot), check)
            files.append(Artifact(file, block + b"%08x\n" % crc32(block)))
        return files, check
