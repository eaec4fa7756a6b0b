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
from generator.kinds.models import make_model
from generator.kinds.record import Record
from generator.kinds.types import Name, Part, Slugs, Url
from generator.model.checks import DuplicateKeys
from generator.model.checks.duplicates import make_duplicate_keys
from generator.model.kind import Counted, Kind
from generator.model.kinds import kind_for
from generator.model.link import check_records, link_logo
from generator.model.symbols import Symbols
from generator.model.tables.coverage import coverage_numbers, number_fields
from generator.model.tables.table import Row, pack_row, unpack_row
from generator.model.validate import read_model
from generator.outputs.records import render_record
from generator.problems.diagnostic import Diagnostic, Packed
from generator.problems.faults import Fault
from generator.published.content.read import blob_id, diagnose_record
from generator.search.terms import added_terms, terms_from_model


class GoodRecord(NamedTuple):
    """A record without errors: its row, what duplicates are found by, and the codes that it
    accepts.
    """

    row: Row
    duplicate_keys: DuplicateKeys
    accepts: tuple[str, ...]


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
#: The texts of records, made while their models are at hand (see `Table`).
Rendered = list[tuple[bytes, ...]]


def read_packed(sources: list[tuple[str, str]], shared: Shared) -> tuple[list[Any], Rendered]:
    """What `read_entries` returns as plain data, for another process."""
    entries, rendered = read_entries(sources, shared)
    return list(map(_packed, entries)), rendered


def read_entries(
    sources: list[tuple[str, str]], shared: Shared
) -> tuple[list[FileEntry], Rendered]:
    """The entries of (slug, path) of one collection, and the texts of their records."""
    folder, symbols, renders, planned = shared
    kinds = symbols.grammar.kinds
    content = Content(folder, kinds, planned=planned)
    kind = kind_for(kinds[sources[0][1].partition("/")[0]])
    read = read_files(content, map(Source._make, sources), symbols.model(kind.collection))
    rendered: Rendered = []
    entries = make_entries(read, content, kind, symbols, rendered if renders else None)
    return list(entries), rendered


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
    read: Sequence[FileRead],
    content: Content,
    kind: Kind,
    symbols: Symbols,
    rendered: Rendered | None = None,
) -> Iterator[FileEntry]:
    """The entry of each file; `rendered` is that of `make_record`."""
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
            record = make_record(kind, source.slug, model, symbols, rendered)
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
    rendered: Rendered | None = None,
    counts: Counted | None = None,
) -> GoodRecord:
    """What is kept of a valid record.  Its texts are added to `rendered`, and its row has their
    number there; without `rendered` the record is only checked.
    """
    counts, number = kind.uncounted if counts is None else counts, 0
    if rendered is not None:
        number = len(rendered)
        summary = kind.summary(slug, model, symbols, counts)
        document = render_record(kind, model, symbols, summary, counts).data
        words = terms_from_model(kind.collection, model, symbols)
        terms = (text.encode() for text in (words, *added_terms(slug, model.__dict__)))
        rendered.append((orjson.dumps(summary), document, *terms))
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
        number,
    )
    return GoodRecord(row, make_duplicate_keys(kind, model), tuple(model.accept or ()))


def _packed(entry: FileEntry) -> tuple[Any, ...]:
    """An entry as plain data."""
    record = entry.record
    if record is None:
        return tuple(entry)
    plain = pack_row(record.row), tuple(record.duplicate_keys), record.accepts
    return *entry[:-1], plain


def with_texts(entry: FileEntry, first: int) -> FileEntry:
    """An entry of `read_entries`, whose first texts have the number `first` now."""
    record = entry.record
    if record is None or not first:
        return entry
    row = record.row._replace(texts=first + record.row.texts)
    return entry._replace(record=record._replace(row=row))


def unpack_entry(data: Any) -> FileEntry:
    """The entry from data of `read_packed`."""
    if data[-1] is None:
        return FileEntry(*data)
    path, blob, problems, logos, (plain, keys, accepts) = data
    record = GoodRecord(unpack_row(plain), DuplicateKeys(*keys), accepts)
    return FileEntry(path, blob, problems, logos, record)
