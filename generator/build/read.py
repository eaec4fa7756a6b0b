"""Content -> settings and validated records, with every problem on the way."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from generator.build.rows import render
from generator.build.workers import start
from generator.build.write import Tree
from generator.content import REGISTRY_FILE, Content, Source
from generator.diagnostic import Diagnostic, suggestion
from generator.kinds import KINDS
from generator.kinds.frame import Frame, Kind
from generator.link import check_record
from generator.load import Fault
from generator.registry import Row
from generator.settings import Settings
from generator.validate import diagnose, read_model

Digest = tuple[str, bytes]


def digest(raw: bytes) -> bytes:
    """The identity of a file's bytes: git's blob id."""
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).digest()


@dataclass(slots=True)
class Records:
    """The records of one collection that have no fault of their own; `broken` has the slugs of the others."""

    sources: dict[str, Source] = field(default_factory=dict)
    models: dict[str, Any] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    digests: list[Digest] = field(default_factory=list)


def read_settings(content: Content, hosts: list[str]) -> tuple[Settings, frozenset[str], list[Digest]]:
    """registry.yaml; where parts of it have faults, those parts' names, and settings without them.

    `hosts` are the names there are rules for.
    """
    raw = content.read(REGISTRY_FILE) if not any(p.code == "missing-registry" for p in content.problems) else None
    everything = frozenset(Settings.model_fields)
    blank = Settings.model_construct(name="", description="")
    if raw is None:
        return blank, everything, []
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
            faults.append(Fault("unknown-host", f'hosts[{i}]: there are no rules for a host "{name}"', ("hosts", i), suggestion(name, hosts)))
    content.problems += diagnose(content.shown(REGISTRY_FILE), raw, faults, document)
    return settings, unknown, [(REGISTRY_FILE, digest(raw))]


def read_records(content: Content, kind: Kind) -> Records:
    """Every record of a collection, validated by itself."""
    records = Records()
    for source in content.sources[kind.collection]:
        raw = content.read(source.path)
        if raw is None:
            records.broken.add(source.slug)
            continue
        records.digests.append((source.path, digest(raw)))
        model, faults, document = read_model(raw, kind.model)
        content.problems += diagnose(content.shown(source.path), raw, faults, document)
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


def check_records(content: Content, kind: Kind, records: Records, frame: Frame) -> None:
    for slug, model in records.models.items():
        report(content, records.sources[slug], check_record(kind, model, frame))


Taken = tuple[list[tuple[Any, ...]], list[Digest], list[tuple[Any, ...]], int]


def take_projects(content: Content, frame: Frame, jobs: int, tree: Tree | None) -> Any:
    """Read, check, render and (where there is a tree) write every project.

    Yields, for each chunk, what `Taken` has: rows, digests, problems as plain tuples, and bytes written.
    """
    kind = KINDS["projects"]
    validate = read_model

    def work(sources: list[Source]) -> Taken:
        mine = Content(content.folder)
        rows: list[tuple[Any, ...]] = []
        digests: list[Digest] = []
        written = 0
        for source in sources:
            slug, path = source
            raw = mine.read(path)
            if raw is None:
                continue
            digests.append((path, digest(raw)))
            model, faults, document = validate(raw, kind.model)
            if model is not None:
                faults += check_record(kind, model, frame)
            if faults:
                mine.problems += diagnose(mine.shown(path), raw, faults, document)
                if model is None or any(fault.severity == "error" for fault in faults):
                    continue
            row, artifact = render(kind, slug, model, frame, {})
            rows.append(tuple(row))
            if tree is not None:
                written += tree.write(artifact)
        problems = [(p.path, p.line, p.column, p.code, p.message, p.hint, p.severity) for p in mine.problems]
        return rows, digests, problems, written

    return start(jobs, content.sources["projects"], work)


def rows_of(taken: Taken) -> list[Row]:
    return [Row._make(row) for row in taken[0]]


def problems_of(taken: Taken) -> list[Diagnostic]:
    return [Diagnostic(*problem) for problem in taken[2]]
