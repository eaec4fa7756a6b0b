"""Reads a content folder: settings, all records, their problems, and what git knows of them.

`read` reads everything, and `reread` what may be other after some files were saved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from generator.build.cache.compare import NO_DIGEST, NO_STAT, content_digest
from generator.build.cache.store import Cache
from generator.build.executors import Executor, InProcess
from generator.build.guards import Guard
from generator.build.load import Linked, check_unused, check_whole, prepare
from generator.build.logos import Logos, read_logos
from generator.build.past import Past, read_past
from generator.build.provenance import Moment
from generator.build.read import CollectionResults
from generator.contract.artifact import BuildInfo
from generator.dialect.folder import STREAMED, Content, scan
from generator.grammar.text import format_utc
from generator.guard.state import State
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Diagnostic
from generator.published.entries import Entry, gather, read_entries, unpack_entry

#: Records in a chunk of work.
_CHUNK = 256
_NO_CACHE = Cache(None, "", "nothing is kept")

#: Path -> entry, of one collection.
Entries = Mapping[str, Entry]


class Records(NamedTuple):
    """A content folder as it was read at a moment; it never changes.

    `problems` are those of names, settings, logos, programs and organizations; those of projects
    and events are in their entries.  `past` is the history, None if the registry does not publish
    it or git does not know it.
    """

    content: Content
    moment: Moment
    linked: Linked
    logos: Logos
    problems: list[Diagnostic]
    entries: Mapping[str, Entries]
    past: Past | None = None

    def gathered(self) -> dict[str, CollectionResults]:
        """The entries by collection, for checks across records and for tables."""
        return {name: gather(entries.values()) for name, entries in self.entries.items()}

    def info(self) -> BuildInfo:
        """The facts of build.json."""
        names = self.content.names.items()
        blobs = {path: blob for path, _, blob in self.linked.seen}
        blobs |= {e.path: e.blob for entries in self.entries.values() for e in entries.values()}
        paths = (f"{f}/{name}" if f else name for f, in_folder in names for name in in_folder)
        inputs = {path: (NO_STAT, blobs.get(path) or NO_DIGEST) for path in paths}
        moment = self.moment
        at = format_utc(moment.at)
        return BuildInfo(at, moment.as_of, moment.revision, content_digest(inputs))

    def check(self, guard: Guard) -> tuple[State, list[Diagnostic]]:
        """The state that guards compare, and all problems of the content, those of guards too."""
        entries = [e for of_name in self.entries.values() for e in of_name.values()]
        found = [Diagnostic.unpack(problem) for entry in entries for problem in entry.problems]
        problems, gathered = [*self.problems, *found], self.gathered()
        state, more = check_whole(self.content, self.linked, gathered, guard)
        problems = self.linked.accepting([*problems, *more])
        problems += guard.check_state(self.content, state, self.linked.settings)
        problems += check_unused(self.content, self.linked, gathered, problems)
        return state, problems


def read(
    folder: str,
    moment: Moment,
    executor: Callable[[int], Executor] = lambda _: InProcess(),
    *,
    site: bool = True,
) -> Records:
    """Read a content folder.  `executor` is chosen by the number of records to read."""
    return _read(scan(folder), moment, executor, None, (), site)


def reread(before: Records, saved: Collection[str], *, site: bool = True) -> Records:
    """The records after files were saved, added or removed; `saved` has their paths below the
    content folder.

    All projects and events are read again if something changed that any of them may refer to.
    """
    content = scan(before.content.folder)
    return _read(content, before.moment, lambda _: InProcess(), before, saved, site)


def _read(
    content: Content,
    moment: Moment,
    executor: Callable[[int], Executor],
    before: Records | None,
    saved: Collection[str],
    site: bool,
) -> Records:
    logos = read_logos(content)
    linked, problems = prepare(content, moment.as_of, logos, site=site)
    past = None
    if linked.settings.publish.changes:
        past = read_past(content.folder, moment.revision, linked.symbols.grammar, _NO_CACHE)
        updated = past.updated if past is not None else {}
        linked = linked._replace(symbols=replace(linked.symbols, updated=updated))
    known: Mapping[str, Entries] = {}
    if before is not None and _is_read_alike(linked.symbols, before.linked.symbols):
        known = before.entries
    entries = {}
    for name in STREAMED:
        of_name = known.get(name, {})
        kept = {
            path: of_name[path]
            for _, path in content.sources[name]
            if path in of_name and path not in saved
        }
        todo = [(slug, path) for slug, path in content.sources[name] if path not in kept]
        made = dict(_made(todo, content.folder, linked.symbols, executor))
        entries[name] = {path: kept.get(path) or made[path] for _, path in content.sources[name]}
    return Records(content, moment, linked, logos, problems, entries, past)


def _is_read_alike(new: Symbols, old: Symbols) -> bool:
    """Whether every file gives the same entry with both: entries depend on nothing else."""
    return (
        new.grammar.arguments == old.grammar.arguments
        and new.websites == old.websites
        and new == replace(old, grammar=new.grammar)
    )


def _made(
    sources: Sequence[tuple[str, str]],
    folder: str,
    symbols: Symbols,
    executor: Callable[[int], Executor],
) -> Iterator[tuple[str, Entry]]:
    """The path and the entry of each of these files."""
    for results in executor(len(sources)).run(read_entries, sources, (folder, symbols), _CHUNK):
        for data in results:
            yield data[0], unpack_entry(data)
