"""The search indexes of a build: made of the terms of all records; shards that did not change are
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from generator.build.cache.store import Cache
from generator.build.executors import Executor
from generator.build.lists import PageChecks
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.records import Touched
from generator.build.report import Follows
from generator.contract.artifact import Artifact
from generator.disk.digests import digest_of
from generator.model.tables.table import Registry, Table
from generator.search.blocks import Blocks
from generator.search.index import Index
from generator.search.manifest import KEYS, Part, Seal
from generator.search.vocabulary import Vocabulary, postings_of

#: Parts that one worker writes before it reports.
_CHUNK = 16
#: Ids of a run of records whose postings are made together.
_RUN = 512


class Work(NamedTuple):
    """Parts of indexes by their numbers, and what writes them."""

    parts: Sequence[tuple[Index, Part]]
    checks: PageChecks
    write: Callable[[Artifact], Sequence[Written]]


def index_of(table: Table, terms: dict[str, str], registry: Registry, cache: Cache) -> Index:
    """The index of a table; `terms` has those of each record by its slug, and is left empty.

    Postings are made in runs of records by their ids; runs that did not change are taken from the
    cache.
    """
    blocks = Blocks.of(table.slugs)
    runs: dict[int, list[tuple[int, str]]] = {}
    # Ids that come in order are never sorted.
    for position in sorted(range(len(blocks.ids)), key=blocks.ids.__getitem__):
        number = blocks.ids[position]
        runs.setdefault(number // _RUN, []).append((number, terms.pop(table.slugs[position])))
    postings = []
    for number, records in runs.items():
        name, key = f"postings/{table.collection.name}/{number}", digest_of(records)
        known = cache.get(name)
        if known is not None and known[0] == key:
            cache.keep(name)
            postings.append(known[1])
        else:
            postings.append(postings_of(records))
            cache.put(name, (key, postings[-1]))
    return Index(table, blocks, Vocabulary(postings), registry)


class Parts:
    """The files of some indexes: those that may differ are written from when this is made, by
    workers, and counted by `account`.
    """

    def __init__(
        self,
        indexes: Sequence[Index],
        checks: PageChecks,
        files: Files,
        cache: Cache,
        workers: Callable[[int], Executor],
    ):
        self.files, self.cache, self.indexes = files, cache, indexes
        #: By collection and part: a digest of what it is made of, its check and its paths.
        self.made: dict[str, dict[Part, tuple[bytes, Seal, list[str]]]] = {}
        self.stale: list[tuple[Index, Part, bytes]] = []
        for index in indexes:
            name = index.collection.name
            known, made = cache.get(f"index/{name}") or {}, self.made.setdefault(name, {})
            for part in index.parts():
                key = index.key(part, checks.get(name, {}))
                was = known.get(part)
                if was is not None and key and was[0] == key and files.has(was[2]):
                    made[part] = was
                else:
                    self.stale.append((index, part, key))
        work = Work([(index, part) for index, part, _ in self.stale], checks, files.write)
        # A shard of keys is most of the work; there are as many as the records need.
        shards = [index for index, (what, _), _ in self.stale if what == KEYS]
        weight = sum(len(index.order) // index.layout.shards for index in shards)
        self.results = workers(weight).run(write_parts, range(len(self.stale)), work, _CHUNK)

    def account(self, why: Mapping[str, Touched]) -> None:
        """Count the files of all parts, and write the manifests."""
        written: dict[str, list[Written]] = {name: [] for name in self.made}
        kept = {
            name: [p for *_, some in made.values() for p in some]
            for name, made in self.made.items()
        }
        for result in self.results:
            for number, seal, some in result:
                index, part, key = self.stale[number]
                self.made[index.collection.name][part] = key, seal, [file[0] for file in some]
                written[index.collection.name] += some
        for index in self.indexes:
            name, made = index.collection.name, self.made[index.collection.name]
            slug = why.get(name, {}).get("")
            cause = self.files.other
            if slug is not None:
                cause = Follows(index.collection.record_path(slug))
            self.files.account("index", written[name], cause)
            self.files.goes(index.collection.index_folder, cause)
            self.files.keep("index", kept[name])
            manifest = index.manifest({part: seal for part, (_, seal, _) in made.items()})
            self.files.put("index", manifest, cause)
            self.cache.put(f"index/{name}", made)


def write_parts(numbers: Sequence[int], work: Work) -> list[tuple[int, Seal, list[Written]]]:
    """Write the parts of these numbers: the check of each, and what was written."""
    return [(number, *_write(*work.parts[number], work)) for number in numbers]


def _write(index: Index, part: Part, work: Work) -> tuple[Seal, list[Written]]:
    artifacts, seal = index.render(part, work.checks.get(index.collection.name, {}))
    return seal, [written for artifact in artifacts for written in work.write(artifact)]
