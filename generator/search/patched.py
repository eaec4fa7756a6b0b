"""A search index of which a few records are others, new or gone: their keys, and those of the few
that have other ids for it, are written anew, and their rows and columns.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol
from zlib import crc32

from generator.api.artifact import Artifact
from generator.api.listing import total_pages
from generator.records.symbols import Symbols
from generator.search.blocks import slots_for
from generator.search.changed import Changed
from generator.search.flips import flipped
from generator.search.format import (
    GROUP_WEIGHT,
    PAGE_BYTES,
    PAGES,
    PREFIX,
    count,
    entries,
    entry,
    filter_key,
    numbers_of,
    packed_numbers,
    pages_key,
    pages_weight,
    shards_for,
    weight,
)
from generator.search.index import (
    RowFiles,
    column_files,
    page_check,
    row_bytes,
    table_columns,
)
from generator.search.manifest import (
    BLOCKS,
    ROWS,
    SPELLED,
    Manifest,
    Part,
    column,
    columns_of,
    path,
)
from generator.search.spelling import bits_of, label_words, respelled
from generator.search.spliced import of_files
from generator.search.vocabulary import group_of
from generator.tables.facets import declared
from generator.tables.patch import Patch
from generator.tables.table import Registry, Table, texts_of

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
    """An index with a few records changed, put in or taken out."""

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
        self.touched, self.rows = result.touched, result.changed
        self.weight, self.margins = kept[0], dict(kept[1])
        self.collection = before.collection
        self.checks = {what: array("I", held) for what, held in manifest.checks.items()}
        self.columns = dict(manifest.columns)
        self.artifacts: list[Artifact] = []

    def write(self, terms: Mapping[str, str], labels: set[str]) -> Kept:
        """`labels` names the filters whose values are called otherwise.

        Raises Anew, with nothing written, where that is called for.
        """
        was = self.manifest.blocks(self.files.read(self.manifest.path((BLOCKS, 0))))
        changed = Changed(self.before, self.table, self.rows, was, self.layout)
        if slots_for(len(changed.now.slots)) != slots_for(len(was.slots)):
            raise Anew
        changed.find(terms, self.files.read, self.old)
        self._shards(changed)
        self._rows(changed)
        self._columns(changed, labels)
        if shards_for(self.weight) != self.layout.shards:
            raise Anew
        manifest = replace(
            self.manifest,
            records=changed.now.records,
            row_bytes=row_bytes(self.table),
            columns=self.columns,
            checks=self.checks,
        )
        for artifact in (*self.artifacts, manifest.artifact()):
            self.files.put(artifact)
        for gone in self.manifest.not_in(manifest, was, changed.now):
            self.files.drop(gone)
        return self.weight, self.margins

    # --- shards ---

    def _shards(self, changed: Changed) -> None:
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
                self.margins[group] += min(0, difference)  # what grows leaves no less
                if self.margins[group] <= GROUP_WEIGHT:
                    raise Anew
            group = self.layout.group(key)
            if (
                difference > 0
                and group not in self.layout.split
                and group_of(key, len(group)) == group
            ):
                heavier[group] = key

        for key, levels in changed.flips.items():
            flips = {level: ids for level, ids in levels.items() if ids}
            if not flips:
                continue
            body = flipped(shard(key).get(key.encode(), b""), flips)
            name, _, value = key[1:].partition("/")
            put(key, body, bool(body) or (key[0] == "/" and value in known[name]))
        for what, positions in self.touched.items():
            key, numbers, had = self._listed(what)
            if key:
                pages = self._other_pages(had, numbers, changed.fresh, positions)
                body = self._pages(shard(key).get(key.encode(), b""), numbers, pages)
                put(key, body, bool(numbers))
        for group, key in heavier.items():
            self._still_whole(group, shard(key))
        self._spell({key for key in changed.keys if key[0] not in "/*"}, shard)
        for number, keys in held.items():
            self._put(("keys", number), b"".join(entry(raw, keys[raw]) for raw in sorted(keys)))

    def _within(self, key: str) -> Iterator[str]:
        """The divided groups that a key belongs to."""
        if key[0] not in "/=":
            yield from self.layout.divided(key)
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

    def _listed(self, what: str) -> tuple[str, Sequence[int], Sequence[int]]:
        """The key that names the pages of a sort or of a value, and the rows of its list as they
        are and as they were; "" where nothing names them.
        """
        name, _, value = what.partition("/")
        if value:
            known = name in self.collection.prepared_filters
            key = pages_key(filter_key(name, value)) if known else ""
            now, was = (table.members.get(what, ()) for table in (self.table, self.before))
        else:
            key = pages_key(what) if what in self.collection.prepared_sorts[1:] else ""
            now, was = (table.orders[what] for table in (self.table, self.before))
        return key, now, was

    def _other_pages(
        self, was: Sequence[int], now: Sequence[int], fresh: set[int], touched: set[int] | None
    ) -> set[int]:
        """The pages of a list that have other rows, those with the touched places; where that says
        nothing, those with fresh rows, and all from the first place on that has another row.
        """
        size = self.manifest.size
        if touched is not None:
            return {place // size for place in touched}
        pages, first = set[int](), 0
        for had, has in zip(was, now, strict=False):
            if had != has:
                break
            if has in fresh:
                pages.add(first // size)
            first += 1
        return pages.union(range(first // size, total_pages(len(now), size)))

    def _pages(self, body: bytes, numbers: Sequence[int], pages: set[int]) -> bytes:
        """The checks of the pages of a list, of which these are other."""
        size, every = self.manifest.size, total_pages(len(numbers), self.manifest.size)
        had = len(body) // PAGE_BYTES
        checks = numbers_of("I", body[: PAGE_BYTES * every].ljust(PAGE_BYTES * every, b"\0"))
        for page in pages.union(range(had, every)):
            held = numbers[page * size : (page + 1) * size]
            checks[page] = page_check(texts_of(self.table.summaries, held))
        return packed_numbers("I", checks)

    def _spell(self, words: set[str], shard: Callable[[str], dict[bytes, bytes]]) -> None:
        """The words of suggestions; of these words and of those of labels some may be other."""
        shown = had = label_words(self.table, self.registry.symbols)
        if not self._same_labels():
            had = label_words(self.before, self.old)
        bits = {}
        for word in words | (had ^ shown):
            body = shard(word).get(word.encode(), b"")
            bits[word] = bits_of(word, body, in_label=word in shown)
        several = len(self.checks[SPELLED])

        def read(number: int) -> bytes:
            return self.files.read(self.manifest.path((SPELLED, number)))

        parts = respelled(bits, several, read)
        if parts is None:
            raise Anew
        for number, data in parts.items():
            self._put((SPELLED, number), data)

    def _same_labels(self) -> bool:
        """Whether the table has just the values that it had, and they are called the same."""
        before, table = self.before, self.table
        return (
            before.members.keys() == table.members.keys()
            and before.labels == table.labels
            and declared(self.collection, self.old)
            == declared(self.collection, self.registry.symbols)
        )

    # --- rows and columns ---

    def _rows(self, changed: Changed) -> None:
        """The files of rows that have other rows, or other records than before."""
        now = RowFiles(self.table, changed.now)
        was = now if changed.in_place else RowFiles(self.before, changed.was)
        for what, starts in now.starts.items():
            held = was.starts.get(what, [])
            numbers: Iterable[int] = range(len(starts))
            if changed.in_place:
                numbers = {bisect_right(starts, place) - 1 for place in changed.into}
            elif len(held) != len(starts):
                self.checks[what] = array("I", bytes(4 * len(starts)))
            for number in numbers:
                had = was.holds((what, number)) if number < len(held) else None
                has = now.holds((what, number))
                if had != has or not changed.fresh.isdisjoint(has[0]):
                    files, check = now.render((what, number))
                    self._take((what, number), files, check)
                else:
                    self.checks[what][number] = self.manifest.checks[what][number]
        for what in ROWS:
            if what not in now.starts:
                self.checks.pop(what, None)
        if not changed.in_place:
            self._put((BLOCKS, 0), changed.now.data)

    def _columns(self, changed: Changed, labels: set[str]) -> None:
        """The columns in which records have other values, or which call some otherwise; all of them
        where positions are others.
        """
        names = set(labels) if changed.in_place else set(columns_of(self.collection))
        for number in changed.ids if changed.in_place else ():
            was, now = self.before.rows[number], self.table.rows[number]
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
        columns = {name: of_files(name, self.manifest, self.files.read, changed) for name in names}
        anew = {name for name, held in columns.items() if held is None}
        columns |= table_columns(self.table, changed.ranks, anew)
        for name, held in columns.items():
            assert held is not None
            self.columns[name] = held.spec
            parts = list(column_files(self.table, self.registry.symbols, name, held))
            what = column(name)
            self.checks[what] = array("I", bytes(4 * (len(parts) - 1)))
            for part, data in parts:
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
