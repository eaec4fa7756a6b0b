"""Content -> settings and validated records, with every problem on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from generator.api.artifact import Artifact
from generator.api.diagnostic import Diagnostic, Packed, suggestion
from generator.build.inventory import blob_id
from generator.build.rows import render
from generator.build.write import Tree, Written
from generator.records.checks import Mark
from generator.records.checks.plausible import horizon
from generator.records.checks.twins import mark
from generator.records.examine import Document, examine
from generator.records.faults import Fault
from generator.records.folder import COLLECTIONS, REGISTRY_FILE, Content, Source, is_text
from generator.records.kinds import KINDS
from generator.records.link import check_record
from generator.records.settings import Settings
from generator.records.strays import a_record
from generator.records.symbols import Kind, Symbols
from generator.records.validate import diagnose, read_model
from generator.tables.table import Row, batch

#: A file that was read: its path, its stat (see generator.records.folder) and its digest.
Seen = tuple[str, tuple[int, int, int], bytes]


@dataclass
class Records:
    """The records of one collection that have no fault of their own; `broken` has the slugs of the
    others.
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

    @cached_property
    def _owners(self) -> Counter[str]:
        return Counter(program.organization for program in self.models.values())

    def count(self, organization: str) -> int:
        """How many of these programs an organization has."""
        return self._owners[organization]


def read_settings(
    content: Content, hosts: list[str]
) -> tuple[Settings, frozenset[str], list[Seen]]:
    """registry.yaml; where parts of it have faults, those parts' names, and settings without them.

    `hosts` are the names there are rules for.
    """
    taken = (
        content.take(REGISTRY_FILE)
        if not any(p.code == "missing-registry" for p in content.problems)
        else None
    )
    everything = frozenset(Settings.model_fields)
    blank = Settings.model_construct(name="", description="")
    if taken is None:
        return blank, everything, []
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
            faults.append(
                Fault(
                    "unknown-host",
                    f'hosts[{i}]: there are no rules for a host "{name}"',
                    ("hosts", i),
                    suggestion(name, hosts),
                )
            )
    content.problems += diagnose(content.shown(REGISTRY_FILE), raw, faults, document)
    return settings, unknown, [(REGISTRY_FILE, taken.stat, blob_id(raw))]


def tell_astray(content: Content) -> None:
    """What lies outside of the collections, and what it looks like."""
    for where, path in content.astray:
        raw = content.read(path)
        document = examine(raw) if raw is not None else None
        looks = _looks_like(document.data) if document is not None else None
        what, hint = (
            "no build reads this",
            f"records are in {', '.join(f'{name}/' for name in COLLECTIONS)}",
        )
        if looks is not None:
            this = "this" if where == path else f'"{path.rpartition("/")[2]}" in this folder'
            what, hint = (
                f"{this} looks like {a_record(looks)}: it belongs in {looks}/",
                f"move it to {content.shown(looks)}/",
            )
        content.problem(where, "stray-file", what, hint)


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
) -> list[Diagnostic]:
    """The problems of a file; that it lies in the folder of another kind stands for all others."""
    looks = (
        _looks_like(document.data)
        if document is not None and any(map(_of_another_kind, faults))
        else None
    )
    if looks in (None, kind.collection):
        return diagnose(content.shown(source.path), raw, faults, document, symbols)
    what = f"this looks like {a_record(str(looks))}: it belongs in {looks}/"
    there = content.shown(str(looks))
    return [
        Diagnostic(
            content.shown(source.path), 1, 1, "misplaced-record", what, f"move it to {there}/"
        )
    ]


def _of_another_kind(fault: Fault) -> bool:
    return (fault.code == "unknown-field" and len(fault.loc) == 1) or (
        fault.code == "invalid-choice" and fault.loc == ("kind",)
    )


def read_records(content: Content, kind: Kind) -> Records:
    """Every record of a collection, validated by itself; `check_records` tells what is wrong with
    them.
    """
    records = Records()
    for source in content.sources[kind.collection]:
        taken = content.take(source.path)
        if taken is None:
            records.broken.add(source.slug)
            continue
        raw = taken.raw
        records.seen.append((source.path, taken.stat, blob_id(raw)))
        model, faults, document = read_model(raw, kind.model)
        if faults:
            records.faults[source.path] = source, raw, faults, document
        if model is None or source.slug in records.models:
            records.broken.add(source.slug)
        else:
            records.models[source.slug], records.sources[source.slug] = model, source
    return records


def report(content: Content, source: Source, faults: list[Fault]) -> None:
    """Turn faults that were found after reading into problems with their place."""
    raw = content.read(source.path) if faults else None
    if raw is not None:
        content.problems += diagnose(content.shown(source.path), raw, faults)


def check_any(content: Content, records: Mapping[str, int]) -> None:
    """An empty registry is worth a word, unless a missing one was told of."""
    if not any(records.values()) and not any(
        problem.code == "missing-registry" for problem in content.problems
    ):
        content.problem(
            "",
            "empty-registry",
            "the registry has no record",
            "add one as projects/SLUG.yaml",
            warn=True,
        )


def check_records(content: Content, kind: Kind, records: Records, symbols: Symbols) -> None:
    """Hold records against what they refer to, and tell what is wrong with them."""
    for slug, model in records.models.items():
        found, source = check_record(kind, model, symbols), records.sources[slug]
        if found and source.path in records.faults:
            records.faults[source.path][2].extend(found)
        else:
            report(content, source, found)
    for source, raw, faults, document in records.faults.values():
        content.problems += told(content, source, kind, raw, faults, document, symbols)
    records.faults.clear()


def marked(collection: str, record: Any) -> Mark:
    """What checks across records look at in one, see `generator.records.checks.Known`."""
    return *mark(collection, record), horizon(collection, record)


class Projects(NamedTuple):
    """What came of some projects, as plain data: rows, the terms and marks of each, files read,
    problems, files written.
    """

    rows: tuple[Any, ...]
    terms: list[str]
    marks: list[Mark]
    seen: list[Seen]
    problems: list[Packed]
    written: list[Written]


def read_projects(
    sources: list[Source], folder: str, symbols: Symbols
) -> tuple[Projects, list[Artifact]]:
    """Read, check and render projects of a content folder; what came of them, and the files of
    those without error.
    """
    kind, content = KINDS["projects"], Content(folder)
    rows: list[Row] = []
    artifacts: list[Artifact] = []
    done = Projects((), [], [], [], [], [])
    for source in sources:
        slug, path = source
        taken = content.take(path)
        if taken is None:
            continue
        done.seen.append((path, taken.stat, blob_id(taken.raw)))
        model, faults, document = read_model(taken.raw, kind.model)
        if model is not None:
            faults += check_record(kind, model, symbols)
        if faults:
            content.problems += told(content, source, kind, taken.raw, faults, document, symbols)
            if model is None or any(fault.severity == "error" for fault in faults):
                continue
        if not is_text(slug):  # as has been told; no JSON takes it
            continue
        made = render(kind, slug, model, symbols)
        rows.append(made.row)
        done.terms.append(made.terms)
        done.marks.append(marked(kind.collection, model))
        artifacts.append(made.artifact)
    done.problems.extend(problem.pack() for problem in content.problems)
    return done._replace(rows=tuple(batch(rows))), artifacts


def check_some(sources: list[Source], shared: tuple[str, Symbols]) -> tuple[Any, ...]:
    """Read projects and write nothing; the fields of `Projects`."""
    return tuple(read_projects(sources, *shared)[0])


def write_some(sources: list[Source], shared: tuple[str, Symbols, Tree]) -> tuple[Any, ...]:
    """Read projects and write their files; the fields of `Projects`."""
    folder, symbols, tree = shared
    done, artifacts = read_projects(sources, folder, symbols)
    done.written.extend(map(tree.write, artifacts))
    return tuple(done)
