"""What a collection's index begins with: the numbers that its files are read by, and their checks,
which are their names.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from generator.contract.artifact import Artifact, document, encode
from generator.grammar.folding import packed
from generator.grammar.grammar import Collection
from generator.search.blocks import Blocks, parsed
from generator.search.columns import Spec, width_of
from generator.search.format import (
    FORMAT,
    Damaged,
    Layout,
    is_sealed,
    numbers_of,
    packed_numbers,
    sealed,
)

#: Of an index: records, rows a page, bytes of the manifest.  What says more is damaged.
MAX_RECORDS, MAX_SIZE, MAX_MANIFEST = 1 << 20, 100, 4 << 20
#: What the file is called that has the blocks; and those of rows, the small ones, which have the
#: rows of a block each, the large and the larger ones.
BLOCKS, ROWS = "blocks", ("rows/0", "rows/1", "rows/2")
#: What the shards of keys are called.
KEYS = "keys"
#: What the files are called that have the words of suggestions.
SPELLED = "spell"
#: A file of an index: what it holds, and its number.
Part = tuple[str, int]
#: The check of a part, which its files are called by.
Seal = int

_is_day = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch
_is_version = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){1,2}").fullmatch
_is_language = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}").fullmatch


class Unavailable(Exception):
    """The index cannot be read, or not all of it is of one build: another is being put in place."""


def damaged(how: str) -> Unavailable:
    return Unavailable(
        f"The search index is damaged: {how}. If it is not being published right now, build "
        "and publish it again."
    )


def column(name: str) -> str:
    """What the parts of a column are called, among the files."""
    return f"columns/{name}"


def values_of(name: str) -> str:
    """What the file of a column's values is called."""
    return f"columns/{name}/values"


def path(collection: Collection, part: Part, check: int) -> str:
    """Where a file of this check lies."""
    return collection.index_path(part[0], f"{part[1]}-{check:08x}")


@dataclass(frozen=True)
class Manifest:
    """`checks` has the CRC-32 of every file by what it holds, and of the small ones of rows that of
    each group; `raw` is the manifest as it was read.
    """

    collection: Collection
    language: str
    records: int
    size: int
    as_of: str | None
    layout: Layout
    row_bytes: int
    columns: Mapping[str, Spec]
    checks: Mapping[str, Sequence[int]]
    raw: bytes = b""

    def artifact(self) -> Artifact:
        found = document(
            "search_index", format=FORMAT, unicode=packed()["unicode"], language=self.language,
            collection=self.collection.name,
            count=self.records, size=self.size, as_of=self.as_of, shards=self.layout.shards,
            split=sorted(self.layout.split),
            row_bytes=self.row_bytes,
            columns={name: spec._asdict() for name, spec in self.columns.items()},
            files={what: packed_checks(self.checks[what]) for what in self._kinds()},
        )  # fmt: skip
        return Artifact(self.collection.manifest_path, sealed(encode(found)))

    def _kinds(self) -> Iterator[str]:
        """What the files hold, in the order in which the manifest tells of them."""
        yield from ("keys", SPELLED, BLOCKS, *self.rows)
        for name in self.columns:
            yield from (column(name), values_of(name))

    @property
    def rows(self) -> list[str]:
        """What the files of rows are called."""
        return [what for what in ROWS if what in self.checks]

    def blocks(self, data: bytes) -> Blocks:
        """The blocks as their file has them, as many records, groups and files of rows as there
        are.  Raises Damaged.
        """
        found, files = parsed(data), [len(self.checks[what]) for what in self.rows]
        most = max(found.levels, default=0)
        if (
            found.records != self.records
            or most > len(files)
            or (found.levels and found.levels[0] != most)
            or files != [len(found.begun(level)) for level in range(1, len(files) + 1)]
        ):
            raise Damaged
        return found

    def paths(self, blocks: Blocks) -> Iterator[str]:
        """Where every file but the manifest lies."""
        return self.not_in(None, blocks, blocks)

    def not_in(self, other: Manifest | None, blocks: Blocks, its: Blocks) -> Iterator[str]:
        """Where the files lie that another index, with its blocks, has not."""
        for what, held in self.checks.items():
            has = other.checks.get(what, ()) if other is not None else ()
            if what != ROWS[0]:
                for number, check in enumerate(held):
                    if number >= len(has) or has[number] != check:
                        yield self.path((what, number))
        small = self._small(blocks)
        for slot, check in small - other._small(its) if other is not None else small:
            yield path(self.collection, (ROWS[0], slot), check)

    def _small(self, blocks: Blocks) -> set[tuple[int, int]]:
        """The slot of each block, and the check by which the file of its rows is called."""
        checks = iter(self.checks[ROWS[0]])
        every, check = set[tuple[int, int]](), 0
        for slot, level in zip(blocks.slots, blocks.levels, strict=True):
            check = next(checks) if level else check
            every.add((slot, check))
        return every

    def path(self, part: Part) -> str:
        """Where a file of this index lies, but for a small one of rows."""
        what, number = part
        return path(self.collection, part, self.checks[what][number])

    def small(self, blocks: Blocks, block: int) -> str:
        """Where the file of the rows of a block lies."""
        check = self.checks[ROWS[0]][blocks.group_of(block)]
        return path(self.collection, (ROWS[0], blocks.slots[block]), check)

    @classmethod
    def parse(cls, raw: bytes, collection: Collection) -> Manifest:
        """Raises Unavailable."""
        try:
            if len(raw) > MAX_MANIFEST:
                raise Damaged
            found = orjson.loads(raw)
            if found["kind"] != "search_index":
                raise Damaged
            if _whole(found["format"], 0, 1 << 30) != FORMAT:
                raise Unavailable(
                    f"The search index has the format {found['format']:.0f}; this program reads "
                    f"{FORMAT}."
                )
            if (
                not is_sealed(raw)
                or found["collection"] != collection.name
                or not _is_version(found["unicode"])
                or not _is_language(found["language"])
            ):
                raise Damaged
            if found["unicode"] != packed()["unicode"]:
                raise Unavailable(f"The search index was made with Unicode {found['unicode']}; "
                                  f"this program uses Unicode {packed()['unicode']}. Use the same "
                                  "version of the generator for both.")  # fmt: skip
            return cls._checked(found, collection, raw)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise damaged("its manifest has an unexpected form") from error

    @classmethod
    def _checked(cls, found: dict[str, Any], collection: Collection, raw: bytes) -> Manifest:
        """Each number within its bounds, and as many files as they ask for.  Raises ValueError,
        KeyError, TypeError …
        """
        records, size = _whole(found["count"], 0, MAX_RECORDS), _whole(found["size"], 1, MAX_SIZE)
        shards, split = _whole(found["shards"], 1, MAX_RECORDS), found["split"]
        columns = {name: _spec(spec, records) for name, spec in found["columns"].items()}
        checks = {
            name: numbers_of("I", binascii.a2b_base64(packed, strict_mode=True))
            for name, packed in found["files"].items()
        }
        spelled = len(checks[SPELLED])
        files = {"keys": shards, SPELLED: spelled, BLOCKS: 1}
        files |= {what: len(checks[what]) for what in ROWS if what != ROWS[2] or what in checks}
        for name, spec in columns.items():
            files |= {column(name): -(-records // spec.chunk), values_of(name): 1}
        if (
            {name: len(held) for name, held in checks.items()} != files
            or set(columns) != set(columns_of(collection))
            or any(number < 1 or number & (number - 1) for number in (shards, spelled))
            or not (found["as_of"] is None or _is_day(found["as_of"]))
            or not (isinstance(split, list) and all(isinstance(group, str) for group in split))
        ):
            raise Damaged
        return cls(collection, found["language"], records, size, found["as_of"],
                   Layout(shards, frozenset(split)),
                   _whole(found["row_bytes"], 0, 1 << 30), columns, checks, raw)  # fmt: skip


def columns_of(collection: Collection) -> list[str]:
    """The columns of a collection's index: of its filters, sorts and ranges."""
    return list(dict.fromkeys((*collection.filters, *collection.numbers)))


def packed_checks(checks: Sequence[int]) -> str:
    return binascii.b2a_base64(packed_numbers("I", checks), newline=False).decode()


def _spec(found: dict[str, Any], records: int) -> Spec:
    """Raises Damaged, ValueError …"""
    kind, counts, chunk = found["type"], found["counts"], _whole(found["chunk"], 1, 1 << 30)
    values, width = _whole(found["values"], 0, 1 << 30), _whole(found["width"], 1, 4)
    if kind not in ("text", "number") or _whole(counts, 0, 4) == 3 or width != width_of(values):
        raise Damaged
    if not counts and values > records:
        raise Damaged
    return Spec(kind, values, width, int(counts), chunk)


def _whole(number: Any, least: int, most: int) -> int:
    """Raises Damaged but for a whole number within these bounds; JSON has one kind of number."""
    if type(number) not in (int, float) or not least <= number <= most or number != int(number):
        raise Damaged
    return int(number)
