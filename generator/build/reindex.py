"""The search index brought up to date: in place where no record changed its position, else made
anew from its own shards.

Either way the files are those of a whole build.
"""

from __future__ import annotations

import binascii
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol
from zlib import crc32

import orjson

from generator.api.artifact import Artifact
from generator.api.listing import BETWEEN
from generator.build.plain import LogDamaged
from generator.records.symbols import Symbols
from generator.search.format import (
    CLASSES,
    GROUP_WEIGHT,
    PREFIX,
    Damaged,
    Layout,
    count,
    entries,
    entry,
    filter_key,
    moved,
    shards_for,
    unpack,
    weight,
)
from generator.search.index import (
    Index,
    Part,
    Vocabulary,
    little_endian,
    manifest_of,
    packed_checks,
    parts_of,
    path,
)
from generator.search.terms import classes, of_document
from generator.tables.facets import declared
from generator.tables.patch import Patch, key_of, position
from generator.tables.table import Registry, Row, Table

#: What the build log keeps of an index: its weight, and at least how heavy each divided group is
#: (generator.search.index.divide).
Kept = tuple[int, dict[str, int]]


class Files(Protocol):
    """The files of one index."""

    def read(self, path: str, /) -> bytes:
        """A file of the last build.  Raises LogDamaged where there is none."""

    def put(self, artifact: Artifact, /) -> None: ...

    def drop(self, path: str, /) -> None: ...


class _Anew(Exception):
    """The index is divided otherwise, or a number has no room."""


def reindex(
    output: Files,
    before: Table,
    result: Patch,
    terms: Mapping[str, str],
    registry: Registry,
    old: Symbols,
    kept: Kept,
    *,
    new_day: bool,
) -> Kept:
    """Write what of an index changed.  `terms` has those of every record that was rendered again."""
    table, collection = result.table, before.collection
    default, dated = collection.sorts[0], collection is registry.symbols.grammar.events
    values, had = (
        {n: set(v) for n, v in declared(collection, symbols).items()}
        for symbols in (registry.symbols, old)
    )
    if not (terms or result.touched or values != had or (dated and new_day)):
        return kept
    manifest = orjson.loads(output.read(collection.manifest_path))
    manifest.pop("check", None)
    layout = Layout(manifest["shards"], frozenset(manifest["split"]))
    if table.orders[default] is before.orders[default] and values == had and not dated:
        try:
            return _Patched(output, before, result, registry, layout, manifest, kept).write(terms)
        except _Anew:
            pass
    numbers = table.orders[default]
    ranks = array("I", bytes(4 * len(table.rows)))
    for rank, number in enumerate(numbers):
        ranks[number] = rank
    vocabulary = _vocabulary(output, before, table, ranks, layout, terms)
    index = Index(
        table, ranks, vocabulary, registry.symbols, registry.settings.page_size, registry.as_of
    )
    seals = {}
    for part in index.parts():
        artifact, seals[part] = index.render(part)
        if artifact is not None:
            output.put(artifact)
    output.put(index.manifest(seals))
    for part in set(parts_of(manifest)) - seals.keys():
        if part[0] != "pages":
            output.drop(path(collection, part))
    return index.weight, index.margins


def _entries(output: Files, at: str) -> list[tuple[bytes, bytes]]:
    """Those of a shard of the last build.  Raises LogDamaged."""
    try:
        return list(entries(output.read(at)))
    except Damaged:
        raise LogDamaged from None


def _vocabulary(
    output: Files,
    before: Table,
    table: Table,
    ranks: Sequence[int],
    layout: Layout,
    terms: Mapping[str, str],
) -> Vocabulary:
    """The words of all records, with positions as they are now: from the shards, but for records
    that were rendered again.
    """
    live = set(table.orders[table.collection.sorts[0]])
    fresh = {number for slug in terms if (number := position(before, slug)) is not None}
    now = [
        ranks[number] if number in live and number not in fresh else -1
        for number in before.orders[table.collection.sorts[0]]
    ]
    found = Vocabulary()
    found.ranks = range(len(live))
    for shard in range(layout.shards):
        for key, body in _entries(output, table.collection.shard_path(shard)):
            if key[0] in b"/*":
                continue
            word = key.decode()
            for having, positions in zip(found.words, unpack(body), strict=True):
                if left := array(
                    "I", [rank for rank in map(now.__getitem__, positions) if rank >= 0]
                ):
                    having[word] = left
    for slug, packed in terms.items():
        number = position(table, slug)
        assert number is not None
        found.put(ranks[number], packed)
    return found


class _Patched:
    """An index whose positions stay as they are, with a few keys of a few records changed."""

    def __init__(
        self,
        output: Files,
        before: Table,
        result: Patch,
        registry: Registry,
        layout: Layout,
        manifest: dict[str, Any],
        kept: Kept,
    ):
        self.output, self.before, self.result, self.registry = output, before, result, registry
        self.layout, self.manifest = layout, manifest
        self.weight, self.margins = kept[0], dict(kept[1])
        self.collection = before.collection
        self.order = before.orders[self.collection.sorts[0]]
        self.checks = {
            kind: array("I", little_endian(array("I", binascii.a2b_base64(packed))))
            for kind, packed in manifest["checks"].items()
        }
        self.artifacts: list[Artifact] = []

    def write(self, terms: Mapping[str, str]) -> Kept:
        """Raises _Anew, with nothing written, where that is called for."""
        changes: dict[str, list[tuple[int, int | None, int | None]]] = {}
        rows: dict[int, tuple[Row, Row]] = {}
        for slug, packed in terms.items():
            number = position(self.before, slug)
            assert number is not None
            was, now = self.before.rows[number], self.result.table.rows[number]
            rank = bisect_left(
                self.order,
                (now.key, slug),
                key=lambda n: key_of(self.before, "")(self.before.rows[n]),
            )
            if was != now:
                rows[rank] = was, now
            document = orjson.loads(self.output.read(self.collection.record_path(slug)))
            had = self._keys(of_document(document["data"], self.registry.symbols), was)
            has = self._keys(packed, now)
            for key in had.keys() | has.keys():
                if had.get(key) != has.get(key):
                    changes.setdefault(key, []).append((rank, had.get(key), has.get(key)))
        self._shards(changes)
        self._rows(rows)
        if shards_for(self.weight) != self.layout.shards:
            raise _Anew
        self.manifest["checks"] = {
            kind: packed_checks(values) for kind, values in self.checks.items()
        }
        for artifact in self.artifacts:
            self.output.put(artifact)
        self.output.put(manifest_of(self.collection, self.manifest))
        return self.weight, self.margins

    def _keys(self, packed: str, row: Row) -> dict[str, int]:
        """Every key of a record, with its class."""
        found = classes(packed)
        for word, which in list(found.items()):
            for prefix in self._divided(word):
                found[f"*{prefix}"] = min(which, found.get(f"*{prefix}", CLASSES))
        for facet in row.facets:
            name, _, value = facet.partition("/")
            if name in self.collection.prepared_filters:
                found[filter_key(name, value)] = 0
        return found

    def _divided(self, word: str) -> Iterator[str]:
        """The divided groups that a word belongs to."""
        end = PREFIX
        while end <= len(word) and word[:end] in self.layout.split:
            yield word[:end]
            end += 1

    def _shards(self, changes: Mapping[str, list[tuple[int, int | None, int | None]]]) -> None:
        held: dict[int, dict[bytes, bytes]] = {}
        heavier: dict[str, int] = {}  # group -> the shard in which it got more weight
        known = declared(self.collection, self.registry.symbols)
        for key, moves in changes.items():
            group = self.layout.group(key)
            number = self.layout.shard(group)
            if number not in held:
                held[number] = dict(_entries(self.output, self.collection.shard_path(number)))
            raw = key.encode()
            size = weight(key, count(held[number][raw])) if raw in held[number] else 0
            body = moved(held[number].get(raw, b""), moves)
            name, _, value = key[1:].partition("/")
            stays = bool(body) or (key[0] == "/" and value in known[name])
            if stays:
                held[number][raw] = body
            else:
                del held[number][raw]
            if key[0] == "*":
                continue
            difference = (weight(key, count(body)) if stays else 0) - size
            self.weight += difference
            for prefix in self._divided(key) if key[0] != "/" else ():
                self.margins[prefix] -= abs(difference)
                if self.margins[prefix] <= GROUP_WEIGHT:
                    raise _Anew
            if (
                difference > 0
                and len(key) >= PREFIX
                and key[0] != "/"
                and group not in self.layout.split
            ):
                heavier[group] = number
        for group, number in heavier.items():
            self._still_whole(group, held[number])
        for number, keys in held.items():
            self._put(("keys", number), b"".join(entry(raw, keys[raw]) for raw in sorted(keys)))

    def _still_whole(self, group: str, keys: Mapping[bytes, bytes]) -> None:
        raw = group.encode()
        sizes = [
            weight(key.decode(), count(body)) for key, body in keys.items() if key.startswith(raw)
        ]
        if sum(sizes) - max(sizes) > GROUP_WEIGHT:
            raise _Anew

    def _rows(self, rows: Mapping[int, tuple[Row, Row]]) -> None:
        """Checks of pages, blocks of rows, and numbers of sorts, where these records stand."""
        size, a_block = self.manifest["size"], self.manifest["pages_a_block"]
        summaries = self.result.table.summaries
        for page in {rank // size for rank in rows}:
            held = [summaries[number] for number in self.order[page * size : (page + 1) * size]]
            self.checks["pages"][page] = crc32(BETWEEN.join(held))
        rows_a_file = self.manifest["rows"]
        for part in {rank // rows_a_file for rank in rows} if rows_a_file else ():
            held = [
                summaries[number]
                for number in self.order[part * rows_a_file : (part + 1) * rows_a_file]
            ]
            self._put(("rows", part), b"".join(row + b"\n" for row in held))
        for block in {rank // size // a_block for rank in rows} if a_block else ():
            lines = self.output.read(self.collection.blocks_path(block)).split(b"\n")
            start = block * a_block * size
            for rank, (_, now) in rows.items():
                if start <= rank < start + len(lines) - 1:
                    lines[rank - start] = now.summary
            data = b"\n".join(lines)
            self.manifest["block_bytes"][block] = len(data)
            self._put(("blocks", block), data)
        for which, (sort, (width, chunk)) in enumerate(self.manifest["sorts"].items()):
            changed = {
                rank: now.numbers[which]
                for rank, (was, now) in rows.items()
                if was.numbers[which] != now.numbers[which]
            }
            most = (
                max(
                    number or 0
                    for pair in rows.values()
                    for number in (row.numbers[which] for row in pair)
                )
                if changed
                else 0
            )
            if most >= 0xFFFF:
                raise _Anew
            for part in {rank // chunk for rank in changed}:
                packed = bytearray(self.output.read(self.collection.numbers_path(sort, part)))
                for rank, number in changed.items():
                    if rank // chunk == part:
                        at = rank % chunk * width
                        packed[at : at + width] = (0 if number is None else number + 1).to_bytes(
                            width, "little"
                        )
                self._put((f"sort/{sort}", part), bytes(packed))

    def _put(self, part: Part, data: bytes) -> None:
        self.checks[part[0]][part[1]] = crc32(data)
        self.artifacts.append(Artifact(path(self.collection, part), data))
