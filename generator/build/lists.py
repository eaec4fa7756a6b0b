"""The pages of lists, and what stands where records and lists of former slugs were."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from generator.api.artifact import Artifact
from generator.api.grammar import Grammar, Slice
from generator.api.listing import rows_in
from generator.build.executors import Executor
from generator.build.files import Files
from generator.build.report import Cause, Follows, Values
from generator.build.scope import Aliases
from generator.build.write import Written
from generator.hosts._patterns import former
from generator.outputs.pages import length, page, pages_of, rows_of, slices
from generator.outputs.records import moved, moved_page
from generator.records.symbols import Symbols
from generator.search.format import filter_key, packed_numbers, pages_key
from generator.search.index import Index
from generator.search.manifest import Part, Seal
from generator.tables.facets import declared
from generator.tables.patch import Patch, key_of
from generator.tables.table import Registry, Row, Table

#: Lists, or parts of indexes, that one worker writes before it says so; and into how many such
#: chunks few of them are divided.
_CHUNK, _SHARES = 64, 32
#: Pages of one list that are written in one go.
_MOST = 256


class Pages(NamedTuple):
    """The pages of a slice to write, by their numbers, and why; `last` is how many it has."""

    table: Table
    part: Slice
    rows: Sequence[int]
    numbers: Sequence[int]
    last: int
    cause: Cause

    def cut(self) -> Iterator[Pages]:
        """The same, so many at a time that no worker has them all."""
        for start in range(0, max(1, len(self.numbers)), _MOST):
            yield self._replace(numbers=self.numbers[start : start + _MOST])

    @property
    def surface(self) -> str:
        """What they are counted as."""
        name, part = self.table.collection.name, self.part
        if part.filter is not None:
            return f"{name}/{part.filter if part.filter in part.collection.virtual else 'by'}"
        return f"{name}/sort/{part.sort}" if part.sort else f"{name}/list"


def pages(
    patch: Patch, registry: Registry, old: Symbols | None, *, new_day: bool = False
) -> Iterator[Pages]:
    """Every page of every slice of a table that is new (no `old` symbols); else those that a patch
    touches, and those of slices that are others for what they refer to, or for the day.
    """
    table, size = patch.table, registry.settings.page_size
    known = declared(table.collection, registry.symbols)
    touched = _touched(patch, registry.symbols, old) if old is not None else {}
    if old is None or (new_day and table.collection.virtual):
        # Besides those that the patch touches: one of them may be gone, and have files all the
        # same.
        day = Values(("as_of",))
        touched |= {
            part: (None, day) for part, _ in slices(table, registry.symbols, registry.as_of)
        }
    for part, (positions, cause) in touched.items():
        rows = rows_of(table, part, registry.as_of)
        last = pages_of(part, rows, known, size)
        numbers: Sequence[int] = range(1, last + 1)
        if positions is not None:
            numbers = sorted({position // size + 1 for position in positions})
        yield Pages(table, part, rows, numbers, last, cause)


def _touched(
    patch: Patch, symbols: Symbols, old: Symbols
) -> dict[Slice, tuple[set[int] | None, Cause]]:
    """The slices that are others, with the positions whose pages are (None: all), and why."""
    collection = patch.table.collection
    parts: dict[Slice, tuple[set[int] | None, Cause]] = {}
    for order, positions in patch.touched.items():
        name, _, value = order.partition("/")
        if name not in (collection.prepared_filters if value else collection.prepared_sorts):
            continue
        sort = "" if name == collection.sorts[0] else name
        part = Slice(collection, name, value) if value else Slice(collection, sort=sort)
        parts[part] = positions, Follows(collection.record_path(patch.toucher[order]))
    for f in collection.filters.values():
        if f.refers:
            path = symbols.grammar.collections[f.refers].record_path
            for slug in old.targets(f.refers).keys() ^ symbols.targets(f.refers).keys():
                parts[Slice(collection, f.name, slug)] = None, Follows(path(slug))
    if parts:
        _, first = next(iter(parts.values()))
        parts |= {part: (None, first) for _, part in collection.virtual_slices()}
    return parts


def _drop_shorter(files: Files, every: Iterable[Pages]) -> None:
    """Remove the pages of lists that have fewer now."""
    if files.before is None:
        return
    for one in every:
        for number in _held(files, one.part):
            if number > one.last:
                files.drop(one.surface, one.part.path(number), one.cause)


def showing(table: Table, number: int, registry: Registry) -> Iterator[str]:
    """The paths of the pages that show a row, by its number in a recalled table."""
    row, collection, size = table.rows[number], table.collection, registry.settings.page_size
    parts = [Slice(collection, sort=sort) for sort in collection.prepared_sorts]
    for name, _, value in (facet.partition("/") for facet in row.facets):
        if name in collection.prepared_filters:
            parts.append(Slice(collection, name, value))
    for part in parts:
        yield part.path(_place(table, part, row) // size + 1)
    for _, part in collection.virtual_slices():
        rows = rows_of(table, part, registry.as_of)
        if number in rows:
            yield part.path(rows.index(number) // size + 1)


def _place(table: Table, part: Slice, row: Row) -> int:
    """Where a row stands in a slice."""
    key = key_of(table, part.order)
    return bisect_left(table.positions(part), key(row), key=lambda i: key(table.rows[i]))


#: By collection: the checks of the prepared pages of each list, packed, by the key that names it in
#: the index and the number of the first of them.
PageChecks = Mapping[str, Mapping[str, Mapping[int, bytes]]]


class Work(NamedTuple):
    """What is written in any order, by its number: the pages first, then the parts of indexes.

    With `checked`, the checks of pages are told, which an index has; `known` has those of pages
    that are written.
    """

    registry: Registry
    pages: Sequence[Pages]
    indexed: Sequence[tuple[Index, Part]]
    write: Callable[[Artifact], Sequence[Written]]
    checked: bool
    known: PageChecks


class Checks(NamedTuple):
    """Those of pages, and by collection those of each part of the index."""

    pages: dict[str, dict[str, dict[int, bytes]]]
    parts: dict[str, dict[Part, Seal]]


#: What came of a part: its number, its check where it is of an index, else those of its pages, and
#: what was written.
_Done = tuple[int, Any, Sequence[Written]]


def begin(
    registry: Registry,
    pages: Iterable[Pages],
    indexes: Iterable[Index],
    files: Files,
    executor: Executor,
    *,
    checked: bool = False,
    known: PageChecks | None = None,
) -> tuple[Work, Iterator[list[_Done]]]:
    """Begin to write pages and all parts of indexes, and remove the pages of shorter lists; what is
    done, and what comes of it, which `account` takes.
    """
    # The longest slices first, so that no worker is left alone with one at the end.
    every = sorted((some for one in pages for some in one.cut()), key=lambda one: -len(one.rows))
    _drop_shorter(files, every)
    parts = [(index, part) for index in indexes for part in index.parts()]
    work = Work(registry, every, parts, files.write, checked, known or {})
    items = range(len(every) + len(parts))
    return work, executor.run(write_parts, items, work, min(_CHUNK, 1 + len(items) // _SHARES))


def write_parts(numbers: list[int], work: Work) -> list[_Done]:
    """Write the parts of these numbers."""
    return [
        _write_pages(number, work) if number < len(work.pages) else _write_part(number, work)
        for number in numbers
    ]


def _write_pages(number: int, work: Work) -> _Done:
    of, registry = work.pages[number], work.registry
    written: list[Written] = []
    checks: list[int] = []
    for which in of.numbers:
        artifact = page(
            of.part,
            which,
            of.rows,
            of.table.summaries,
            registry.settings.page_size,
            registry.symbols.grammar,
            registry.as_of,
        )
        written.extend(work.write(artifact))
        if work.checked:
            checks.append(crc32(rows_in(artifact.data)))
    return number, packed_numbers("I", checks), written


def _write_part(number: int, work: Work) -> _Done:
    index, part = work.indexed[number - len(work.pages)]
    artifacts, seal = index.render(part, work.known.get(index.collection.name, {}))
    return number, seal, [written for artifact in artifacts for written in work.write(artifact)]


def account(work: Work, results: Iterable[list[_Done]], files: Files) -> Checks:
    """Take note of what was written; what it is checked by."""
    checks = Checks({}, {index.collection.name: {} for index, _ in work.indexed})
    for result in results:
        for number, check, written in result:
            if number >= len(work.pages):
                index, part = work.indexed[number - len(work.pages)]
                checks.parts[index.collection.name][part] = check
                files.account("index", written, Follows(Slice(index.collection).path()))
                continue
            of = work.pages[number]
            files.account(of.surface, written, of.cause)
            if check:
                lists = checks.pages.setdefault(of.table.collection.name, {})
                name, value = of.part.filter, of.part.value or ""
                key = pages_key(filter_key(name, value) if name else of.part.sort)
                lists.setdefault(key, {})[of.numbers[0]] = check
    return checks


def _held(files: Files, part: Slice) -> list[int]:
    """The numbers of the pages of a list that were there."""
    return sorted({int(name.partition(".")[0]) for name in files.held(f"{part.folder}/page")})


# --- former slugs ---


def _owners(aliases: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {alias: slug for slug, of in aliases.items() for alias in of}


def drop_moved(files: Files, grammar: Grammar, was: Aliases, now: Aliases) -> None:
    """Remove what stands for aliases that are none any more."""
    for name, records in now.items():
        collection, before = grammar.collections[name], _owners(was[name])
        for alias in sorted(before.keys() - _owners(records).keys()):
            cause = Follows(collection.record_path(before[alias]))
            files.drop(f"{name}/moved", collection.record_path(alias), cause)
            for part in grammar.lists_of(collection, alias):
                for number in _held(files, part):
                    files.drop(f"{part.collection.name}/moved", part.path(number), cause)


def write_moved(files: Files, grammar: Grammar, was: Aliases, now: Aliases) -> None:
    """Write what stands where records were whose slug is an alias now."""
    for name, records in now.items():
        collection, before = grammar.collections[name], _owners(was[name])
        for alias, slug in sorted(_owners(records).items()):
            if before.get(alias) != slug:
                for artifact in moved(collection, slug, [alias], grammar):
                    cause = Follows(collection.record_path(slug))
                    files.put(f"{name}/moved", artifact, cause)


def write_moved_pages(
    files: Files, registry: Registry, was: Aliases, now: Sequence[tuple[str, str, str]]
) -> None:
    """Write what stands at the lists of former slugs: as many pages as the present slug's list has.
    `now` has (collection, alias, slug).
    """
    grammar = registry.symbols.grammar
    known = {
        grammar.collections[name].record_path(alias): slug
        for name, records in was.items()
        for alias, slug in _owners(records).items()
    }
    for record, before, after in former(grammar, now):
        surface, held = f"{before.collection.name}/moved", _held(files, before)
        last, cause = length(registry, after), Follows(after.path())
        if known.get(record) == after.value and len(held) == last:
            continue
        for number in range(1, last + 1):
            files.put(surface, moved_page(before, after, number, grammar), cause)
        for number in held:
            if number > last:
                files.drop(surface, before.path(number), cause)
