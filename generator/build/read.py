"""Content -> settings and validated records, with every problem on the way."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zlib import crc32

from generator.build.cache.inventory import blob_id
from generator.build.output.write import Written
from generator.build.rows import render_each
from generator.contract.artifact import Artifact
from generator.dialect.document import Document
from generator.dialect.folder import (
    COLLECTIONS,
    REGISTRY_FILE,
    REMOVED_FILE,
    Content,
    Source,
    is_text,
    slug_of,
)
from generator.dialect.parse import is_bare
from generator.dialect.strays import a_record
from generator.grammar.names import COLLECTION_OF
from generator.model.checks import Mark
from generator.model.checks.duplicates import mark
from generator.model.checks.plausible import turns
from generator.model.checks.spellings import listed
from generator.model.fields import Record
from generator.model.kinds import KINDS
from generator.model.link import check_each, check_record
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removal, Removals, Removed
from generator.model.symbols import Kind, Symbols
from generator.model.tables.table import batch
from generator.model.validate import EVERY, MOST, diagnose, read_model
from generator.problems.diagnostic import Diagnostic, Packed, suggestion
from generator.problems.faults import Fault
from generator.search.terms import of_model

#: A file that was read: its path, its stat (see generator.dialect.folder) and its digest.
Seen = tuple[str, tuple[int, ...], bytes]
#: Writes a file; what was written, nothing where it lies there already.
Write = Callable[[Artifact], Sequence[Written]]
#: Records that are read and kept together: a name, and the sources, each a slug and a path.
Part = tuple[str, list[tuple[str, str]]]
#: A part begins at a path whose CRC-32 says so, at one in so many, or after as many records.
_ONE_IN, _LONGEST = 64, 256


@dataclass
class Records:
    """The records of one collection that have no fault of their own, as models; `broken` has the
    slugs of the others.
    """

    sources: dict[str, Source] = field(default_factory=dict)
    models: dict[str, Any] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    seen: list[Seen] = field(default_factory=list)
    #: path -> source, bytes, faults and document of what has a fault or a warning; told once all
    #: that it refers to is known
    faults: dict[str, tuple[Source, bytes, list[Fault], Document | None]] = field(
        default_factory=dict
    )


class Header(NamedTuple):
    """registry.yaml, and what removed.yaml says; `unknown` names the parts of the former that have
    faults, which `settings` is without.
    """

    settings: Settings
    unknown: frozenset[str]
    seen: list[Seen]
    removed: Removed


def read_settings(content: Content, hosts: list[str]) -> tuple[Header, list[Diagnostic]]:
    """registry.yaml, and its problems.  `hosts` are the names that there are rules for."""
    everything = frozenset(Settings.model_fields)
    blank = Settings.model_construct(name="", description="")
    if any(problem.code == "missing-registry" for problem in content.problems):
        return Header(blank, everything, [], {}), []
    taken = content.take(REGISTRY_FILE)
    if isinstance(taken, Diagnostic):
        return Header(blank, everything, [], {}), [taken]
    raw = taken.raw
    settings, faults, document = read_model(raw, Settings)
    unknown: frozenset[str] = frozenset()
    if settings is None:
        data = document.data if document is not None else None
        if not isinstance(data, dict):
            unknown, settings = everything, blank
        else:
            unknown = frozenset(str(f.loc[0]) for f in faults if f.loc) & everything
            good = {k: v for k, v in data.items() if k in everything - unknown}
            settings = Settings.model_validate({"name": "-", "description": "-", **good})
    for i, name in enumerate(settings.hosts or ()):
        if name not in hosts:
            what = f'hosts[{i}]: there is no host "{name}"'
            faults.append(Fault("unknown-host", what, ("hosts", i), suggestion(name, hosts)))
    families = settings.families.items()
    faults += listed({name: f.tags for name, f in families if f.tags is not None})
    problems = diagnose(content.shown(REGISTRY_FILE), raw, faults, document)
    return Header(settings, unknown, [(REGISTRY_FILE, taken.stat, blob_id(raw))], {}), problems


def read_removed(content: Content) -> tuple[Removed, list[Seen], list[Diagnostic]]:
    """What removed.yaml says, where there is one, and its problems."""
    removed: dict[str, dict[str, Removal]] = {name: {} for name in COLLECTIONS}
    if not os.path.lexists(os.path.join(content.folder, REMOVED_FILE)):
        return removed, [], []
    taken = content.take(REMOVED_FILE)
    if isinstance(taken, Diagnostic):
        return removed, [], [taken]
    if is_bare(taken.raw, "removed"):
        return removed, [(REMOVED_FILE, taken.stat, blob_id(taken.raw))], []
    read, faults, document = read_model(taken.raw, Removals)
    for i, one in enumerate(read.removed if read is not None else ()):
        if removed[COLLECTION_OF[one.kind]].setdefault(one.slug, one) is not one:
            what = f'removed[{i}].slug: the {one.kind} "{one.slug}" is already in this list'
            hint = "keep one of the two"
            faults.append(Fault("duplicate-slug", what, ("removed", i, "slug"), hint))
    problems = diagnose(content.shown(REMOVED_FILE), taken.raw, faults, document)
    return removed, [(REMOVED_FILE, taken.stat, blob_id(taken.raw))], problems


def parts_of(sources: Iterable[Source]) -> Iterator[Part]:
    """The parts of records, in the order of their paths.

    Where a part begins follows from the path that it begins with: a record that comes or goes
    changes one part, or two.
    """
    part: list[tuple[str, str]] = []
    for source in sources:
        if part and (
            len(part) == _LONGEST
            or crc32(source.path.encode("utf-8", "surrogateescape")) % _ONE_IN == 0
        ):
            yield part[0][1], part
            part = []
        part.append((source.slug, source.path))
    if part:
        yield part[0][1], part


def astray(content: Content) -> list[Diagnostic]:
    """What lies outside of the collections, and what it looks like."""
    problems = []
    for where, path in content.astray:
        taken = content.take(path)
        document = None
        if isinstance(taken, Diagnostic):
            problems.append(taken)
        else:
            from generator.dialect.examine import examine

            document = examine(taken.raw)
        looks = _looks_like(document.data) if document is not None else None
        what = "the build ignores this"
        hint = f"records belong in {', '.join(f'{name}/' for name in COLLECTIONS)}"
        if looks is not None:
            this = "this" if where == path else f'"{path.rpartition("/")[2]}" in this folder'
            what = f"{this} looks like {a_record(looks)}: it belongs in {looks}/"
            hint = f"move it to {content.shown(looks)}/"
        problems.append(content.told(where, "stray-file", what, hint))
    return problems


def _looks_like(data: Any) -> str | None:
    """The one collection whose records have these fields, all of those that they must have and no
    other.
    """
    if not isinstance(data, dict):
        return None
    fits = []
    for name, kind in KINDS.items():
        fields = kind.model.model_fields
        if (
            data.keys() <= fields.keys()
            and {f for f, field in fields.items() if field.is_required()} <= data.keys()
        ):
            fits.append(name)
    return fits[0] if len(fits) == 1 else None


def told(
    content: Content,
    source: Source,
    kind: Kind,
    raw: bytes,
    faults: list[Fault],
    document: Document | None,
    symbols: Symbols,
    most: int = MOST,
) -> list[Diagnostic]:
    """The problems of a file; that it lies in the folder of another kind stands for all others."""
    looks = (
        _looks_like(document.data)
        if document is not None and any(map(_of_another_kind, faults))
        else None
    )
    if looks in (None, kind.collection):
        return diagnose(content.shown(source.path), raw, faults, document, symbols, most)
    what = f"this looks like {a_record(str(looks))}: it belongs in {looks}/"
    there = content.shown(str(looks))
    return [
        Diagnostic(
            content.shown(source.path), 1, 1, "misplaced-record", what, f"move it to {there}/"
        )
    ]


def look(content: Content, path: str, raw: bytes, symbols: Symbols) -> list[Diagnostic]:
    """All problems that a record, or registry.yaml, of these bytes would show by itself."""
    if path == REGISTRY_FILE:
        _, faults, document = read_model(raw, Settings)
        return diagnose(content.shown(path), raw, faults, document, most=EVERY)
    kind = KINDS[path.partition("/")[0]]
    model, faults, document = read_model(raw, symbols.model(kind))
    if model is not None:
        faults += check_record(kind, model, symbols)
    source = Source(slug_of(path), path)
    return told(content, source, kind, raw, faults, document, symbols, EVERY)


def _of_another_kind(fault: Fault) -> bool:
    return (fault.code == "unknown-field" and len(fault.loc) == 1) or (
        fault.code == "invalid-choice" and fault.loc == ("kind",)
    )


def read_records(
    content: Content, kind: Kind, of: type[Record]
) -> tuple[Records, list[Diagnostic]]:
    """Every record of a collection, validated against the model `of` its kind, and the problems of
    files that cannot be read; `check_records` tells what is wrong with the others.
    """
    records = Records()
    problems = []
    for source in content.sources[kind.collection]:
        taken = content.take(source.path)
        if isinstance(taken, Diagnostic):
            problems.append(taken)
            records.broken.add(source.slug)
            continue
        raw = taken.raw
        records.seen.append((source.path, taken.stat, blob_id(raw)))
        model, faults, document = read_model(raw, of)
        if faults:
            records.faults[source.path] = source, raw, faults, document
        if model is None or source.slug in records.models:
            records.broken.add(source.slug)
        else:
            records.models[source.slug], records.sources[source.slug] = model, source
    return records, problems


def check_records(
    content: Content, kind: Kind, records: Records, symbols: Symbols
) -> list[Diagnostic]:
    """What is wrong with records, by themselves and held against what they refer to."""
    problems = []
    linked = {
        records.sources[slug]: faults
        for slug, model in records.models.items()
        if (faults := check_record(kind, model, symbols))
    }
    for source, raw, own, document in records.faults.values():
        faults = own + linked.pop(source, [])
        problems += told(content, source, kind, raw, faults, document, symbols)
    for source, faults in linked.items():
        problems += located(content, source, faults)
    return problems


def located(content: Content, source: Source, faults: list[Fault]) -> list[Diagnostic]:
    """Faults that were found after reading as problems with their place."""
    taken = content.take(source.path)
    if isinstance(taken, Diagnostic):
        return [taken]
    return diagnose(content.shown(source.path), taken.raw, faults)


class PartRows(NamedTuple):
    """What came of a part of a collection's records that nothing refers to, as plain data.

    `sources` are the paths of its files, with NULs between them; `rows` the fields of a Batch,
    `terms` what each row is found by, `marks` what duplicates of it are found by; `problems` what
    is wrong.  It stays true while the records in `references` and everything that belongs to these
    are the same, and from the day `since` to the day before `until`.
    """

    sources: str
    rows: tuple[Any, ...]
    terms: list[str]
    marks: list[Mark]
    problems: list[Packed]
    references: list[tuple[str, str]]
    since: str
    until: str


#: Later than every day.
_NEVER = "~"


def paths_of(part: Part) -> str:
    """The paths of a part's files, with NULs between them."""
    return "\0".join([path for _, path in part[1]])


def read_parts(
    parts: Sequence[Part], shared: tuple[str, Symbols, Write | None]
) -> list[tuple[str, bytes, list[Seen], list[Written]]]:
    """Read, check and render the records of parts of a content folder, and write the files of
    those without error: the name of each part, its `PartRows`, marshalled, and the files that were
    read and written.  Without `Write` nothing is written.
    """
    folder, symbols, write = shared
    content = Content(folder)
    return [_read_part(part, content, symbols, write) for part in parts]


def _read_part(
    part: Part, content: Content, symbols: Symbols, write: Write | None
) -> tuple[str, bytes, list[Seen], list[Written]]:
    """Each step is done for all records before the next: its code stays in the processor's
    caches.
    """
    collection = part[0].partition("/")[0]
    kind = KINDS[collection]
    problems: list[Packed] = []
    seen: list[Seen] = []
    sources = [Source(*source) for source in part[1]]
    good = read_good(kind, sources, content, symbols, problems, seen)
    rendered = render_each(kind, good, symbols)
    written = [file for record in rendered for file in write(record.artifact)] if write else []
    references = {(to, named) for _, model in good for _, to, named in kind.references(model)}
    days = {day for _, model in good for day in turns(collection, model).split()}
    today = symbols.today or ""
    rows = PartRows(
        paths_of(part),
        tuple(batch(record.row for record in rendered)),
        [of_model(model, symbols) for _, model in good],
        [mark(collection, model) for _, model in good],
        problems,
        sorted(references),
        max((day for day in days if day <= today), default=""),
        min((day for day in days if day > today), default=_NEVER),
    )
    return part[0], marshal.dumps(tuple(rows)), seen, written


def read_good(
    kind: Kind,
    sources: Sequence[Source],
    content: Content,
    symbols: Symbols,
    problems: list[Packed],
    seen: list[Seen] | None = None,
) -> list[tuple[str, Any]]:
    """The slugs and models of records that have no error, in order; what is wrong with any goes to
    `problems`, and what was read to `seen`.
    """
    read = []
    of = symbols.model(kind)
    for source in sources:
        taken = content.take(source.path)
        if isinstance(taken, Diagnostic):
            problems.append(taken.pack())
            continue
        if seen is not None:
            seen.append((source.path, taken.stat, blob_id(taken.raw)))
        read.append((source, taken.raw, read_model(taken.raw, of)))
    good: list[tuple[str, Any]] = []
    models = [model for _, _, (model, _, _) in read if model is not None]
    linked, number = check_each(kind, models, symbols), -1
    for source, raw, (model, faults, document) in read:
        if model is not None and (number := number + 1) in linked:
            faults += linked[number]
        if faults:
            wrong = told(content, source, kind, raw, faults, document, symbols)
            problems.extend(problem.pack() for problem in wrong)
            if model is None or any(fault.severity == "error" for fault in faults):
                continue
        if is_text(source.slug):  # what is none has been told of; no JSON takes it
            good.append((source.slug, model))
    return good
