"""What one build reads, and what it knows without reading: of all of the content nothing, and else
what the last build left (see generator.build.affected).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.api.diagnostic import Diagnostic
from generator.api.names import KIND_OF
from generator.build import inventory, read
from generator.build.gathered import Gathered
from generator.build.head import Head
from generator.build.load import (
    Linked,
    counted,
    known_of,
    read_and_link,
    read_header,
    uses_of,
)
from generator.build.many import packed
from generator.build.marks import Noted
from generator.build.plain import LogDamaged
from generator.build.report import Cause
from generator.disk.below import is_below
from generator.records.checks import AS_TOLD, Known, Mark
from generator.records.checks.twins import related
from generator.records.folder import (
    COLLECTIONS,
    REMOVED_FILE,
    Content,
    Source,
    is_record,
    scan,
)
from generator.records.kinds import KINDS
from generator.records.symbols import Symbols
from generator.records.validate import read_model
from generator.tables.patch import Patch, position
from generator.tables.table import Table

if TYPE_CHECKING:
    from generator.build.changes import Changes

#: What checks across records say of slices, and all that they say of files that are good.
OF_SLICES = "similar-tag", "city-elsewhere"
ACROSS = *OF_SLICES, "same-record"

#: collection -> slug -> its aliases
Aliases = Mapping[str, Mapping[str, tuple[str, ...]]]


class Last(NamedTuple):
    """What the last build left: nothing, where all is built."""

    head: Head | None = None
    changes: Changes | None = None
    symbols: Symbols | None = None
    tables: Mapping[str, Table] = {}
    marks: Mapping[str, Noted] = {}

    @property
    def documents(self) -> Mapping[str, list[str]]:
        """The paths of each output that is rendered whole."""
        return self.head.documents if self.head is not None else {}

    @property
    def aliases(self) -> Aliases:
        return self.head.aliases if self.head is not None else {name: {} for name in COLLECTIONS}


class Scope(NamedTuple):
    """What one build reads, and what it knows without reading.

    `linked` has no records where none that others refer to changed; `sources` are the other records
    to read, `gone` those that there were; `records` counts all that there are.  `problems` are of
    what has been read, and of files that are as they were.  `causes` says of files of records why
    they may be others.
    """

    content: Content
    linked: Linked
    sources: Sequence[Source]
    gone: Mapping[str, set[str]]
    records: Mapping[str, int]
    problems: Sequence[Diagnostic]
    causes: Mapping[str, Cause] = {}
    last: Last = Last()

    @property
    def whole(self) -> bool:
        return self.last.head is None

    @property
    def removed_changed(self) -> bool:
        """Whether the list of what was removed for good is another than it was."""
        if self.last.changes is None:
            return True
        return any(REMOVED_FILE in paths for paths in self.last.changes.content)

    @property
    def paths(self) -> dict[str, dict[str, str]]:
        """The files of the records that others refer to, by collection and slug."""
        if self.last.head is not None and not self.linked.referred:
            return self.last.head.sources
        return {
            name: {slug: source.path for slug, source in records.sources.items()}
            for name, records in self.linked.referred.items()
        }

    def models(self, name: str, patches: Mapping[str, Patch]) -> Mapping[str, Any]:
        """The programs or organizations to render: all where any changed, else those that show
        something of projects or events that did.  Raises LogDamaged.
        """
        if self.linked.referred or self.last.head is None:
            return self.linked.referred[name].models
        return _recounted(self, name, patches, self.last.head.sources[name])

    def known(
        self, gathered: Mapping[str, Gathered], patches: Mapping[str, Patch]
    ) -> dict[str, Known]:
        """What checks across records look at: of what has been read, with what is as it was, and of
        that only the marks of which something may be said anew.
        """
        known = {}
        for name, done in gathered.items():
            slugs, marks = set(done.rows.slugs), done.marks.known()
            gone = self.gone[name] | (self._read(name) - slugs)  # of a fault nothing came
            live = _Live(self.last, name, slugs, gone)
            fresh = None
            if not self.whole:
                was = self.last.marks[name]
                changed = (gone | live.fresh) - self._as_marked(name, marks)
                now = {slug: mark for slug, mark in marks.items() if slug in changed}
                before = was.like([*was.some(changed).values(), *now.values()])
                kept = {slug: mark for slug, mark in before.items() if slug not in changed}
                fresh = related(before, kept | {**marks}, changed)
                # What is said of these depends on those that are like them.
                others = was.like([kept[slug] for slug in fresh if slug in kept])
                kept |= {slug: mark for slug, mark in others.items() if slug not in changed}
                marks = kept | {**marks}
            table = patches[name].table
            uses = AS_TOLD if self._as_used(name, patches[name]) else uses_of(table)
            known[name] = Known(live, {}, table.aliases, marks, uses, fresh=fresh)
        return known | {name: known_of(name, of) for name, of in self.linked.referred.items()}

    def without_row(self, name: str, done: Gathered) -> set[str]:
        """The records that have a row in the table of the last build and none now: those that are
        gone, and those that have an error.
        """
        faulty = self._read(name) - set(done.rows.slugs)
        table = self.last.tables.get(name)
        return self.gone[name] | {
            slug for slug in faulty if table is not None and position(table, slug) is not None
        }

    def _as_marked(self, name: str, marks: Mapping[str, Mark]) -> set[str]:
        """Of records whose files changed where they lie, those with the marks that they had, of
        whose files nothing was said that is to be said anew.
        """
        if self.last.changes is None:
            return set()
        again = {path for code, path in self._unsaid if code == "same-record"}
        stay = {
            Path(path).stem
            for path in self.last.changes.content.changed
            if path.startswith(f"{name}/") and self.content.shown(path) not in again
        }
        return {
            slug
            for slug, mark in self.last.marks[name].some(stay).items()
            if marks.get(slug) == mark
        }

    def _as_used(self, name: str, patch: Patch) -> bool:
        """Whether each slice has the records that it had, under its name, and nothing was said of
        slices that is to be said anew.
        """
        before = self.last.tables.get(name)
        return (
            before is not None
            and not patch.regrouped
            and patch.table.labels == before.labels
            and not any(
                code in OF_SLICES and path.startswith(self.content.shown(f"{name}/"))
                for code, path in self._unsaid
            )
        )

    @property
    def _unsaid(self) -> set[tuple[str, str]]:
        """What the last build said across records of files that are read again: code and path."""
        last = self.last.head.problems if self.last.head is not None else ()
        said, still = (
            {(p.code, p.path) for p in some if p.code in ACROSS} for some in (last, self.problems)
        )
        return said - still

    def _read(self, name: str) -> set[str]:
        """The records of a collection that are read again, of all that there were."""
        if self.whole:
            return set()
        return {source.slug for source in self.sources if source.path.startswith(f"{name}/")}

    def marks(
        self, gathered: Mapping[str, Gathered], known: Mapping[str, Known]
    ) -> dict[str, Noted]:
        """The marks of all records, for the next build."""
        marks = {
            name: Noted.of(done.marks)
            if self.whole
            else self.last.marks[name].patched(done.marks.known(), self.gone[name])
            for name, done in gathered.items()
        }
        marks |= {name: Noted.of(known[name].marks) for name in self.linked.referred}
        return {**self.last.marks, **marks}

    def retold(self, problem: Diagnostic, known: Mapping[str, Known]) -> bool:
        """Whether checks across records say anew what the last build said."""
        if problem.code not in ACROSS:
            return False
        return any(
            problem.path.startswith(self.content.shown(f"{name}/"))
            and (
                names.uses is not AS_TOLD
                if problem.code in OF_SLICES
                else names.fresh is not None and Path(problem.path).stem in names.fresh
            )
            for name, names in known.items()
        )

    def inputs(self, seen: Iterable[read.Seen], began: int) -> dict[str, inventory.Folder]:
        """The inventory of the content, with the files that have been read."""
        settled = ((path, inventory.settled(stat, began), digest) for path, stat, digest in seen)
        changes = self.last.changes
        if changes is None:
            return inventory.of_inputs(self.content.names, settled)
        noted: dict[str, tuple[inventory.Stat, bytes]] = {
            path: (stat, digest) for path, stat, digest in settled
        }
        unread = inventory.NO_STAT, inventory.NO_DIGEST
        added: dict[str, tuple[inventory.Stat, bytes] | None] = dict.fromkeys(
            changes.content.added, unread
        )
        removed = dict.fromkeys(changes.content.removed)
        return inventory.patched(changes.inputs, added | removed | noted, inventory.INPUT)


def everything(folder: str, today: str) -> Scope:
    """All of a content folder."""
    content = scan(folder)
    sources = packed(content)
    header, told = read_header(content)
    linked, wrong = read_and_link(content, header, header.settings.grammar(), today)
    problems = [*content.problems, *read.astray(content), *told, *wrong]
    gone: dict[str, set[str]] = {name: set() for name in COLLECTIONS}
    return Scope(content, linked, sources, gone, counted(content), problems)


def _recounted(
    scope: Scope, name: str, patches: Mapping[str, Patch], paths: Mapping[str, str]
) -> dict[str, Any]:
    """The programs, or organizations, of projects that came, went or have other facets, and of
    events that changed.  Raises LogDamaged.
    """
    facets = patches["projects"].regrouped | patches["events"].touched.keys()
    model = scope.linked.symbols.model(KINDS[name])
    models = {}
    for slug in paths:
        if f"{KIND_OF[name]}/{slug}" not in facets:
            continue
        if not is_below(paths[slug]) or not is_record(paths[slug]):
            raise LogDamaged
        taken = scope.content.take(paths[slug])
        if isinstance(taken, Diagnostic):
            raise LogDamaged
        models[slug] = read_model(taken.raw, model)[0]
        if models[slug] is None:
            raise LogDamaged
    return models


class _Live:
    """The slugs of a collection, looked up without reading its table.

    What was an alias in the last build, which was good, is live only where a record of that slug
    has come since.
    """

    def __init__(self, last: Last, name: str, fresh: set[str], gone: set[str]):
        self.fresh, self.table = fresh, last.tables.get(name)
        self.none = gone | {alias for of in last.aliases[name].values() for alias in of}

    def __contains__(self, slug: object) -> bool:
        if slug in self.fresh:
            return True
        known = isinstance(slug, str) and slug not in self.none and self.table is not None
        return known and position(self.table, slug) is not None  # type: ignore[arg-type]
