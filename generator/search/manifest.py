"""The manifest of a collection's search index: how its files are read, and their checks, which are
also part of their names; the row files.
"""

from __future__ import annotations

import binascii
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from zlib import crc32

from generator.contract.artifact import Artifact, document, encode_json
from generator.grammar.grammar import Collection
from generator.model.tables.table import Table
from generator.search.blocks import Blocks, Spec
from generator.search.format import FORMAT, Layout, pack_numbers, with_seal
from generator.text.folding import folding_table

#: Limits of an index: records, rows of a page, bytes of the manifest.
MAX_RECORDS, MAX_SIZE, MAX_MANIFEST = 1 << 20, 100, 4 << 20
#: Kinds of files: small (one block each), large and larger row files; the shards of keys; the words
#: of suggestions; the names to match.
ROWS = "rows/0", "rows/1", "rows/2"
#: Of events: the lines that all feeds have, and the files of feeds, as many as large and larger row
#: files.
FEEDS = "feeds/0", "feeds/1", "feeds/2"
KEYS, COLUMNS = "keys", "columns/"
SUGGESTION_WORDS, NAMES = "spell", "names"
#: The identifiers of records, in the form of names; only if a record has one.
IDS = "ids"
#: A part of an index: its kind, and its number.
Part = tuple[str, int]
#: The check of a part: the CRC-32 in the names of its files.
PartCheck = int


def column_kind(name: str) -> str:
    return f"{COLUMNS}{name}"


def values_kind(name: str) -> str:
    """The kind of the file with the values of a column."""
    return f"{COLUMNS}{name}/values"


def part_path(collection: Collection, part: Part, check: int) -> str:
    """The path of a file with this check."""
    return collection.index_path(part[0], f"{part[1]}-{check:08x}")


@dataclass(frozen=True)
class Manifest:
    """`checks` has the CRC-32s of all parts by kind; small row files share that of their group."""

    collection: Collection
    language: str
    records: int
    size: int
    as_of: str | None
    layout: Layout
    blocks: Blocks
    row_bytes: int
    columns: Mapping[str, Spec]
    checks: Mapping[str, Sequence[int]]

    def artifact(self) -> Artifact:
        contents = document(
            "search_index", format=FORMAT, unicode=folding_table()["unicode"],
            language=self.language, collection=self.collection.name,
            count=self.records, size=self.size, as_of=self.as_of, shards=self.layout.shards,
            split=sorted(self.layout.split), row_bytes=self.row_bytes,
            blocks=_base64(self.blocks.data),
            columns={name: spec._asdict() for name, spec in self.columns.items()},
            files={kind: packed_checks(self.checks[kind]) for kind in self._kinds()},
        )  # fmt: skip
        return Artifact(self.collection.manifest_path, with_seal(encode_json(contents)))

    def _kinds(self) -> Iterator[str]:
        """The kinds of all parts, in the order of the manifest."""
        yield from (KEYS, SUGGESTION_WORDS, NAMES)
        yield from (kind for kind in ROWS if kind in self.checks)
        yield from (kind for kind in (IDS, *FEEDS) if kind in self.checks)
        for name in self.columns:
            yield from (column_kind(name), values_kind(name))


def columns_of(collection: Collection) -> list[str]:
    """The names of the columns of a collection: its filters, sorts and ranges."""
    return list(dict.fromkeys((*collection.filters, *collection.numbers)))


def packed_checks(checks: Sequence[int]) -> str:
    return _base64(pack_numbers("I", checks))


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode()


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
        rows = self.table.summaries.at(self.order[positions])
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
