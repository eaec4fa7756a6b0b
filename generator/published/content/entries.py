"""Reads records: file -> model -> entry, which is what a registry keeps of the file.

Records of most kinds go this way at once, in any process, and only their entries stay; if others
refer to them, their names are read before (`read_names`).  Those of kinds that are `kept` wait as
models (`read_files`) until all are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson

from generator.dialect.document import YamlDocument
from generator.dialect.folder import Content, Planned, Source, is_utf8_name
from generator.feature import parts
from generator.grammar.filters import Facet
from generator.kinds.models import make_model
from generator.kinds.record import Record
from generator.kinds.types import Name, Part, Slugs, Url
from generator.model.checks import DuplicateKeys
from generator.model.checks.duplicates import make_duplicate_keys
from generator.model.kind import Counted, Kind
from generator.model.kinds import kind_for
from generator.model.link import check_records, link_logo
from generator.model.symbols import NamedPlace, Symbols
from generator.model.tables.coverage import coverage_numbers, number_fields
from generator.model.tables.table import Row
from generator.model.validate import read_model
from generator.outputs.records import render_record
from generator.problems.diagnostic import Diagnostic, Packed
from generator.problems.faults import Fault
from generator.published.content.read import blob_id, diagnose_record
from generator.search.terms import Terms, added_terms, terms_from_model


class GoodRecord(NamedTuple):
    """A record without errors: its row, what finds it, the codes that it accepts, and its published
    file, which is made while the model is at hand.
    If it is only checked, its row has no summary, nothing finds it, and the file is empty.
    """

    row: Row
    terms: Terms
    duplicate_keys: DuplicateKeys
    accepts: tuple[str, ...]
    document: bytes


class FileEntry(NamedTuple):
    """What is kept of one file: its id in git, its problems, the logos that it names, and its
    record, None if the file has an error.
    """

    path: str
    blob: bytes
    problems: tuple[Packed, ...]
    logos: tuple[str, ...]
    record: GoodRecord | None


class FileRead(NamedTuple):
    """A file as it was read: its bytes, or why it cannot be read; its model, None if it is not
    valid; its faults; and its document if the file had to be examined.
    """

    source: Source
    raw: bytes | Diagnostic
    model: Any = None
    faults: Sequence[Fault] = ()
    document: YamlDocument | None = None


class Named(NamedTuple):
    """What a reference needs of a record; `path` is that of its file."""

    path: str
    name: str
    website: str | None
    aliases: Sequence[str] | None


#: What all workers get: the content folder, the symbols, whether records are rendered or only
#: checked, and the planned files.
Shared = tuple[str, Symbols, bool, Planned]


def read_packed(sources: list[tuple[str, str]], shared: Shared) -> list[Any]:
    """The entries of `read_entries` as plain data, for another process."""
    return list(map(_packed, read_entries(sources, shared)))


def read_entries(sources: list[tuple[str, str]], shared: Shared) -> Iterator[FileEntry]:
    """The entries of (slug, path) of one collection."""
    folder, symbols, renders, planned = shared
    kinds = symbols.grammar.kinds
    content = Content(folder, kinds, planned=planned)
    kind = kind_for(kinds[sources[0][1].partition("/")[0]])
    read = read_files(content, map(Source._make, sources), symbols.model(kind.collection))
    return make_entries(read, content, kind, symbols, renders=renders)


def read_files(content: Content, sources: Iterable[Source], model: type[Record]) -> list[FileRead]:
    """The files of a collection."""
    taken = ((source, content.read_content(source.path)) for source in sources)
    return [
        FileRead(source, raw, *(read_model(raw, model) if isinstance(raw, bytes) else ()))
        for source, raw in taken
    ]


@cache
def _named_model() -> type[Any]:
    fields = {"name": (Name, ...), "website": (Url | None, None), "aliases": (Slugs | None, None)}
    return make_model(Part, fields, extra="ignore")


def read_names(
    content: Content, sources: Iterable[Source], known: Mapping[str, Named]
) -> dict[str, Named]:
    """Slug -> what a reference needs of each record that has a name.  `known` are those of files
    that are as they were, by path.
    """
    names: dict[str, Named] = {}
    for slug, path in sources:
        named = known.get(path)
        if named is None:
            raw = content.read_content(path)
            found = read_model(raw, _named_model())[0] if isinstance(raw, bytes) else None
            named = Named(path, found.name, found.website, found.aliases) if found else None
        if named is not None:
            names.setdefault(slug, named)
    return names


def make_entries(
    read: Sequence[FileRead], content: Content, kind: Kind, symbols: Symbols, *, renders: bool
) -> Iterator[FileEntry]:
    """The entry of each file."""
    models = {n: file.model for n, file in enumerate(read) if file.model is not None}
    linked = check_records(kind, models, symbols)
    for n, (source, raw, model, faults, document) in enumerate(read):
        if isinstance(raw, Diagnostic):
            yield FileEntry(source.path, b"", (raw.pack(),), (), None)
            continue
        logos, faults = set[str](), [*faults, *linked.get(n, ())]
        if model is not None:
            faults += link_logo(source.path, model, symbols, logos)
        problems, record = list[Diagnostic](), None
        if faults:
            problems = diagnose_record(content, source, kind, raw, faults, document, symbols)
        is_good = model is not None and all(fault.severity != "error" for fault in faults)
        # Other slugs are reported already, and JSON cannot hold them.
        if is_good and is_utf8_name(source.slug):
            record = make_record(kind, source.slug, model, symbols, renders=renders)
        packed = tuple(problem.pack() for problem in problems)
        yield FileEntry(source.path, blob_id(raw), packed, tuple(sorted(logos)), record)


_NO_EXTRAS: Mapping[str, Any] = {}
#: Feature -> the function that collects what it keeps of a record.
_COLLECTORS = {
    feature.name: module.collect
    for feature, module in parts("collect")
    if hasattr(module, "collect")
}


def make_record(
    kind: Kind,
    slug: str,
    model: Any,
    symbols: Symbols,
    counts: Counted | None = None,
    *,
    renders: bool = True,
) -> GoodRecord:
    """What is kept of a valid record."""
    counts = kind.uncounted if counts is None else counts
    summary, terms, document = dict[str, Any](), Terms(""), b""
    if renders:
        summary = kind.summary(slug, model, symbols, counts)
        document = _trimmed(render_record(kind, model, symbols, summary, counts).data)
        terms = find_terms(kind.collection, slug, model, symbols)
    key, ends = kind.sort_key(model)
    counted = symbols.cached(
        ("coverage", kind.collection), lambda: number_fields(kind.collection, symbols.grammar)
    )
    found = ((name, collect(kind, model, symbols)) for name, collect in _COLLECTORS.items())
    row = Row(
        slug,
        model.name,
        key,
        kind.numbers(slug, model, symbols, counts),
        ends,
        kind.facets(model, symbols),
        kind.places(model, symbols),
        tuple(model.aliases or ()),
        {name: collected for name, collected in found if collected is not None} or _NO_EXTRAS,
        coverage_numbers(model, counted),
        _trimmed(orjson.dumps(summary)),
    )
    keys = make_duplicate_keys(kind, model)
    return GoodRecord(row, terms, keys, tuple(model.accept or ()), document)


def _trimmed(data: bytes) -> bytes:
    """A copy without the room that `orjson.dumps` leaves after short texts, about 1 KiB."""
    return bytes(memoryview(data))


def find_terms(collection: str, slug: str, model: Any, symbols: Symbols) -> Terms:
    """What finds a record in a search."""
    return Terms(terms_from_model(collection, model, symbols), added_terms(slug, model.__dict__))


def _packed(entry: FileEntry) -> tuple[Any, ...]:
    """An entry as plain data."""
    record = entry.record
    if record is None:
        return tuple(entry)
    facets, places = (tuple(map(tuple, of)) for of in (record.row.facets, record.row.places))
    row = tuple(record.row._replace(facets=facets, places=places))  # type: ignore[arg-type]
    plain = (row, tuple(record.terms), tuple(record.duplicate_keys), *record[3:])
    return *entry[:-1], plain


class _Facets(dict[tuple[str, str], Facet]):
    """Equal facets of several records are one object."""

    def __missing__(self, plain: tuple[str, str]) -> Facet:
        self[plain] = made = Facet(*plain)
        return made


_facet, _place = _Facets().__getitem__, cache(NamedPlace._make)


def unpack_entry(data: Any) -> FileEntry:
    """The entry from data of `read_packed`.  Equal texts of several records are one object."""
    if data[-1] is None:
        return FileEntry(*data)
    path, blob, problems, logos, (plain, terms, keys, *others) = data
    row = Row(*plain)
    row = row._replace(
        facets=tuple(map(_facet, row.facets)),
        places=tuple(map(_place, row.places)),
        extras=row.extras or _NO_EXTRAS,
    )
    record = GoodRecord(row, Terms(*terms), DuplicateKeys(*keys), *others)
    return FileEntry(path, blob, problems, logos, record)
