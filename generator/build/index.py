"""Builds the search indexes from the terms of all records, and reuses unchanged shards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from generator.build.cache.store import Cache
from generator.build.executors import Executor
from generator.build.lists import PageChecks
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.read import CollectionResults
from generator.build.records import ChangedFacets
from generator.build.report import FromFile
from generator.contract.artifact import Artifact
from generator.model.tables.table import Registry
from generator.search.index import Index
from generator.search.manifest import KEYS, Part, PartCheck

#: Parts of an index in a chunk of work.
_CHUNK = 16


class Work(NamedTuple):
    """The parts to write, the checks of list pages, and the function that writes files."""

    parts: Sequence[tuple[Index, Part]]
    checks: PageChecks
    write: Callable[[Artifact], Sequence[Written]]


def make_indexes(registry: Registry, results: Mapping[str, CollectionResults]) -> list[Index]:
    """The indexes of all collections.  Drops the terms, because memory is too small for both."""
    indexes = [Index(t, results[t.collection.name].terms, registry) for t in registry.tables]
    for result in results.values():
        result.terms.clear()
    return indexes


class Parts:
    """The files of all indexes.  Making this object starts workers that write the files that may
    differ; `account` waits for them and counts all files.
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
        #: By collection and part: a digest of the inputs, the check and the paths.
        self.made: dict[str, dict[Part, tuple[bytes, PartCheck, list[str]]]] = {}
        self.stale: list[tuple[Index, Part, bytes]] = []
        for index in indexes:
            name = index.collection.name
            cached, made = cache.get(f"index/{name}") or {}, self.made.setdefault(name, {})
            for part in index.parts():
                key = index.key(part, checks.get(name, {}))
                last = cached.get(part)
                if last is not None and key and last[0] == key and files.has(last[2]):
                    made[part] = last
                else:
                    self.stale.append((index, part, key))
        work = Work([(index, part) for index, part, _ in self.stale], checks, files.write)
        # Shards of keys are most of the work; their number depends on the number of records.
        shards = [index for index, (group, _), _ in self.stale if group == KEYS]
        weight = sum(len(index.order) // index.layout.shards for index in shards)
        self.results = workers(weight).run(write_parts, range(len(self.stale)), work, _CHUNK)

    def account(self, why: Mapping[str, ChangedFacets]) -> None:
        """Count the files of all parts, and write the manifests; `why` is by collection."""
        written: dict[str, list[Written]] = {name: [] for name in self.made}
        kept = {
            name: [path for *_, paths in made.values() for path in paths]
            for name, made in self.made.items()
        }
        for result in self.results:
            for number, seal, files in result:
                index, part, key = self.stale[number]
                self.made[index.collection.name][part] = key, seal, [file[0] for file in files]
                written[index.collection.name] += files
        for index in self.indexes:
            name, made = index.collection.name, self.made[index.collection.name]
            cause, slug = self.files.other, why.get(name, {}).get("")
            if slug is not None:
                cause = FromFile(index.collection.record_path(slug))
            self.files.account("index", written[name], cause)
            self.files.note_removal(index.collection.index_folder, cause)
            self.files.keep("index", kept[name])
            manifest = index.manifest({part: seal for part, (_, seal, _) in made.items()})
            self.files.put("index", manifest, cause)
            self.cache.put(f"index/{name}", made)


def write_parts(numbers: Sequence[int], work: Work) -> list[tuple[int, PartCheck, list[Written]]]:
    """Write the parts with these numbers: (number, check, written files) of each."""
    results = []
    for number in numbers:
        index, part = work.parts[number]
        artifacts, seal = index.render(part, work.checks.get(index.collection.name, {}))
        written = [file for artifact in artifacts for file in work.write(artifact)]
        results.append((number, seal, written))
    return results
