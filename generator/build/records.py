"""Records that nothing refers to: read, checked, rendered and written in parts, and of parts that
did not change taken from the cache.
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
from generator.build.read import Part, PartRows, Seen, Write, parts_of, paths_of, read_parts
from generator.build.report import Change, Progress
from generator.build.results import Gathered
from generator.dialect.folder import STREAMED, Content
from generator.disk.digests import digest, digest_repr
from generator.model.symbols import Symbols
from generator.model.tables.table import Batch, unpacked_row
from generator.problems.diagnostic import Diagnostic

#: Facet, or "" for the whole collection -> a record that came, went or changed there.
Touched = dict[str, str]


class Targets:
    """Digests of what records refer to."""

    def __init__(self, symbols: Symbols):
        self.symbols = symbols
        self._reached = cache(self._reach)

    @cached_property
    def all(self) -> bytes:
        """Of all programs and organizations, and of their former slugs."""
        known = self.symbols
        every = sorted(known.programs.items()), sorted(known.organizations.items())
        renamed = [sorted(known.renamed.get(name, {}).items()) for name in sorted(known.renamed)]
        return digest_repr((every, renamed))

    def of(self, references: Iterable[tuple[str, str]]) -> bytes:
        """Of some (collection, slug), and of all that belongs to them."""
        return digest(*(self._reached(*reference) for reference in references))

    def _reach(self, collection: str, slug: str) -> bytes:
        """What a record shows, and is counted by, that refers to this one: its ancestors and the
        organizations of these.
        """
        programs, organizations = self.symbols.programs, self.symbols.organizations
        target = self.symbols.targets(collection).get(slug)
        ancestors = target.ancestors if target is not None and collection == "programs" else ()
        line = [programs.get(ancestor) for ancestor in ancestors]
        owners = [organizations.get(program.organization) for program in line if program]
        return digest_repr((target, line, owners))


class Reading(NamedTuple):
    """What reading takes besides the sources: the files that changed since the last build, the
    digest of the settings, what records refer to, the files of the output as they were left, and
    the cache.
    """

    content: Content
    changes: Mapping[str, Change]
    settings: bytes
    symbols: Symbols
    before: Mapping[str, Noted]
    cache: Cache


class _Cached(NamedTuple):
    """A part as the cache has it: digests of the settings and of what its records refer to, and
    `PartRows`, marshalled.
    """

    settings: bytes
    targets: bytes
    rows: bytes


def read_records(
    reading: Reading, workers: Callable[[int], Executor], write: Write | None, progress: Progress
) -> tuple[dict[str, Gathered], list[Diagnostic], dict[str, Touched]]:
    """All records that nothing refers to, their problems, and by collection what changed."""
    gathered = {name: Gathered() for name in STREAMED}
    problems: list[Diagnostic] = []
    touched: dict[str, Touched] = {}
    total, count = sum(len(reading.content.sources[name]) for name in STREAMED), 0
    for name in STREAMED:
        was, now = list[PartRows](), list[PartRows]()
        for rows, seen, written in _rows(reading, name, workers, write, was, now):
            gathered[name].add_part(rows)
            gathered[name].seen += seen
            gathered[name].written += written
            problems += map(Diagnostic.unpack, rows.problems)
            count += len(rows.terms)
            progress("records", count, total)
        touched[name] = changed_facets([r.rows for r in was], [r.rows for r in now]) if was else {}
    return gathered, problems, touched


def _rows(
    reading: Reading,
    name: str,
    workers: Callable[[int], Executor],
    write: Write | None,
    was: list[PartRows],
    now: list[PartRows],
) -> Iterator[tuple[PartRows, list[Seen], list[Written]]]:
    """The rows of all parts, with the files that were read for them and those that were written.
    `was` gets those of the last build of parts that are read again or are gone, `now` those of
    parts that are read.
    """
    cache, before, targets = reading.cache, reading.before, Targets(reading.symbols)
    parts = dict(parts_of(reading.content.sources[name]))
    cache_of = {first: cache.get(_named(first)) for first in cache.get(f"parts/{name}") or ()}
    cache.put(f"parts/{name}", list(parts))
    path_of = reading.symbols.grammar.collections[name].record_path
    for first, said in cache_of.items():
        if said is None:
            continue
        cached, rows = _Cached(*said), PartRows(*marshal.loads(said[-1]))
        written = [path_of(slug) for slug in Batch(*rows.rows).slugs]
        part = first, parts.get(first, [])
        if _is_fresh(reading, part, cached, rows, targets) and before.keys() >= set(written):
            cache.keep(_named(first))
            del parts[first]
            yield rows, [], [(path, *before[path]) for path in written]
        else:
            was.append(rows)
    shared = reading.content.folder, reading.symbols, write
    executor = workers(sum(map(len, parts.values())))
    for done in executor.run(read_parts, list(parts.items()), shared, 1):
        for first, packed, seen, wrote in done:
            rows = PartRows(*marshal.loads(packed))
            cached = _Cached(reading.settings, _of_targets(rows, targets), packed)
            cache.put(_named(first), tuple(cached))
            now.append(rows)
            yield rows, seen, wrote


def _is_fresh(
    reading: Reading, part: Part, cached: _Cached, rows: PartRows, targets: Targets
) -> bool:
    """Whether all that a part was made of is as it was."""
    return (
        cached.settings == reading.settings
        and rows.since <= (reading.symbols.today or "") < rows.until
        and rows.sources == paths_of(part)
        and reading.changes.keys().isdisjoint([path for _, path in part[1]])
        and cached.targets == _of_targets(rows, targets)
    )


def _named(first: str) -> str:
    """What the cache calls the part that begins with a path."""
    return f"rows/{digest(os.fsencode(first)).hex()}"


def _of_targets(rows: PartRows, targets: Targets) -> bytes:
    """The digest of what a part refers to.  A problem may name any record that could be meant."""
    return targets.all if rows.problems else targets.of(rows.references)


def changed_facets(was: Iterable[tuple[Any, ...]], now: Iterable[tuple[Any, ...]]) -> Touched:
    """Where rows differ between batches: facet, or "" for all -> the first record that differs."""
    before, after = _by_slug(was), _by_slug(now)
    touched: Touched = {}
    for slug in sorted(before.keys() | after.keys()):
        old, new = before.get(slug), after.get(slug)
        if old == new:
            continue
        touched.setdefault("", slug)
        for row in (old, new):
            for facet in unpacked_row(*row).facets if row is not None else ():
                touched.setdefault(facet, slug)
    return touched


def _by_slug(batches: Iterable[tuple[Any, ...]]) -> dict[str, tuple[bytes, bytes]]:
    """slug -> its row, packed as fields and summary."""
    found: dict[str, tuple[bytes, bytes]] = {}
    for fields in batches:
        some = Batch(*fields)
        found.update(zip(some.slugs, zip(some.fields, some.summaries, strict=True), strict=True))
    return found
