"""Reads records: file -> model -> entry, which is what a registry keeps of the file.

Projects and events go this way at once, in any process, and only their entries stay.  Programs and
organizations wait as models (`read_files`) until all are read, because they refer to each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from sys import intern
from typing import Any, NamedTuple

from generator.dialect.document import YamlDocument
from generator.dialect.folder import Content, Planned, Source, is_utf8_name
from generator.grammar.filters import Facet
from generator.grammar.grammar import Collection
from generator.kinds.record import Record as RecordFields
from generator.model.checks import DuplicateKeys
from generator.model.checks.duplicates import make_duplicate_keys
from generator.model.kind import Kind
from generator.model.kinds import KINDS
from generator.model.link import check_records, link_logo
from generator.model.symbols import Symbols
from generator.model.tables.table import Row, Table, tabulate
from generator.model.validate import read_model
from generator.problems.diagnostic import Diagnostic, Packed
from generator.problems.faults import Fault
from generator.published.content.digest import blob_id
from generator.published.content.read import diagnose_record
from generator.published.content.rows import render, row_to_check
from generator.search.terms import Terms, terms_from_model


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
    """A file as it was read: its model, None if it is not valid, its faults, and its document if
    the file had to be examined.
    """

    source: Source
    raw: bytes
    model: Any
    faults: list[Fault]
    document: YamlDocument | None


class Gathered(NamedTuple):
    """What checks across records and tables need of the good records of a collection: their table;
    by slug the duplicate keys, the codes that a record accepts and what finds it in a search; and
    the logos that records name.
    """

    table: Table
    duplicate_keys: Mapping[str, DuplicateKeys]
    accepts: Mapping[str, Sequence[str]]
    logos: Set[str]
    terms: Mapping[str, Terms]


#: What all workers get: the content folder, the symbols, whether records are rendered or only
#: checked, and the planned files.
Shared = tuple[str, Symbols, bool, Planned]


def read_entries(sources: list[tuple[str, str]], shared: Shared) -> list[Any]:
    """The entries of (slug, path) of one collection, as plain data."""
    folder, symbols, renders, planned = shared
    content, kind = Content(folder, planned=planned), KINDS[sources[0][1].partition("/")[0]]
    read, unreadable = read_files(
        content, map(Source._make, sources), symbols.model(kind.collection)
    )
    return unreadable + make_entries(read, content, kind, symbols, renders=renders)


def read_files(
    content: Content, sources: Iterable[Source], model: type[RecordFields]
) -> tuple[list[FileRead], list[Any]]:
    """The files of a collection, and the entries of those that cannot be read, as plain data."""
    read, unreadable = list[FileRead](), list[Any]()
    for source in sources:
        taken = content.read_content(source.path)
        if isinstance(taken, Diagnostic):
            unreadable.append((source.path, b"", (taken.pack(),), (), None))
        else:
            read.append(FileRead(source, taken, *read_model(taken, model)))
    return read, unreadable


class _Facets(dict[tuple[str, str], Facet]):
    """Equal facets of several records are one object."""

    def __missing__(self, plain: tuple[str, str]) -> Facet:
        self[plain] = made = Facet(*plain)
        return made


_facet = _Facets().__getitem__
_NO_EXTRAS: Mapping[str, Any] = {}


def unpack_entry(data: Any) -> FileEntry:
    """The entry from data of `read_entries`.  Equal texts of several records are one object."""
    path, blob, problems, logos, record = data
    if record is None:
        return FileEntry(*data)
    slug, name, key, numbers, ends, facets, labels, aliases, extras, *rest = record[0]
    facets = tuple(map(_facet, facets))
    labels = tuple((intern(place), intern(label)) for place, label in labels)
    extras = extras or _NO_EXTRAS
    row = Row(slug, name, key, numbers, ends, facets, labels, aliases, extras, *rest)
    terms, keys, *others = record[1:]
    return FileEntry(
        path, blob, problems, logos, GoodRecord(row, Terms(*terms), DuplicateKeys(*keys), *others)
    )


def make_entries(
    read: Sequence[FileRead], content: Content, kind: Kind, symbols: Symbols, *, renders: bool
) -> list[Any]:
    """The entry of each file, as plain data."""
    entries = list[Any]()
    linked = check_records(kind, [r.model for r in read if r.model is not None], symbols)
    number = -1
    for one in read:
        faults, logos = list(one.faults), set[str]()
        if one.model is not None:
            number += 1
            faults += linked.get(number, ())
            faults += link_logo(one.source.path, one.model, symbols, logos)
        problems = (
            diagnose_record(content, one.source, kind, one.raw, faults, one.document, symbols)
            if faults
            else []
        )
        is_good = one.model is not None and all(fault.severity != "error" for fault in faults)
        record = None
        # Other slugs are reported already, and JSON cannot hold them.
        if is_good and is_utf8_name(one.source.slug):
            record = tuple(_record(kind, one.source.slug, one.model, symbols, renders))
        packed = tuple(problem.pack() for problem in problems)
        logos_named = tuple(sorted(logos))
        entries.append((one.source.path, blob_id(one.raw), packed, logos_named, record))
    return entries


def _record(kind: Kind, slug: str, model: Any, symbols: Symbols, renders: bool) -> GoodRecord:
    if renders:
        row, artifact = render(kind, slug, model, symbols)
        terms, document = find_terms(kind.collection, slug, model, symbols), _trimmed(artifact.data)
    else:
        row, terms, document = row_to_check(kind, slug, model, symbols), Terms(""), b""
    facets, summary = tuple(map(tuple, row.facets)), _trimmed(row.summary)
    row = row._replace(facets=facets, summary=summary)  # type: ignore[arg-type]
    return GoodRecord(
        tuple(row),  # type: ignore[arg-type]  # plain data; `unpack_entry` makes it a row
        tuple(terms),  # type: ignore[arg-type]  # plain too
        tuple(make_duplicate_keys(kind, model)),  # type: ignore[arg-type]  # plain too
        tuple(model.accept or ()),
        document,
    )


def _trimmed(data: bytes) -> bytes:
    """A copy without the room that `orjson.dumps` leaves after short texts, about 1 KiB."""
    return bytes(memoryview(data))


def gather(entries: Iterable[FileEntry], collection: Collection) -> Gathered:
    """The entries of one collection as checks across records and tables need them."""
    logos, good = set[str](), list[GoodRecord]()
    for entry in entries:
        logos.update(entry.logos)
        if entry.record is not None:
            good.append(entry.record)
    return Gathered(
        tabulate(collection, [record.row for record in good]),
        {record.row.slug: record.duplicate_keys for record in good},
        {record.row.slug: record.accepts for record in good if record.accepts},
        logos,
        {record.row.slug: record.terms for record in good},
    )


def find_terms(collection: str, slug: str, model: Any, symbols: Symbols) -> Terms:
    """What finds a record in a search."""
    from generator.search.additions import added_terms  # a check does without

    return Terms(terms_from_model(collection, model, symbols), added_terms(slug, model.__dict__))
