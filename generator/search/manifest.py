"""The manifest of a collection's search index: how its files are read, and their checks, which are
also part of their names.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import orjson

from generator.contract.artifact import Artifact, document, encode_json
from generator.grammar.grammar import Collection
from generator.search.blocks import Blocks, parse_blocks
from generator.search.columns import Spec, width_of
from generator.search.format import (
    FORMAT,
    Damaged,
    Layout,
    is_sealed,
    pack_numbers,
    unpack_numbers,
    with_seal,
)
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

_is_day = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch
_is_version = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){1,2}").fullmatch
_is_language = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}").fullmatch


class Unavailable(Exception):
    """The index cannot be read, or its files are from different builds."""


def damaged(how: str) -> Unavailable:
    return Unavailable(
        f"The search index is damaged: {how}. If it is not being published right now, build "
        "and publish it again."
    )


def column_kind(name: str) -> str:
    """The kind of the parts of a column."""
    return f"{COLUMNS}{name}"


def values_kind(name: str) -> str:
    """The kind of the file with the values of a column."""
    return f"{COLUMNS}{name}/values"


def part_path(collection: Collection, part: Part, check: int) -> str:
    """The path of a file with this check."""
    return collection.index_path(part[0], f"{part[1]}-{check:08x}")


@dataclass(frozen=True)
class Manifest:
    """`checks` has the CRC-32s of all parts by kind; small row files share that of their group.
    `raw` is the manifest as it was read.
    """

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
    raw: bytes = b""

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
        yield from (KEYS, SUGGESTION_WORDS, NAMES, *self.rows)
        yield from (kind for kind in (IDS, *FEEDS) if kind in self.checks)
        for name in self.columns:
            yield from (column_kind(name), values_kind(name))

    @property
    def rows(self) -> list[str]:
        """The kinds of the row files."""
        return [kind for kind in ROWS if kind in self.checks]

    def path(self, part: Part) -> str:
        """The path of a part, except a small row file."""
        kind, number = part
        return part_path(self.collection, part, self.checks[kind][number])

    def small(self, block: int) -> str:
        """The path of the small row file of a block."""
        check = self.checks[ROWS[0]][self.blocks.group_of(block)]
        return part_path(self.collection, (ROWS[0], self.blocks.slots[block]), check)

    @classmethod
    def parse(cls, raw: bytes, collection: Collection) -> Manifest:
        """Parse a manifest.  Raises Unavailable."""
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
            if found["unicode"] != folding_table()["unicode"]:
                raise Unavailable(f"The search index was made with Unicode {found['unicode']}; "
                                  f"this program uses Unicode {folding_table()['unicode']}. "
                                  "Use the same version of the generator for both.")  # fmt: skip
            return cls._checked(found, collection, raw)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise damaged("its manifest has an unexpected form") from error

    @classmethod
    def _checked(cls, found: dict[str, Any], collection: Collection, raw: bytes) -> Manifest:
        """Check that each number is within its bounds and that the numbers of files match.  Raises
        ValueError (Damaged is one), KeyError, TypeError or AttributeError.
        """
        records, size = _whole(found["count"], 0, MAX_RECORDS), _whole(found["size"], 1, MAX_SIZE)
        shards, split = _whole(found["shards"], 1, MAX_RECORDS), found["split"]
        columns = {name: _spec(spec) for name, spec in found["columns"].items()}
        if others := columns.keys() ^ set(columns_of(collection)):
            raise Unavailable(_other_columns(collection, others & columns.keys(), others))
        checks = {
            name: unpack_numbers("I", _unpacked(packed)) for name, packed in found["files"].items()
        }
        spelled, named = len(checks[SUGGESTION_WORDS]), len(checks[NAMES])
        counts = {KEYS: shards, SUGGESTION_WORDS: spelled, NAMES: named}
        counts |= {IDS: len(checks[IDS])} if IDS in checks else {}
        counts |= {kind: len(checks[kind]) for kind in ROWS if kind != ROWS[2] or kind in checks}
        if collection.feeds and FEEDS[0] in checks:  # no feature may have made them
            counts[FEEDS[0]] = 1
            counts |= {
                kind: counts[rows]
                for kind, rows in zip(FEEDS[1:], ROWS[1:], strict=True)
                if rows in counts
            }
        for name, spec in columns.items():
            counts |= {column_kind(name): -(-records // spec.chunk), values_kind(name): 1}
        if (
            {kind: len(numbers) for kind, numbers in checks.items()} != counts
            or any(
                number < 1 or number & (number - 1)
                for number in (shards, spelled, named, counts.get(IDS, 1))
            )
            or not (found["as_of"] is None or _is_day(found["as_of"]))
            or not (isinstance(split, list) and all(isinstance(group, str) for group in split))
        ):
            raise Damaged
        row_files = [len(checks[kind]) for kind in ROWS if kind in checks]
        blocks = _blocks(_unpacked(found["blocks"]), records, row_files)
        return cls(collection, found["language"], records, size, found["as_of"],
                   Layout(shards, frozenset(split)), blocks,
                   _whole(found["row_bytes"], 0, 1 << 30), columns, checks, raw)  # fmt: skip


def _other_columns(collection: Collection, more: Set[str], others: Set[str]) -> str:
    """Why an index has `more` columns than this program knows, or lacks some of them."""
    names = ", ".join(sorted(name for name in more or others if name.isprintable())[:5])
    found = f"has {names}, which no feature that is installed here declares"
    if not more:
        found = f"has no {names}, which a feature that is installed here declares"
    return (
        f"The search index of {collection.name} {found}: "
        "the build was made with other features, or by another version of the generator. "
        "`registry features` lists those installed. Install the others, or build again."
    )


def columns_of(collection: Collection) -> list[str]:
    """The names of the columns of a collection: its filters, sorts and ranges."""
    return list(dict.fromkeys((*collection.filters, *collection.numbers)))


def packed_checks(checks: Sequence[int]) -> str:
    return _base64(pack_numbers("I", checks))


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode()


def _unpacked(text: str) -> bytes:
    """The bytes of a Base64 text.  Raises ValueError and TypeError."""
    return binascii.a2b_base64(text, strict_mode=True)


def _blocks(data: bytes, records: int, row_files: Sequence[int]) -> Blocks:
    """The blocks.  Raises Damaged, also if they do not have this number of records, or do not begin
    these numbers of groups, large and larger row files.
    """
    blocks = parse_blocks(data)
    max_level = max(blocks.levels, default=0)
    if (
        blocks.records != records
        or max_level > len(row_files)
        or (blocks.levels and blocks.levels[0] != max_level)
        or any(
            len(blocks.starts_at_level(level)) != files for level, files in enumerate(row_files, 1)
        )
    ):
        raise Damaged
    return blocks


def _spec(found: dict[str, Any]) -> Spec:
    """The description of a column in a manifest.  Raises as `_checked` does."""
    kind, counts, chunk = found["type"], found["counts"], _whole(found["chunk"], 1, 1 << 30)
    values, width = _whole(found["values"], 0, 1 << 30), _whole(found["width"], 1, 4)
    if kind not in ("text", "number") or _whole(counts, 0, 4) == 3 or width != width_of(values):
        raise Damaged
    if not counts and values > MAX_RECORDS:
        raise Damaged
    return Spec(kind, values, width, int(counts), chunk)


def _whole(number: Any, least: int, most: int) -> int:
    """A whole number within these bounds, which JSON may write as a float.  Raises Damaged."""
    if type(number) not in (int, float) or not least <= number <= most or number != int(number):
        raise Damaged
    return int(number)
