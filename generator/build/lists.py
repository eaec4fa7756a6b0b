"""Writes the pages of all lists, and the files at the former paths of records and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

from generator.build.cache.store import Cache
from generator.build.executors import Executor
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.records import ChangedFacets
from generator.build.report import Cause, ChangedInputs, FromFile
from generator.contract.artifact import Artifact
from generator.contract.listing import rows_in
from generator.disk.digests import digest
from generator.grammar.grammar import Slice
from generator.hosts._patterns import former_lists
from generator.model.tables.facets import declared_values
from generator.model.tables.table import Registry, Table
from generator.outputs.pages import count_pages, list_length, render_page, slices
from generator.outputs.records import render_moved, render_moved_page
from generator.search.format import filter_key, pack_numbers, pages_key

#: Pages in a chunk of work; chunks are smaller if there would be fewer chunks than the second.
_CHUNK, _SHARES = 256, 32
#: Bytes of a digest, and of the check of a page.
_KEY, _CHECK = 16, 4


class PagedList(NamedTuple):
    """The pages of a slice: the numbers of its rows, a digest for each page (`keys`, joined), and
    the numbers of the pages to write (`stale`).
    """

    table: Table
    part: Slice
    rows: Sequence[int]
    keys: bytes
    stale: Sequence[int]

    @property
    def surface(self) -> str:
        """The surface that the pages are counted as."""
        name, part = self.table.collection.name, self.part
        if part.filter is not None:
            return f"{name}/{part.filter if part.filter in part.collection.virtual else 'by'}"
        return f"{name}/sort/{part.sort}" if part.sort else f"{name}/list"

    @property
    def index_key(self) -> str:
        """The name of the list in the search index."""
        part = self.part
        return pages_key(filter_key(part.filter, part.value or "") if part.filter else part.sort)

    @property
    def paths(self) -> list[str]:
        """The paths of all pages."""
        return [self.part.path(number) for number in range(1, len(self.keys) // _KEY + 1)]


class Work(NamedTuple):
    """The lists with pages to write, and the function that writes files."""

    registry: Registry
    lists: Sequence[PagedList]
    write: Callable[[Artifact], Sequence[Written]]


#: Collection -> `PagedList.index_key` -> the CRC-32 of the rows of each page, packed.
PageChecks = dict[str, dict[str, bytes]]


class Pages:
    """The pages of all lists.  Making this object starts workers that write the pages that differ;
    `account` waits for them and counts all pages.
    """

    def __init__(
        self,
        registry: Registry,
        settings: bytes,
        files: Files,
        cache: Cache,
        workers: Callable[[int], Executor],
    ):
        self.files, self.cache, self.lists = files, cache, list[PagedList]()
        #: Folder of a list -> keys and checks of its pages in the last build.
        self.known: dict[str, tuple[bytes, bytes]] = {}
        for table in registry.tables:
            self.known |= cache.get(f"pages/{table.collection.name}") or {}
            self.lists += self._listed(table, registry, settings)
        self.work = Work(registry, self.lists, files.write)
        stale = [(n, page) for n, listed in enumerate(self.lists) for page in listed.stale]
        size = min(_CHUNK, 1 + len(stale) // _SHARES)
        self.results = workers(len(stale)).run(write_pages, stale, self.work, size)

    def _listed(self, table: Table, registry: Registry, settings: bytes) -> Iterator[PagedList]:
        size, as_of = registry.settings.page_size, registry.as_of
        known = declared_values(table.collection, registry.symbols)
        day = as_of.isoformat().encode() if table.collection.virtual else b""
        for part, rows in slices(table, registry.symbols, as_of):
            pages, count = count_pages(part, rows, known, size), len(rows).to_bytes(4, "big")
            digests = [*map(table.digests.__getitem__, rows)]
            keys = b"".join(
                digest(settings, day, count, *digests[start : start + size])
                for start in range(0, pages * size, size)
            )
            last_keys, before = self.known.get(part.folder, (b"", b""))[0], self.files.before
            stale = [
                number
                for number in range(1, pages + 1)
                if last_keys[(number - 1) * _KEY : number * _KEY]
                != keys[(number - 1) * _KEY : number * _KEY]
                or part.path(number) not in before
            ]
            yield PagedList(table, part, rows, keys, stale)

    def account(self, why: Mapping[str, ChangedFacets]) -> PageChecks:
        """Count the pages of all lists; return their checks.  `why` is by collection."""
        checks = [bytearray(_CHECK * len(listed.paths)) for listed in self.lists]
        for packed, listed in zip(checks, self.lists, strict=True):
            last = self.known.get(listed.part.folder, (b"", b""))[1][: len(packed)]
            packed[: len(last)] = last
        for result in self.results:
            for number, page, written, check in result:
                listed = self.lists[number]
                self.files.account(listed.surface, written, self._cause(listed, why))
                checks[number][(page - 1) * _CHECK : page * _CHECK] = pack_numbers("I", (check,))
        all_checks: PageChecks = {}
        cached: dict[str, dict[str, tuple[bytes, bytes]]] = {}
        for packed, listed in zip(checks, self.lists, strict=True):
            name, folder, paths = listed.table.collection.name, listed.part.folder, listed.paths
            all_checks.setdefault(name, {})[listed.index_key] = bytes(packed)
            cached.setdefault(name, {})[folder] = listed.keys, bytes(packed)
            stale = set(listed.stale)
            kept = [path for number, path in enumerate(paths, 1) if number not in stale]
            self.files.keep(listed.surface, kept)
            last_pages = len(self.known.get(folder, (b"", b""))[0]) // _KEY
            for number in range(len(paths) + 1, last_pages + 1):
                self.files.note_removal(listed.part.path(number), self._cause(listed, why))
        for name, lists in cached.items():
            self.cache.put(f"pages/{name}", lists)
        for table in self.work.registry.tables:
            for facet, slug in why.get(table.collection.name, {}).items():
                cause = FromFile(table.collection.record_path(slug))
                self.files.note_removal(f"{table.collection.root}/by/{facet}", cause)
        return all_checks

    def _cause(self, listed: PagedList, why: Mapping[str, ChangedFacets]) -> Cause:
        """The cause of changed pages of a list."""
        collection, part = listed.table.collection, listed.part
        touched = why.get(collection.name, {})
        slug = touched.get(f"{part.filter}/{part.value}") or touched.get("")
        if part.filter in collection.virtual and slug is None:
            return ChangedInputs(("as_of",))
        return FromFile(collection.record_path(slug)) if slug is not None else self.files.other


def write_pages(
    pages: Sequence[tuple[int, int]], work: Work
) -> list[tuple[int, int, Sequence[Written], int]]:
    """Write pages, given by the numbers of list and page: both, the written file and its check."""
    results = []
    registry = work.registry
    for number, page in pages:
        listed = work.lists[number]
        artifact = render_page(
            listed.part,
            page,
            listed.rows,
            listed.table.summaries,
            registry.settings.page_size,
            registry.symbols.grammar,
            registry.as_of,
        )
        results.append((number, page, work.write(artifact), crc32(rows_in(artifact.data))))
    return results


# --- former slugs ---


def write_moved(files: Files, registry: Registry) -> None:
    """Write the files at the former paths of renamed records."""
    grammar = registry.symbols.grammar
    for table in registry.tables:
        collection = table.collection
        for slug, aliases in sorted(table.aliases.items()):
            for artifact in render_moved(collection, slug, aliases, grammar):
                cause = FromFile(collection.record_path(slug))
                files.put(f"{collection.name}/moved", artifact, cause)


def write_moved_pages(
    files: Files, registry: Registry, aliases: Sequence[tuple[str, str, str]]
) -> None:
    """Write the pages at the former paths of lists, as many as the list of the current slug has.

    `aliases` has (collection, alias, slug).
    """
    grammar = registry.symbols.grammar
    for _, before, after in former_lists(grammar, aliases):
        for number in range(1, list_length(registry, after) + 1):
            artifact = render_moved_page(before, after, number, grammar)
            files.put(f"{before.collection.name}/moved", artifact, FromFile(after.path()))
