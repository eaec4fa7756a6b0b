"""Reads a content folder: settings, all records, their problems, and what git knows of them.

`read` reads everything, and `reread` what may be other after some files were saved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any

from generator.contract.artifact import BuildInfo
from generator.dialect.folder import Content, Planned, scan
from generator.executors import ChooseExecutor, in_process
from generator.feature import Hook
from generator.guard.state import State
from generator.kinds.every import REFERRED, STREAMED
from generator.model.checks.tags import name_open_families
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Diagnostic, is_error, sort_problems
from generator.published.content.digest import content_digest
from generator.published.content.entries import (
    FileEntry,
    Gathered,
    Shared,
    gather,
    read_entries,
    unpack_entry,
)
from generator.published.content.guards import Guard
from generator.published.content.load import (
    Linked,
    check_unused,
    check_whole,
    count_records,
    prepare,
)
from generator.published.content.logos import Logos, read_logos
from generator.published.history.git import GitHistory
from generator.published.history.provenance import Moment, require_memory
from generator.published.made_once import made_once
from generator.text.words import format_utc

#: Path -> entry, of one collection.
Entries = Mapping[str, FileEntry]


@dataclass(frozen=True, eq=False)
class Records:
    """A content folder as it was read at a moment; it never changes.

    `problems` are those of names, settings and logos; those of records are in their entries, which
    are by collection and path.  `is_rendered` is False if projects and events were only checked, as
    they are if there are other errors.  `changed` names what `differences` found since the read
    before.
    """

    content: Content
    moment: Moment
    linked: Linked
    logos: Logos
    problems: list[Diagnostic]
    entries: Mapping[str, Entries]
    is_rendered: bool
    history: GitHistory
    changed: Sequence[str] = ()

    @made_once
    def gathered(self) -> Mapping[str, Gathered]:
        """The records of each collection, for checks across records and for tables."""
        collections = self.linked.symbols.grammar.collections
        return {
            name: gather(entries.values(), collections[name])
            for name, entries in self.entries.items()
        }

    def all_entries(self) -> Iterator[FileEntry]:
        return chain.from_iterable(entries.values() for entries in self.entries.values())

    def named_logos(self) -> set[str]:
        """The logos that records name."""
        return {logo for entry in self.all_entries() for logo in entry.logos}

    def info(self) -> BuildInfo:
        """The facts of build.json."""
        blobs = self.linked.blobs | {e.path: e.blob for e in self.all_entries() if e.blob}
        moment = self.moment
        at = format_utc(moment.at)
        return BuildInfo(at, moment.as_of, moment.revision, content_digest(blobs))

    def check(self, guard: Guard, *, strict: bool = False) -> tuple[State, list[Diagnostic]]:
        """The state that guards compare, and all problems of the content, those of guards too."""
        content, linked = self.content, self.linked
        found = [Diagnostic.unpack(p) for entry in self.all_entries() for p in entry.problems]
        uses = [of.table.members for of in self.gathered.values()]
        found = [*name_open_families([*self.problems, *found], uses, linked.symbols)]
        state, more = check_whole(content, linked, self.gathered, guard)
        problems = linked.accepting([*found, *more])
        if any(map(is_error, sort_problems(problems, strict))):
            problems += guard.check_counts(content, count_records(content), linked.settings)
        else:
            problems += guard.check_state(content, state, linked.settings)
        problems += check_unused(content, linked, self.gathered, problems)
        return state, problems


def read(
    folder: str,
    moment: Moment,
    workers: ChooseExecutor = in_process,
    *,
    site: bool = True,
    renders: bool = True,
    planned: Planned | None = None,
) -> Records:
    """Read a content folder, as it will be after the changes `planned`.

    `workers` chooses an executor by the number of records to read.  Unless it `renders` records,
    they can be checked and not be published.
    """
    return _read(scan(folder, planned), moment, workers, None, (), site, renders)


def reread(
    before: Records, saved: Collection[str] | None, moment: Moment, *, site: bool = True
) -> Records:
    """The records after files were saved, added or removed; `saved` has their paths below the
    content folder, None if they are not known.

    All projects and events are read again if `saved` is None, if anything changed that the entry of
    any file may depend on (see `differences`), and if other errors came or went: with them, records
    are only checked.
    """
    return _read(scan(before.content.folder), moment, in_process, before, saved, site, renders=True)


#: Features add to what records are made from.
EXTEND: Hook[Callable[[Symbols, Settings, GitHistory], Symbols]] = Hook(
    "reading", "extend", "symbols, settings, history"
)


def _read(
    content: Content,
    moment: Moment,
    workers: ChooseExecutor,
    before: Records | None,
    saved: Collection[str] | None,
    site: bool,
    renders: bool,
) -> Records:
    require_memory(sum(count_records(content).values()))
    if saved is not None:
        saved = {*saved, *content.links}
    known_logos = before.logos.read if before is not None and saved is not None else {}
    unsaved = {path: logo for path, logo in known_logos.items() if path not in (saved or ())}
    logos = read_logos(content, workers, unsaved)
    linked, problems = prepare(content, moment.as_of, logos, site=site)
    history = GitHistory(content.folder, moment.revision)
    if before is not None and before.moment.revision == moment.revision:
        history = before.history
    for extend in EXTEND:
        symbols = extend(linked.symbols, linked.settings, history)
        linked = linked._replace(symbols=symbols)
    symbols, known, entries = linked.symbols, dict[str, Entries](), dict[str, Entries]()
    referred = chain.from_iterable(of.values() for of in linked.entries.values())
    found = (Diagnostic.unpack(packed) for entry in referred for packed in entry.problems)
    renders = renders and not any(map(is_error, chain(problems, found)))
    changed = differences(symbols, before.linked.symbols) if before is not None else []
    if before is not None and before.is_rendered == renders and saved is not None and not changed:
        known = dict(before.entries)
    for name in STREAMED:
        of_name = known.get(name, {})
        paths = [path for _, path in content.sources[name]]
        kept = {p: of_name[p] for p in paths if p in of_name and p not in (saved or ())}
        todo = [(slug, path) for slug, path in content.sources[name] if path not in kept]
        made = dict(_made(todo, (content.folder, symbols, renders, content.planned), workers))
        entries[name] = {path: kept.get(path) or made[path] for path in paths}
    entries |= linked.entries
    return Records(content, moment, linked, logos, problems, entries, renders, history, changed)


def differences(new: Symbols, old: Symbols) -> list[str]:
    """The names of the fields that differ, in their order too.  If there are none, every file gives
    the same entry with both: entries depend on nothing else.
    """
    names = [field.name for field in fields(Symbols) if field.compare] + ["websites"]
    names = [name for name in names if not _is_same(_value(new, name), _value(old, name))]
    if "referred" in names:
        place = names.index("referred")
        names[place : place + 1] = [n for n in REFERRED if new.targets(n) != old.targets(n)]
    return names


def _value(symbols: Symbols, name: str) -> Any:
    return symbols.grammar.arguments if name == "grammar" else getattr(symbols, name)


def _is_same(new: Any, old: Any) -> bool:
    """Whether two values are equal, and have the same order: that of own fields is that of the
    numbers in a row.
    """
    return bool(new == old) and repr(new) == repr(old)


def _made(
    sources: Sequence[tuple[str, str]], shared: Shared, workers: ChooseExecutor
) -> Iterator[tuple[str, FileEntry]]:
    """The path and the entry of each of these files; `shared` is that of `read_entries`."""
    executor = workers(len(sources), shared[1])
    for results in executor.run(read_entries, sources, shared):
        for data in results:
            yield data[0], unpack_entry(data)
