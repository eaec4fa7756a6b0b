"""The search indexes of a build: made of the terms of all records; shards that did not change are
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from generator.api.artifact import Artifact
from generator.build.cache import Cache
from generator.build.executors import Executor
from generator.build.files import Files
from generator.build.lists import PageChecks
from generator.build.records import Touched
from generator.build.report import Follows
from generator.build.write import Written
from generator.search.blocks import Blocks
from generator.search.index import Index
from generator.search.manifest import KEYS, Part, Seal, path
from generator.search.vocabulary import Vocabulary
from generator.tables.table import Registry, Table

#: Parts that one worker writes before it reports.
_CHUNK = 16


class Work(NamedTuple):
    """Parts of indexes by their numbers, and what writes them."""

    parts: Sequence[tuple[Index, Part]]
    checks: PageChecks
    write: Callable[[Artifact], Sequence[Written]]


def index_of(table: Table, terms: dict[str, str], registry: Registry) -> Index:
    """The index of a table; `terms` has those of each record by its slug, and is left empty."""
    blocks, vocabulary = Blocks.of(table.slugs), Vocabulary()
    # Ids that come in order are never sorted.
    for position in sorted(range(len(blocks.ids)), key=blocks.ids.__getitem__):
        vocabulary.put(blocks.ids[position], terms.pop(table.slugs[position]))
    return Index(table, blocks, vocabulary, registry)


class Shards:
    """The files of some indexes: those that may differ are written from when this is made, by
    workers, and counted by `account`.
    """

    def __init__(
        self,
        indexes: Iterable[Index],
        checks: PageChecks,
        files: Files,
        cache: Cache,
        workers: Callable[[int], Executor],
    ):
        self.files, self.cache, self.indexes = files, cache, list(indexes)
        #: By collection and shard of keys: a digest of what it is made of, and its check.
        self.keys: dict[str, dict[int, tuple[bytes, Seal]]] = {}
        parts: list[tuple[Index, Part]] = []
        weight = 0
        for index in self.indexes:
            known = cache.get(f"index/{index.collection.name}") or {}
            mine = self.keys[index.collection.name] = {}
            some = [part for part in index.parts() if part[0] != KEYS]
            for shard in range(index.layout.shards):
                key = index.key(shard, checks.get(index.collection.name, {}))
                was = known.get(shard, (b"", 0))
                mine[shard] = key, was[1]
                if was[0] != key or not files.has([path(index.collection, (KEYS, shard), was[1])]):
                    some.append((KEYS, shard))
                    weight += len(index.order) // index.layout.shards
            parts += [(index, part) for part in some]
        self.work = Work(parts, checks, files.write)
        self.results = workers(weight).run(write_parts, range(len(parts)), self.work, _CHUNK)

    def account(self, why: Mapping[str, Touched]) -> None:
        """Count the files of all parts, and write the manifests."""
        seals = {
            name: {(KEYS, shard): seal for shard, (_, seal) in known.items()}
            for name, known in self.keys.items()
        }
        written: dict[str, list[Written]] = {name: [] for name in self.keys}
        for result in self.results:
            for number, seal, some in result:
                index, part = self.work.parts[number]
                seals[index.collection.name][part] = seal
                written[index.collection.name] += some
        for index in self.indexes:
            name = index.collection.name
            slug = why.get(name, {}).get("")
            cause = (
                Follows(index.collection.record_path(slug))
                if slug is not None
                else self.files.other
            )
            self.files.account("index", written[name], cause)
            self.files.goes(index.collection.index_folder, cause)
            made = {path for path, *_ in written[name]}
            shards = [
                path(index.collection, part, seals[name][part])
                for part in seals[name]
                if part[0] == KEYS
            ]
            self.files.keep("index", [path for path in shards if path not in made])
            self.files.put("index", index.manifest(seals[name]), cause)
            noted = {n: (key, seals[name][KEYS, n]) for n, (key, _) in self.keys[name].items()}
            self.cache.put(f"index/{name}", noted)


def write_parts(numbers: Sequence[int], work: Work) -> list[tuple[int, Seal, list[Written]]]:
    """Write the parts of these numbers: the check of each, and what was written."""
    return [(number, *_write(*work.parts[number], work)) for number in numbers]


def _write(index: Index, part: Part, work: Work) -> tuple[Seal, list[Written]]:
    artifacts, seal = index.render(part, work.checks.get(index.collection.name, {}))
    return seal, [written for artifact in artifacts for written in work.write(artifact)]
