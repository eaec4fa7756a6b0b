"""A search index of which no record changed its position: a few keys of a few records, their rows
and columns are written anew.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol
from zlib import crc32

import orjson

from generator.api.artifact import Artifact
from generator.api.listing import total_pages
from generator.records.symbols import Symbols
from generator.search.format import (
    GROUP_WEIGHT,
    PAGE_BYTES,
    PAGES,
    PREFIX,
    WEIGHTS,
    count,
    entries,
    entry,
    filter_key,
    flipped,
    numbers_of,
    packed_numbers,
    pages_key,
    pages_weight,
    shards_for,
    weight,
)
from generator.search.format import unpack as lists_of
from generator.search.index import (
    column_files,
    page_check,
    ranks_of,
    row_bytes,
    rows_files,
    table_columns,
)
from generator.search.manifest import SPELLED, Manifest, Part, path
from generator.search.spelling import bits_of, label_words, respelled
from generator.search.terms import of_document, unpack
from generator.search.vocabulary import group_of
from generator.tables.facets import declared
from generator.tables.patch import Patch, key_of, position
from generator.tables.table import Registry, Row, Table

#: What the build log keeps of an index: its weight, and at least how heavy each divided group is
#: (generator.search.vocabulary.divide).
Kept = tuple[int, dict[str, int]]


class Files(Protocol):
    """The files of one index."""

    def read(self, path: str, /) -> bytes:
        """A file of the last build."""

    def put(self, artifact: Artifact, /) -> None: ...

    def drop(self, path: str, /) -> None: ...


class Anew(Exception):
    """The index is divided otherwise."""


class Patched:
    """An index whose positions stay as they are, with a few keys of a few records changed."""

    def __init__(
        self,
        files: Files,
        before: Table,
        result: Patch,
        registry: Registry,
        old: Symbols,
        manifest: Manifest,
        kept: Kept,
    ):
        self.files, self.before, self.registry, self.old = files, before, registry, old
        self.manifest, self.layout, self.table = manifest, manifest.layout, result.table
        self.touched = result.touched
        self.weight, self.margins = kept[0], dict(kept[1])
        self.collection = before.collection
        self.order = before.orders[self.collection.sorts[0]]
        self.checks = {what: array("I", held) for what, held in manifest.checks.items()}
        self.columns = dict(manifest.columns)
        self.artifacts: list[Artifact] = []

    def write(self, terms: Mapping[str, str], labels: set[str]) -> Kept:
        """`labels` names the filters whose values are called otherwise.

        Raises Anew, with nothing written, where that is called for.
        """
        flips: dict[str, dict[int, list[int]]] = {}
        rows: dict[int, tuple[Row, Row]] = {}
        for slug, packed in terms.items():
            number = position(self.before, slug)
            assert number is not None
            was, now = self.before.rows[number], self.table.rows[number]
            rank = bisect_left(
                self.order,
                (now.key, slug),
                key=lambda n: key_of(self.before, "")(self.before.rows[n]),
            )
            if was != now:
                rows[rank] = was, now
            document = orjson.loads(self.files.read(self.collection.record_path(slug)))
            had = self._keys(of_document(document["data"], self.old), was)
            has = self._keys(packed, now)
            for key in had.keys() | has.keys():
                for level in had.get(key, set()) ^ has.get(key, set()):
                    flips.setdefault(key, {}).setdefault(level, []).append(rank)
        self._shards(flips)
        self._rows(rows)
        self._columns(rows, labels)
        if shards_for(self.weight) != self.layout.shards:
            raise Anew
        manifest = replace(
            self.manifest, row_bytes=row_bytes(self.table), columns=self.columns, checks=self.checks
        )
        for artifact in (*self.artifacts, manifest.artifact()):
            self.files.put(artifact)
        for gone in set(self.manifest.paths()).difference(manifest.paths()):
            self.files.drop(gone)
        return self.weight, self.margins

    def _keys(self, packed: str, row: Row) -> dict[str, set[int]]:
        """Every key of a record, with its levels."""
        keys: dict[str, set[int]] = {}
        under: dict[str, int] = {}
        for word, level in unpack(packed):
            keys.setdefault(word, set()).add(level)
            if level < WEIGHTS:
                for prefix in self._divided(word):
                    under[prefix] = min(level, under.get(prefix, WEIGHTS))
        keys |= {f"*{prefix}": {level} for prefix, level in under.items()}
        for facet in row.facets:
            name, _, value = facet.partition("/")
            if name in self.collection.prepared_filters:
                keys[filter_key(name, value)] = {0}
        return keys

    def _divided(self, word: str) -> Iterator[str]:
        """The divided groups that a word belongs to."""
        end = PREFIX
        while end <= len(word) and word[:end] in self.layout.split:
            yield word[:end]
            end += 1

    # --- shards ---

    def _shards(self, flips: Mapping[str, Mapping[int, Sequence[int]]]) -> None:
        held: dict[int, dict[bytes, bytes]] = {}
        heavier: dict[str, str] = {}  # group -> a key of it
        known = declared(self.collection, self.registry.symbols)

        def shard(key: str) -> dict[bytes, bytes]:
            number = self.layout.where(key)
            if number not in held:
                path = self.manifest.path(("keys", number))
                held[number] = dict(entries(self.files.read(path)))
            return held[number]

        def put(key: str, body: bytes, stays: bool) -> None:
            keys, raw = shard(key), key.encode()
            size = _weight(key, keys[raw]) if raw in keys else 0
            if stays:
                keys[raw] = body
            else:
                keys.pop(raw, None)
            if key[0] == "*":
                return
            difference = (_weight(key, body) if stays else 0) - size
            self.weight += difference
            for group in self._within(key):
                self.margins[group] -= abs(difference)
                if self.margins[group] <= GROUP_WEIGHT:
                    raise Anew
            group = self.layout.group(key)
            if (
                difference > 0
                and group not in self.layout.split
                and group_of(key, len(group)) == group
            ):
                heavier[group] = key

        for key, changed in flips.items():
            body = flipped(shard(key).get(key.encode(), b""), changed)
            name, _, value = key[1:].partition("/")
            put(key, body, bool(body) or (key[0] == "/" and value in known[name]))
        for what, positions in self.touched.items():
            key, numbers = self._listed(what)
            if key:
                body = self._pages(shard(key).get(key.encode(), b""), numbers, positions)
                put(key, body, bool(numbers))
        for group, key in heavier.items():
            self._still_whole(group, shard(key))
        self._spell({key for key in flips if key[0] not in "/*"}, shard)
        for number, keys in held.items():
            self._put(("keys", number), b"".join(entry(raw, keys[raw]) for raw in sorted(keys)))

    def _within(self, key: str) -> Iterator[str]:
        """The divided groups that a key belongs to."""
        if key[0] not in "/=":
            yield from self._divided(key)
        elif (group := group_of(key, PREFIX)) in self.layout.split:
            yield group

    def _still_whole(self, group: str, keys: Mapping[bytes, bytes]) -> None:
        sizes = [
            _weight(key, body)
            for raw, body in keys.items()
            if raw[0] != ord("*") and self.layout.group(key := raw.decode()) == group
        ]
        if sum(sizes) - max(sizes) > GROUP_WEIGHT:
            raise Anew

    def _listed(self, what: str) -> tuple[str, Sequence[int]]:
        """The key that names the pages of a sort or of a value, and the rows of its list; "" where
        nothing names them.
        """
        name, _, value = what.partition("/")
        if value:
            known = name in self.collection.prepared_filters
            key = pages_key(filter_key(name, value)) if known else ""
            return key, self.table.members.get(what, ())
        key = pages_key(what) if what in self.collection.prepared_sorts[1:] else ""
        return key, self.table.orders[what]

    def _pages(self, body: bytes, numbers: Sequence[int], touched: set[int] | None) -> bytes:
        """The checks of the pages of a list, of which those with the touched rows are other."""
        size, every = self.manifest.size, total_pages(len(numbers), self.manifest.size)
        if len(body) != PAGE_BYTES * every or not numbers:
            body, touched = bytes(PAGE_BYTES * every), None
        checks = numbers_of("I", body)
        for page in range(every) if touched is None else {place // size for place in touched}:
            held = numbers[page * size : (page + 1) * size]
            checks[page] = page_check([self.table.summaries[number] for number in held])
        return packed_numbers("I", checks)

    def _spell(self, words: set[str], shard: Callable[[str], dict[bytes, bytes]]) -> None:
        """The words of suggestions; of these words and of those of labels some may be other."""
        had, shown = (
            label_words(table, symbols)
            for table, symbols in ((self.before, self.old), (self.table, self.registry.symbols))
        )
        bits = {}
        for word in words | (had ^ shown):
            held = lists_of(shard(word).get(word.encode(), b""))
            bits[word] = bits_of(word, held, in_label=word in shown)
        several = len(self.checks[SPELLED])
        paths = [self.manifest.path((SPELLED, number)) for number in range(several)]
        if files := respelled(bits, several, lambda number: self.files.read(paths[number])):
            self.checks[SPELLED] = array("I", bytes(4 * len(files)))
            for number, data in enumerate(files):
                self._put((SPELLED, number), data)

    # --- rows and columns ---

    def _rows(self, rows: Mapping[int, tuple[Row, Row]]) -> None:
        """The files of rows in which these records stand."""
        for size in self.manifest.rows[1:]:
            for number in {rank // size for rank in rows}:
                held = self.order[number * size : (number + 1) * size]
                part = (f"rows/{size}", number)
                summaries = [self.table.summaries[row] for row in held]
                files, check = rows_files(self.collection, part, summaries, self.manifest.rows)
                self._take(part, files, check)

    def _columns(self, rows: Mapping[int, tuple[Row, Row]], labels: set[str]) -> None:
        """The columns in which these records have other values, or which call some otherwise."""
        names = set(labels)
        for was, now in rows.values():
            names |= {facet.partition("/")[0] for facet in {*was.facets} ^ {*now.facets}}
            names |= {
                name
                for name, had, has in zip(
                    self.collection.numbers, was.numbers, now.numbers, strict=True
                )
                if had != has
            }
        if self.before.labels != self.table.labels:
            names |= {n for n, f in self.collection.filters.items() if f.vocabulary == "places"}
        if not names:
            return
        ranks = ranks_of(self.table)
        for name, held in table_columns(self.table, ranks, names):
            self.columns[name] = held.spec
            for part, data in column_files(self.table, self.registry.symbols, name, held):
                self._put(part, data)

    def _put(self, part: Part, data: bytes) -> None:
        check = crc32(data)
        self._take(part, [Artifact(path(self.collection, part, check), data)], check)

    def _take(self, part: Part, files: Sequence[Artifact], check: int) -> None:
        self.checks[part[0]][part[1]] = check
        self.artifacts += files


def _weight(key: str, body: bytes) -> int:
    """That of an entry."""
    if key[0] == PAGES:
        return pages_weight(key, len(body) // PAGE_BYTES)
    return weight(key, count(body))
