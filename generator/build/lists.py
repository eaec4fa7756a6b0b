"""The pages of lists, and what stands where records and lists of former slugs were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

from generator.build.cache.store import Cache
from generator.build.executors import Executor
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.records import Touched
from generator.build.report import Cause, Follows, Values
from generator.contract.artifact import Artifact
from generator.contract.listing import rows_in
from generator.disk.digests import digest
from generator.grammar.grammar import Slice
from generator.hosts._patterns import former
from generator.model.tables.facets import declared
from generator.model.tables.table import Registry, Table
from generator.outputs.pages import length, page, pages_of, slices
from generator.outputs.records import moved, moved_page
from generator.search.format import filter_key, packed_numbers, pages_key

#: Lists that one worker writes before it reports; and into how many such chunks few are divided.
_CHUNK, _SHARES = 64, 32
#: Pages of one list that are written together.
_MOST = 256
#: Bytes of a digest, and of a page's check.
_KEY, _CHECK = 16, 4


class Listed(NamedTuple):
    """The pages of a slice: the numbers of its rows, a digest of all that each page shows, and
    which are to be written.
    """

    table: Table
    part: Slice
    rows: Sequence[int]
    keys: bytes
    stale: Sequence[int]

    @property
    def surface(self) -> str:
        """What the pages are counted as."""
        name, part = self.table.collection.name, self.part
        if part.filter is not None:
            return f"{name}/{part.filter if part.filter in part.collection.virtual else 'by'}"
        return f"{name}/sort/{part.sort}" if part.sort else f"{name}/list"

    @property
    def paths(self) -> list[str]:
        """The paths of all pages."""
        return [self.part.path(number) for number in range(1, len(self.keys) // _KEY + 1)]


class Work(NamedTuple):
    """Pages of some lists, and what writes them."""

    registry: Registry
    lists: Sequence[Listed]
    write: Callable[[Artifact], Sequence[Written]]


#: collection -> what the index calls a list -> the CRC-32 of the rows of each of its pages, packed.
PageChecks = dict[str, dict[str, bytes]]


class Pages:
    """The pages of all lists of some tables: those that differ are written from when this is made,
    by workers, and counted by `account`.
    """

    def __init__(
        self,
        registry: Registry,
        settings: bytes,
        files: Files,
        cache: Cache,
        workers: Callable[[int], Executor],
    ):
        self.files, self.cache, self.lists = files, cache, list[Listed]()
        #: By path of the folder of a list: the keys of its pages, and their checks.
        self.known: dict[str, tuple[bytes, bytes]] = {}
        for table in registry.tables:
            self.known |= cache.get(f"pages/{table.collection.name}") or {}
            self.lists += self._listed(table, registry, settings)
        # The longest lists first, so that no worker is left alone with one at the end.
        cut = sorted(_cut(self.lists), key=lambda some: -len(some.rows))
        self.work = Work(registry, cut, files.write)
        executor, size = (
            workers(sum(len(some.stale) for some in cut)),
            min(_CHUNK, 1 + len(cut) // _SHARES),
        )
        self.results = executor.run(write_pages, range(len(cut)), self.work, size)

    def _listed(self, table: Table, registry: Registry, settings: bytes) -> Iterator[Listed]:
        size, as_of = registry.settings.page_size, registry.as_of
        known = declared(table.collection, registry.symbols)
        day = as_of.isoformat().encode() if table.collection.virtual else b""
        for part, rows in slices(table, registry.symbols, as_of):
            last, count = pages_of(part, rows, known, size), len(rows).to_bytes(4, "big")
            shown = [*map(table.digests.__getitem__, rows)]
            keys = b"".join(
                digest(settings, day, count, *shown[start : start + size])
                for start in range(0, last * size, size)
            )
            was, before = self.known.get(part.folder, (b"", b""))[0], self.files.before
            stale = [
                number
                for number in range(1, last + 1)
                if was[(number - 1) * _KEY : number * _KEY]
                != keys[(number - 1) * _KEY : number * _KEY]
                or part.path(number) not in before
            ]
            yield Listed(table, part, rows, keys, stale)

    def account(self, why: Mapping[str, Touched]) -> PageChecks:
        """Count the pages of all lists; their checks."""
        checks: dict[str, dict[int, int]] = {}
        for result in self.results:
            for number, written, some in result:
                one = self.work.lists[number]
                cause = self._cause(one, why)
                self.files.account(one.surface, written, cause)
                checks.setdefault(one.part.folder, {}).update(zip(one.stale, some, strict=True))
        found: PageChecks = {}
        noted: dict[str, dict[str, tuple[bytes, bytes]]] = {}
        for one in self.lists:
            stale, name = set(one.stale), one.table.collection.name
            kept = [path for n, path in enumerate(one.paths, 1) if n not in stale]
            self.files.keep(one.surface, kept)
            every = bytearray(self.known.get(one.part.folder, (b"", b""))[1])
            every = every[: len(one.paths) * _CHECK].ljust(len(one.paths) * _CHECK, b"\0")
            for n, check in checks.get(one.part.folder, {}).items():
                every[(n - 1) * _CHECK : n * _CHECK] = packed_numbers("I", (check,))
            noted.setdefault(name, {})[one.part.folder] = one.keys, bytes(every)
            of = one.part
            key = pages_key(filter_key(of.filter, of.value or "") if of.filter else of.sort)
            found.setdefault(name, {})[key] = bytes(every)
            for number in range(
                len(one.paths) + 1, len(self.known.get(of.folder, (b"",))[0]) // _KEY + 1
            ):
                self.files.goes(of.path(number), self._cause(one, why))
        for name, lists in noted.items():
            self.cache.put(f"pages/{name}", lists)
        for collection in {
            one.table.collection.name: one.table.collection for one in self.lists
        }.values():
            for facet, slug in why.get(collection.name, {}).items():
                cause = Follows(collection.record_path(slug))
                self.files.goes(f"{collection.root}/by/{facet}", cause)
        return found

    def _cause(self, one: Listed, why: Mapping[str, Touched]) -> Cause:
        """Why pages of a list differ."""
        collection, part = one.table.collection, one.part
        touched = why.get(collection.name, {})
        slug = touched.get(f"{part.filter}/{part.value}") or touched.get("")
        if part.filter in collection.virtual and slug is None:
            return Values(("as_of",))
        return Follows(collection.record_path(slug)) if slug is not None else self.files.other


def _cut(lists: Iterable[Listed]) -> Iterator[Listed]:
    """Lists with pages to write, so many at a time that no worker has them all."""
    for one in lists:
        for start in range(0, len(one.stale), _MOST):
            yield one._replace(stale=one.stale[start : start + _MOST])


def write_pages(numbers: Sequence[int], work: Work) -> list[tuple[int, list[Written], list[int]]]:
    """Write the pages of the lists of these numbers: what was written, and the check of each."""
    return [(number, *_write(work.lists[number], work)) for number in numbers]


def _write(one: Listed, work: Work) -> tuple[list[Written], list[int]]:
    registry = work.registry
    written: list[Written] = []
    checks: list[int] = []
    for number in one.stale:
        artifact = page(
            one.part,
            number,
            one.rows,
            one.table.summaries,
            registry.settings.page_size,
            registry.symbols.grammar,
            registry.as_of,
        )
        written.extend(work.write(artifact))
        checks.append(crc32(rows_in(artifact.data)))
    return written, checks


# --- former slugs ---


def write_moved(files: Files, registry: Registry) -> None:
    """Write what stands where records were whose slug is an alias now."""
    grammar = registry.symbols.grammar
    for table in registry.tables:
        collection = table.collection
        for slug, aliases in sorted(table.aliases.items()):
            for artifact in moved(collection, slug, aliases, grammar):
                cause = Follows(collection.record_path(slug))
                files.put(f"{collection.name}/moved", artifact, cause)


def write_moved_pages(
    files: Files, registry: Registry, aliases: Sequence[tuple[str, str, str]]
) -> None:
    """Write what stands at the lists of former slugs: as many pages as the present slug's list has.
    `aliases` has (collection, alias, slug).
    """
    grammar = registry.symbols.grammar
    for _, before, after in former(grammar, aliases):
        for number in range(1, length(registry, after) + 1):
            artifact = moved_page(before, after, number, grammar)
            files.put(f"{before.collection.name}/moved", artifact, Follows(after.path()))
