"""Reads projects and events in parts, or takes the results of unchanged parts from the cache.

Reading includes checking, rendering and writing (see `read.read_parts`).
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

from generator.build.cache.store import Cache
from generator.build.executors import Executor
from generator.build.output.files import Noted
from generator.build.output.write import Written
from generator.build.read import (
    CollectionResults,
    Part,
    PartRows,
    Seen,
    Write,
    divide_into_parts,
    join_paths,
    read_parts,
)
from generator.build.report import Change, Progress
from generator.dialect.folder import STREAMED, Content, slug_of
from generator.disk.digests import digest, digest_repr
from generator.model.symbols import Symbols
from generator.model.tables.table import Batch, unpack_row
from generator.problems.diagnostic import Diagnostic

#: Facet, or "" for the whole collection -> the slug of a record that changed in it.
ChangedFacets = dict[str, str]


class Targets:
    """Digests of programs and organizations, for the records that refer to them."""

    def __init__(self, symbols: Symbols):
        self.symbols = symbols
        self._digest = cache(self._target_digest)

    @cached_property
    def digest_of_all(self) -> bytes:
        """A digest of all programs and organizations, and their former slugs."""
        symbols = self.symbols
        targets = sorted(symbols.programs.items()), sorted(symbols.organizations.items())
        renamed = [
            sorted(symbols.current_slugs[name].items()) for name in sorted(symbols.current_slugs)
        ]
        return digest_repr((targets, renamed))

    def digest_of(self, references: Iterable[tuple[str, str]]) -> bytes:
        """A digest of the records with these (collection, slug), and of what belongs to them."""
        return digest(*(self._digest(*reference) for reference in references))

    def _target_digest(self, collection: str, slug: str) -> bytes:
        """A digest of a record, its ancestors and their organizations."""
        programs, organizations = self.symbols.programs, self.symbols.organizations
        target = self.symbols.targets(collection).get(slug)
        ancestors = target.ancestors if target is not None and collection == "programs" else ()
        line = [programs.get(ancestor) for ancestor in ancestors]
        owners = [organizations.get(program.organization) for program in line if program]
        return digest_repr((target, line, owners))


class ReadInputs(NamedTuple):
    """The inputs of the read stage.

    `changes` has the files of the content that changed since the last build, `settings` is a digest
    of registry.yaml, and `before` has the unchanged files of the output.  Without a cache, the
    content and the symbols are enough.
    """

    content: Content
    symbols: Symbols
    changes: Mapping[str, Change] = {}
    settings: bytes = b""
    before: Mapping[str, Noted] = {}
    cache: Cache = Cache(None, "", "no cache is used")


class _Cached(NamedTuple):
    """A part in the cache: digests of the settings and of the references, and its `PartRows`,
    marshalled.
    """

    settings: bytes
    targets: bytes
    rows: bytes


def read_records(
    reading: ReadInputs,
    workers: Callable[[int], Executor],
    write: Write | None,
    progress: Progress = lambda name, done, total: None,
) -> tuple[dict[str, CollectionResults], list[Diagnostic], dict[str, ChangedFacets]]:
    """Read projects and events: results, problems and changes, the first and last by collection."""
    gathered = {name: CollectionResults() for name in STREAMED}
    problems: list[Diagnostic] = []
    touched: dict[str, ChangedFacets] = {}
    total, count = sum(len(reading.content.sources[name]) for name in STREAMED), 0
    for name in STREAMED:
        old, new = list[PartRows](), list[PartRows]()
        for rows, seen, written in _read_parts(reading, name, workers, write, old, new):
            gathered[name].add(rows)
            gathered[name].seen += seen
            gathered[name].written += written
            problems += map(Diagnostic.unpack, rows.problems)
            count += len(rows.marks)
            progress("records", count, total)
        touched[name] = changed_facets([r.rows for r in old], [r.rows for r in new]) if old else {}
    return gathered, problems, touched


def _read_parts(
    reading: ReadInputs,
    name: str,
    workers: Callable[[int], Executor],
    write: Write | None,
    old: list[PartRows],
    new: list[PartRows],
) -> Iterator[tuple[PartRows, list[Seen], list[Written]]]:
    """The rows of all parts, each with the files read and written.

    Adds the rows of newly read parts to `new`, and to `old` the rows that the last build had for
    these and for removed parts.
    """
    cache, before, targets = reading.cache, reading.before, Targets(reading.symbols)
    parts = dict(divide_into_parts(reading.content.sources[name]))
    cached_parts = {p: cache.get(_cache_name(p)) for p in cache.get(f"parts/{name}") or ()}
    cache.put(f"parts/{name}", list(parts))
    path_of = reading.symbols.grammar.collections[name].record_path
    for first, fields in cached_parts.items():
        if fields is None:
            continue
        cached = _Cached(*fields)
        rows = PartRows(*marshal.loads(cached.rows))
        written = [path_of(slug) for slug in Batch(*rows.rows).slugs]
        part = first, parts.get(first, [])
        if _is_fresh(reading, part, cached, rows, targets) and before.keys() >= set(written):
            cache.keep(_cache_name(first))
            del parts[first]
            yield rows, [], [(path, *before[path]) for path in written]
        else:
            old.append(rows)
    shared = reading.content.folder, reading.symbols, write
    executor = workers(sum(map(len, parts.values())))
    for results in executor.run(read_parts, list(parts.items()), shared, 1):
        for first, packed, seen, files in results:
            rows = PartRows(*marshal.loads(packed))
            cached = _Cached(reading.settings, _targets_digest(rows, targets), packed)
            cache.put(_cache_name(first), tuple(cached))
            new.append(rows)
            yield rows, seen, files


def _is_fresh(
    reading: ReadInputs, part: Part, cached: _Cached, rows: PartRows, targets: Targets
) -> bool:
    """Whether the inputs of a cached part are unchanged."""
    return (
        cached.settings == reading.settings
        and rows.since <= (reading.symbols.today or "") < rows.until
        and rows.sources == join_paths(part)
        and reading.changes.keys().isdisjoint([path for _, path in part[1]])
        and reading.changes.keys().isdisjoint(rows.logos)
        and cached.targets == _targets_digest(rows, targets)
    )


def _cache_name(first: str) -> str:
    """The name in the cache of the part that begins with a path."""
    return f"rows/{digest(os.fsencode(first)).hex()}"


def _targets_digest(rows: PartRows, targets: Targets) -> bytes:
    """A digest of the references of a part, and of when its records were changed, if published.

    A problem may suggest any program or organization.
    """
    known = targets.digest_of_all if rows.problems else targets.digest_of(rows.references)
    updated = targets.symbols.updated
    if updated is None:
        return known
    of_collection = updated.get(rows.sources.partition("/")[0], {})
    times = [of_collection.get(slug_of(path)) for path in rows.sources.split("\0")]
    return digest(known, digest_repr(times))


def changed_facets(old: Iterable[tuple[Any, ...]], new: Iterable[tuple[Any, ...]]) -> ChangedFacets:
    """The first changed record in each facet, and in the whole collection, between two builds."""
    before, after = _by_slug(old), _by_slug(new)
    touched: ChangedFacets = {}
    for slug in sorted(before.keys() | after.keys()):
        old_row, new_row = before.get(slug), after.get(slug)
        if old_row == new_row:
            continue
        touched.setdefault("", slug)
        for row in (old_row, new_row):
            for facet in unpack_row(*row).facets if row is not None else ():
                touched.setdefault(facet, slug)
    return touched


def _by_slug(batches: Iterable[tuple[Any, ...]]) -> dict[str, tuple[bytes, bytes]]:
    """Slug -> packed row: fields and summary."""
    rows: dict[str, tuple[bytes, bytes]] = {}
    for fields in batches:
        part = Batch(*fields)
        rows.update(zip(part.slugs, zip(part.fields, part.summaries, strict=True), strict=True))
    return rows
