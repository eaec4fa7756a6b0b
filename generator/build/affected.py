"""What changed since the last build, and what depends on that.

Whatever would touch much of the output is left to a build of everything: registry.yaml, the
generator itself, many records at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from generator.api.diagnostic import Diagnostic
from generator.api.grammar import Grammar
from generator.api.names import KIND_OF
from generator.api.text import is_slug
from generator.build import read
from generator.build.buildlog import Log
from generator.build.changes import Changes
from generator.build.head import Head
from generator.build.inventory import Difference, digest_of
from generator.build.load import (
    Linked,
    counted,
    read_and_link,
    read_header,
)
from generator.build.many import seen
from generator.build.marks import Noted, recall_marks
from generator.build.memory import recall
from generator.build.report import Cause, Change, Follows, Input
from generator.build.scope import Last, Scope
from generator.records.folder import (
    COLLECTIONS,
    REFERRED,
    REGISTRY_FILE,
    STREAMED,
    Content,
    Source,
    is_record,
    scan,
    slug_of,
)
from generator.records.kinds import KINDS
from generator.records.link import link
from generator.records.settings import Settings
from generator.records.symbols import Symbols, Target
from generator.tables.patch import position
from generator.tables.table import Table

#: With more changed records than this, and than a tenth of all, a whole build is sooner done.
_FEW = 1000


class NeedsWhole(Exception):
    """A whole build is called for; the text says why."""


def of_changes(folder: str, log: Log, changes: Changes, today: str) -> Scope:
    """What changed, and what depends on it.  Raises NeedsWhole, LogDamaged."""
    head, marks, difference = log.head, recall_marks(log), changes.content
    touched = [*difference.added, *difference.removed, *difference.changed]
    _small_enough(head, touched, marks, today)
    header, problems = read_header(Content(folder), digest_of(changes.inputs, REGISTRY_FILE))
    grammar = header.settings.grammar()
    symbols = _symbols(header.settings, grammar, head, today)
    tables = {name: recall(log, grammar.collections[name]) for name in COLLECTIONS}
    last = Last(head, changes, symbols, tables, marks)
    counts = _counted(changes, head.records)
    relink = any(path.partition("/")[0] in REFERRED for path in touched)
    rescan = relink or not _only_records(difference, tables)
    if rescan:
        content = scan(folder)
        _agree(content, changes, counts)
        problems += [*content.problems, *read.astray(content)]
    else:
        content = Content(folder, dict(seen(changes.seen)))
    linked = Linked(header.settings, symbols, {}, header.seen, header.removed)
    causes = dict(_own_causes(changes, grammar))
    sources = [
        Source(Path(path).stem, path)
        for path in (*difference.added, *difference.changed)
        if path.partition("/")[0] in STREAMED and is_record(path)
    ]
    if relink:
        linked, wrong = read_and_link(content, header, grammar, today)
        problems += wrong
        dependents = _dependents(last, linked)
        again = list(_again(content, dependents, grammar))
        if len(again) > _few(head):
            raise NeedsWhole(f"{len(again):,} records refer to what changed")
        causes = dependents | causes
        sources = list(dict.fromkeys([*sources, *again]))
    problems += _retained(content, head, touched, sources, rescan=rescan, relink=relink)
    gone = {name: set[str]() for name in COLLECTIONS}
    for path in filter(is_record, difference.removed):
        gone[path.partition("/")[0]].add(Path(path).stem)
    for name in STREAMED:
        gone[name] -= {s.slug for s in sources if s.path.startswith(f"{name}/")}
    for name, records in linked.referred.items():
        gone[name] = head.sources[name].keys() - records.models.keys()
    return Scope(content, linked, sources, gone, counts, problems, causes, last)


def _few(head: Head) -> int:
    return max(_FEW, sum(head.records.values()) // 10)


def _small_enough(
    head: Head, touched: Sequence[str], marks: Mapping[str, Noted], today: str
) -> None:
    """Raises NeedsWhole where a change touches all, or much."""
    first, last = sorted((head.moment[1], today))
    if first < last and any(first < day <= last for of in marks.values() for day in of.days()):
        raise NeedsWhole("it is for another day, on which other values are plausible")
    if REGISTRY_FILE in touched:
        raise NeedsWhole(f"{REGISTRY_FILE} changed")
    if len(touched) > _few(head):
        raise NeedsWhole(f"{len(touched):,} files of the content changed")
    if any(size > 4 * max(head.packed[name], 1 << 24) for name, (_, size) in head.rows.items()):
        raise NeedsWhole("the build log has grown long")


def _counted(changes: Changes, before: Mapping[str, int]) -> dict[str, int]:
    """How many records there are of each collection."""
    records = dict(before)
    for paths, step in ((changes.content.added, 1), (changes.content.removed, -1)):
        for path in filter(is_record, paths):
            records[path.partition("/")[0]] += step
    return records


def _only_records(difference: Difference, tables: Mapping[str, Table]) -> bool:
    """Whether nothing came or went but records, each that came with a slug of its own: then a scan
    says of names what the last one said.
    """
    come, gone = (
        [(path.partition("/")[0], slug_of(path)) for path in paths]
        for paths in (difference.added, difference.removed)
    )
    return (
        all(map(is_record, (*difference.added, *difference.removed)))
        and len({*come}) == len(come)
        and all(
            is_slug(slug) and ((name, slug) in gone or position(tables[name], slug) is None)
            for name, slug in come
        )
    )


def _agree(content: Content, changes: Changes, records: Mapping[str, int]) -> None:
    """That a scan sees the files which the look at the inputs saw, and so many records.  Raises
    NeedsWhole.
    """
    names = {
        here: b"\0".join(sorted(map(os.fsencode, held))) for here, held in content.names.items()
    }
    known = {here: held.names for here, held in changes.seen.items()}
    if (names, counted(content)) != (known, records):
        raise NeedsWhole("the content is not what a look at its files makes of it")


def _symbols(settings: Settings, grammar: Grammar, head: Head, today: str) -> Symbols:
    """The symbols of the last build."""
    none: dict[str, set[str]] = {name: set() for name in REFERRED}
    programs, organizations = (
        {slug: Target(*target) for slug, target in targets.items()} for targets in head.symbols
    )
    renamed = {
        name: {alias: slug for slug, of in head.aliases[name].items() for alias in of}
        for name in REFERRED
    }
    empty = link(settings, grammar, {}, {}, none, today=today)
    return replace(empty, programs=programs, organizations=organizations, renamed=renamed)


def _own_causes(changes: Changes, grammar: Grammar) -> Iterator[tuple[str, Cause]]:
    """The files of records whose own files changed."""
    # Of a record whose file was moved it is told that it came.
    kinds: tuple[tuple[Change, list[str]], ...] = (
        ("removed", changes.content.removed),
        ("changed", changes.content.changed),
        ("added", changes.content.added),
    )
    for change, paths in kinds:
        for path in filter(is_record, paths):
            collection = grammar.collections[path.partition("/")[0]]
            yield collection.record_path(Path(path).stem), Input(path, change)


def _dependents(last: Last, linked: Linked) -> dict[str, Cause]:
    """The files of records that show, or belong to, a program or an organization that is not what
    it was, with its file.
    """
    assert last.symbols is not None
    causes: dict[str, Cause] = {}
    collections = linked.symbols.grammar.collections
    changed: dict[tuple[str, str], Cause] = {}
    for name in REFERRED:
        was, now = last.symbols.targets(name), linked.symbols.targets(name)
        for slug, target in was.items():
            if now.get(slug) == target:
                continue
            cause = changed[name, slug] = Follows(collections[name].record_path(slug))
            for other in STREAMED:
                table = last.tables[other]
                for number in table.members.get(f"{KIND_OF[name]}/{slug}", ()):
                    causes[collections[other].record_path(table.slugs[number])] = cause
    for name, records in linked.referred.items():
        for slug, model in records.models.items():
            for _, other, named in KINDS[name].references(model):
                if (other, named) in changed:
                    causes[collections[name].record_path(slug)] = changed[other, named]
    return causes


def _again(content: Content, dependents: Mapping[str, Cause], grammar: Grammar) -> Iterator[Source]:
    """The files that records are read from."""
    for name in STREAMED:
        path = grammar.collections[name].record_path
        yield from (s for s in content.sources[name] if path(s.slug) in dependents)


def _retained(
    content: Content,
    head: Head,
    touched: Sequence[str],
    sources: Iterable[Source],
    *,
    rescan: bool,
    relink: bool,
) -> list[Diagnostic]:
    """What the last build said that still holds: of files that are not read again.

    A scan says again what it says of names, and what is said of the output and of numbers of
    records is said at the end.
    """
    again = {"host-limit", "no-base-url", "empty-registry"} | ({"stray-file"} if rescan else set())
    read_now = {content.shown(path) for path in (*touched, *(source.path for source in sources))}
    folders = tuple(content.shown(f"{name}/") for name in REFERRED) if relink else ()
    return [
        p
        for p in head.problems
        if p.code not in again and p.path not in read_now and not p.path.startswith(folders)
    ]
