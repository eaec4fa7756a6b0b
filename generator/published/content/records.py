"""Reads a content folder: settings, all records, their problems, and what git knows of them.

`read` reads everything, and `reread` what may be other after some files were saved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from pathlib import Path
from typing import Any

from generator.contract.artifact import BuildInfo
from generator.dialect.folder import Content, Planned, scan
from generator.executors import ChooseExecutor, InProcess, in_process
from generator.feature import Hook
from generator.guard.state import State
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Table, tabulate
from generator.problems.diagnostic import Diagnostic, is_error
from generator.published.content.entries import (
    FileEntry,
    GoodRecord,
    Named,
    Shared,
    read_entries,
    read_packed,
    unpack_entry,
    with_texts,
)
from generator.published.content.guards import Guard
from generator.published.content.load import Linked, count_records, prepare
from generator.published.content.logos import Logos, read_logos
from generator.published.content.text_file import TextFile
from generator.published.content.whole import check_whole
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
    are by collection and path, `texts` has the texts of those that are not kept as models.
    `is_rendered` is False if records were only checked, as they are if registry.yaml cannot be
    used.  `changed` names what `changed_symbols` found since the read before.
    """

    content: Content
    moment: Moment
    linked: Linked
    logos: Logos
    problems: list[Diagnostic]
    entries: Mapping[str, Entries]
    texts: TextFile
    is_rendered: bool
    history: GitHistory
    changed: Sequence[str] = ()

    @made_once
    def good(self) -> Mapping[str, Sequence[GoodRecord]]:
        """The records without errors of each collection."""
        return {
            name: [entry.record for entry in entries.values() if entry.record is not None]
            for name, entries in self.entries.items()
        }

    @made_once
    def tables(self) -> Mapping[str, Table]:
        """Their tables, without counts."""
        collections = self.linked.symbols.grammar.collections
        return {
            name: tabulate(collections[name], (record.row for record in good), self.texts)
            for name, good in self.good.items()
        }

    def all_entries(self) -> Iterator[FileEntry]:
        return chain.from_iterable(entries.values() for entries in self.entries.values())

    def named_logos(self) -> set[str]:
        """The logos that records without errors name."""
        return {logo for e in self.all_entries() if e.record is not None for logo in e.logos}

    def without_errors(self, problems: Iterable[Diagnostic]) -> Records:
        """What can be shown: the records whose files have none of the errors among `problems`."""
        wrong = {problem.path for problem in problems if is_error(problem)}
        found = (e.problems for e in self.all_entries() if e.record is None)
        is_repeated = any(problem.code == "duplicate-slug" for problem in self.problems)
        if not is_repeated and wrong <= {packed[0] for packed in chain.from_iterable(found)}:
            return self
        show, entries = self.content.display_path, dict[str, Entries]()
        for name, of_name in self.entries.items():
            slugs, right = set[str](), dict[str, FileEntry]()
            for path, entry in of_name.items():
                if entry.record is None or entry.record.row.slug in slugs or show(path) in wrong:
                    entry = entry._replace(record=None)
                else:
                    slugs.add(entry.record.row.slug)
                right[path] = entry
            entries[name] = right
        return replace(self, entries=entries)

    def info(self) -> BuildInfo:
        """The facts of build.json."""
        blobs = self.linked.blobs | {e.path: e.blob for e in self.all_entries() if e.blob}
        moment = self.moment
        return BuildInfo(
            format_utc(moment.at), moment.as_of, moment.revision, content_digest(blobs)
        )

    def check(self, guard: Guard, *, strict: bool = False) -> tuple[State, list[Diagnostic]]:
        """The state that guards compare, and all problems of the content, those of guards too."""
        return check_whole(self, guard, strict)


def content_digest(blobs: Mapping[str, bytes]) -> str:
    """The SHA-256 of the folders, names and git blob ids of all files that are read."""
    folders: dict[bytes, list[tuple[bytes, bytes]]] = {}
    for path, blob in blobs.items():
        folder, _, name = path.encode("utf-8", "surrogateescape").rpartition(b"/")
        folders.setdefault(folder, []).append((name, blob))
    whole = hashlib.sha256()
    for folder, files in sorted(folders.items()):
        files.sort()
        names, ids = b"\0".join(name for name, _ in files), b"".join(blob for _, blob in files)
        whole.update(b"%b\0%b\0\0%b" % (folder, names, ids))
    return "sha256:" + whole.hexdigest()


def read(
    folder: str,
    moment: Moment,
    workers: ChooseExecutor = in_process,
    *,
    site: bool = True,
    renders: bool = True,
    planned: Planned | None = None,
    texts: Path | None = None,
) -> Records:
    """Read a content folder, as it will be after the changes `planned`.

    `workers` chooses an executor by the number of records to read.  Unless it `renders` records,
    they can be checked and not be published.  `texts` is the path of a new file for their texts,
    else a temporary one is made.
    """
    return _read(scan(folder, planned), moment, workers, None, (), site, renders, texts)


def reread(
    before: Records, saved: Collection[str] | None, moment: Moment, *, site: bool = True
) -> Records:
    """The records after files were saved, added or removed; `saved` has their paths below the
    content folder, None if they are not known.

    All records are read again if `saved` is None, if anything changed that the entry of any file
    may depend on (see `changed_symbols`), and if errors came to registry.yaml or went with which
    records are only checked.
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
    texts_path: Path | None = None,
) -> Records:
    require_memory(sum(count_records(content).values()))
    if saved is not None:
        saved = {*saved, *content.links}
    known_logos = before.logos.read if before is not None and saved is not None else {}
    unsaved = {path: logo for path, logo in known_logos.items() if path not in (saved or ())}
    logos = read_logos(content, workers, unsaved)
    models = before.linked.models.values() if before is not None and saved is not None else ()
    names = (one for of in models for one in of.values() if isinstance(one, Named))
    named = {one.path: one for one in names if one.path not in (saved or ())}
    linked, problems = prepare(content, moment.as_of, logos, named, site=site)
    history = GitHistory(content.folder, moment.revision, content.kinds)
    if (
        before is not None
        and before.moment.revision == moment.revision
        and [*before.history.kinds] == [*content.kinds]
    ):
        history = before.history
    for extend in EXTEND:
        symbols = extend(linked.symbols, linked.settings, history)
        linked = linked._replace(symbols=symbols)
    symbols, known, entries = linked.symbols, dict[str, Entries](), dict[str, Entries]()
    texts = TextFile(texts_path)
    renders = renders and linked.is_usable
    changed = changed_symbols(symbols, before.linked.symbols) if before is not None else []
    if before is not None and before.is_rendered == renders and saved is not None and not changed:
        known, texts = dict(before.entries), before.texts
    for name in content.kinds.streamed:
        of_name = known.get(name, {})
        paths = [path for _, path in content.sources[name]]
        kept = {p: of_name[p] for p in paths if p in of_name and p not in (saved or ())}
        todo = [(slug, path) for slug, path in content.sources[name] if path not in kept]
        shared: Shared = content.folder, symbols, renders, content.planned
        executor = workers(len(todo), True)
        is_packed = not isinstance(executor, InProcess)
        read_some = read_packed if is_packed else read_entries
        for some, rendered in executor.run(read_some, todo, shared):
            first = texts.add(rendered)
            found = map(unpack_entry, some) if is_packed else some
            kept |= {entry.path: with_texts(entry, first) for entry in found}
        entries[name] = {path: kept[path] for path in paths}
    entries |= linked.entries
    return Records(
        content, moment, linked, logos, problems, entries, texts, renders, history, changed
    )


def changed_symbols(new: Symbols, old: Symbols) -> list[str]:
    """The names of the fields that differ, in their order too.  If there are none, every file gives
    the same entry with both: entries depend on nothing else.
    """
    referred = new.grammar.kinds.referred
    names = ((f.name,) if f.name != "referred" else referred for f in fields(Symbols) if f.compare)

    def value(symbols: Symbols, name: str) -> Any:
        return symbols.targets(name) if name in referred else getattr(symbols, name)

    every = *chain.from_iterable(names), "websites"
    return [name for name in every if not _is_same(value(new, name), value(old, name))]


def _is_same(new: Any, old: Any) -> bool:
    """Whether two values are equal, and have the same order: that of own fields is that of the
    numbers in a row.
    """
    return bool(new == old) and repr(new) == repr(old)
