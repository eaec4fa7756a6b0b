"""Content -> the linked registry: read, linked, checked and tabulated, each a function that a build
and a check call.  They return what they make, and the problems that they meet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import Any, NamedTuple

import generator.hosts
from generator.api.artifact import Artifact, modules
from generator.api.diagnostic import Diagnostic, is_error
from generator.api.grammar import Grammar
from generator.api.names import KIND_OF
from generator.build import read
from generator.build.checked import SHARE, Tally, check_some, tally
from generator.build.executors import executor
from generator.build.gathered import Gathered, Words, gather
from generator.build.guards import Guard, state_of_read
from generator.build.many import Seen, Sources
from generator.build.memory import apply
from generator.build.report import Report, judged
from generator.build.rows import render
from generator.records.checks import REGISTRY_CHECKS, Known, Mark, Uses
from generator.records.faults import Fault
from generator.records.folder import (
    APPROVALS_FILE,
    COLLECTIONS,
    REFERRED,
    REGISTRY_FILE,
    REMOVED_FILE,
    STREAMED,
    Content,
    Source,
    scan,
)
from generator.records.kinds import KINDS
from generator.records.link import link
from generator.records.removed import Removed
from generator.records.settings import Settings
from generator.records.symbols import Counted, Symbols, places, tag_facets
from generator.search.terms import of_model
from generator.tables.breakdown import Breakdown, breakdowns
from generator.tables.patch import Patch
from generator.tables.table import Registry, Table, TableBuilder, batch, tabulate

NO_GUARD = Guard()


class Linked(NamedTuple):
    """registry.yaml, removed.yaml and the collections that others refer to, read, and what they
    come to; `seen` has the files.
    """

    settings: Settings
    symbols: Symbols
    referred: dict[str, read.Records]
    seen: list[read.Seen]
    removed: Removed


def read_header(
    content: Content, noted: bytes | None = None
) -> tuple[read.Header, list[Diagnostic]]:
    """registry.yaml and removed.yaml, and their problems; `noted` as for read_settings."""
    header, problems = read.read_settings(content, modules(generator.hosts), noted)
    removed, seen, more = read.read_removed(content)
    return header._replace(removed=removed, seen=[*header.seen, *seen]), [*problems, *more]


def read_and_link(
    content: Content, header: read.Header, grammar: Grammar, today: str
) -> tuple[Linked, list[Diagnostic]]:
    """Read what records refer to, and link it; with its problems."""
    problems: list[Diagnostic] = []
    models = header.settings.models(header.unknown)
    records: dict[str, read.Records] = {}
    for name in REFERRED:
        records[name], unreadable = read.read_records(content, KINDS[name], models[name])
        problems += unreadable
    symbols = link(
        header.settings,
        grammar,
        records["organizations"].models,
        records["programs"].models,
        {name: of.broken for name, of in records.items()},
        header.unknown,
        today,
    )
    for name, of in records.items():
        problems += read.check_records(content, KINDS[name], of, symbols)
    seen = [*header.seen, *(one for of in records.values() for one in of.seen)]
    return Linked(header.settings, symbols, records, seen, header.removed), problems


def streamed(content: Content) -> list[Source]:
    """The files of all records that nothing refers to."""
    return [source for name in STREAMED for source in content.sources[name]]


def known_of(name: str, records: read.Records) -> Known:
    """What checks across records look at in a collection that others refer to."""
    models = records.models.items()
    parents = {slug: m.parent for slug, m in models if getattr(m, "parent", None) is not None}
    aliases = {slug: tuple(model.aliases) for slug, model in models if model.aliases}
    marks = {slug: read.marked(name, model) for slug, model in models}
    return Known(records.models.keys(), parents, aliases, marks, _used(records.models))


def uses_of(rows: TableBuilder | Table | Tally) -> Uses:
    """Which records of a table, or of one that is being made, are in which slice."""
    return Uses(rows.members, rows.slugs, rows.labels)


def _used(models: Mapping[str, Any]) -> Uses:
    """Which of some records have which tags, and are in which places."""
    slugs, members, labels = list(models), dict[str, list[int]](), dict[str, str]()
    for number, model in enumerate(models.values()):
        where = places(model.locations)
        labels.update(label for place in where for label in place.labels)
        for slice_ in (*tag_facets(model), *(one for place in where for one in place.facets)):
            members.setdefault(slice_, []).append(number)
    return Uses(members, slugs, labels)


def check_across(content: Content, known: Mapping[str, Known], linked: Linked) -> list[Diagnostic]:
    """What only several records together show."""
    removed, open_ = linked.removed, linked.symbols.tags.keys() - linked.symbols.closed
    faults: dict[Source, list[Fault]] = {}
    sources = _Sources(content)

    def where(collection: str, slug: str) -> str:
        return content.shown(sources[collection][slug].path)

    known = {
        name: of._replace(removed=removed.get(name, {}), open=frozenset(open_))
        for name, of in known.items()
    }
    for check_registry in REGISTRY_CHECKS:
        for collection, slug, fault in check_registry(known, where):
            faults.setdefault(sources[collection][slug], []).append(fault)
    return [
        problem
        for source, some in faults.items()
        for problem in read.located(content, source, some)
    ]


class _Sources(dict[str, Mapping[str, Source]]):
    """collection -> slug -> its file; looked for when a collection is first asked for."""

    def __init__(self, content: Content):
        super().__init__()
        self.content = content

    def __missing__(self, name: str) -> Mapping[str, Source]:
        held: Any = self.content.sources[name]
        self[name] = (
            {source.slug: source for source in held} if isinstance(held, list) else _Sought(held)
        )
        return self[name]


class _Sought(dict[str, Source]):
    """slug -> its file, as far as it was asked for."""

    def __init__(self, sources: Sources | Seen):
        super().__init__()
        self.sources = sources

    def __missing__(self, slug: str) -> Source:
        self[slug] = self.sources.find(slug)
        return self[slug]


def check_counts(content: Content, records: Mapping[str, int], guard: Guard) -> list[Diagnostic]:
    """The problems of approvals.yaml, and that there is no record."""
    problems = guard.of_approvals(content)
    # A registry that is missing has been told of.
    if not any(records.values()) and all(p.code != "missing-registry" for p in content.problems):
        hint = "add one as projects/SLUG.yaml"
        empty = content.told("", "empty-registry", "the registry has no record", hint, warn=True)
        problems.append(empty)
    return problems


def parts_of(
    models: Mapping[str, Mapping[str, Any]], projects: Table, symbols: Symbols
) -> Mapping[str, Breakdown]:
    """What the projects of records that others refer to are, by facet."""
    facets = [f"{KIND_OF[name]}/{slug}" for name, some in models.items() for slug in some]
    return breakdowns(projects, symbols, facets)


def tabulate_referred(
    name: str,
    models: Mapping[str, Any],
    symbols: Symbols,
    tables: Mapping[str, Table],
    parts: Mapping[str, Breakdown],
    words: Words | None,
) -> tuple[Gathered, list[Artifact]]:
    """Render records that others refer to, with what they show of these tables and what
    `parts_of` tells; and their files.
    """
    gathered, programs = Gathered(words), tables.get("programs")
    rendered = []
    for slug, model in models.items():
        facet = f"{KIND_OF[name]}/{slug}"
        counts = Counted(
            tables["projects"].count(facet),
            programs.count(facet) if programs is not None else 0,
            parts[facet],
        )
        rendered.append(render(KINDS[name], slug, model, symbols, counts))
    terms = [of_model(model, symbols) for model in models.values()]
    gathered.add(batch(one.row for one in rendered), terms)
    return gathered, [one.artifact for one in rendered]


def registry_of(
    settings: Settings, symbols: Symbols, as_of: date, patches: Mapping[str, Patch]
) -> Registry:
    """The registry of these tables; those that are not there are empty."""
    collections = symbols.grammar.collections
    tables = {
        name: patches[name].table if name in patches else tabulate(collections[name], ())
        for name in COLLECTIONS
    }
    return Registry(settings, symbols, as_of, **tables)


def _prepared(content: Content, as_of: date) -> tuple[Linked, list[Diagnostic]]:
    """All that records are held against, and its problems."""
    header, told = read_header(content)
    linked, wrong = read_and_link(content, header, header.settings.grammar(), as_of.isoformat())
    return linked, [*told, *wrong]


def _across(
    content: Content,
    linked: Linked,
    rows: Mapping[str, TableBuilder | Tally],
    marks: Mapping[str, Mapping[str, Mark]],
    guard: Guard,
) -> list[Diagnostic]:
    """What names of files, and all records together, show."""
    known = {
        name: Known(set(of.slugs), {}, of.aliases, marks[name], uses_of(of))
        for name, of in rows.items()
    }
    known |= {name: known_of(name, records) for name, records in linked.referred.items()}
    models = {name: records.models.values() for name, records in linked.referred.items()}
    state = state_of_read(content, rows, models, linked.symbols)
    return [
        *content.problems,
        *read.astray(content),
        *check_across(content, known, linked),
        *check_counts(content, counted(content), guard),
        *guard.of_state(content, state, linked.settings),
    ]


def counted(content: Content) -> dict[str, int]:
    """How many records there are of each collection."""
    return {name: len(content.sources[name]) for name in ("projects", *COLLECTIONS[:-1])}


def load(
    content: Content, as_of: date, words: Words | None = None
) -> tuple[Registry | None, list[Diagnostic]]:
    """The registry, read by this process, and the problems; None where one is an error.

    `words` takes the words of the projects.
    """
    takers: dict[str, Words] = {"projects": words} if words is not None else {}
    linked, problems = _prepared(content, as_of)
    sources = streamed(content)
    done = executor(1, len(sources)).run(
        read.read_some, sources, (content.folder, linked.symbols, None)
    )
    gathered, told = gather(done, takers, len(sources))
    rows = {name: done.rows for name, done in gathered.items()}
    marks = {name: done.marks.known() for name, done in gathered.items()}
    problems += told + _across(content, linked, rows, marks, NO_GUARD)
    if any(map(is_error, problems)):
        return None, problems
    symbols, collections = linked.symbols, linked.symbols.grammar.collections
    patches = {
        name: apply(collections[name], None, gathered[name].rows, set()) for name in STREAMED
    }
    models = {name: linked.referred[name].models for name in REFERRED}
    parts = parts_of(models, patches["projects"].table, symbols)
    for name, some in models.items():
        tables = {counted: patch.table for counted, patch in patches.items()}
        of, _ = tabulate_referred(name, some, symbols, tables, parts, None)
        patches[name] = apply(collections[name], None, of.rows, set())
    return registry_of(linked.settings, symbols, as_of, patches), problems


def looking(content: Content, as_of: date) -> Callable[[str, bytes], list[Diagnostic]]:
    """What tells all problems that a file of the content would show by itself with other bytes,
    held against the rest of the registry.
    """
    header, _ = read_header(content)
    linked, _ = read_and_link(content, header, header.settings.grammar(), as_of.isoformat())
    return lambda path, raw: read.look(content, path, raw, linked.symbols)


def check(
    folder: str,
    as_of: date,
    guard: Guard = NO_GUARD,
    *,
    jobs: int | None = None,
    strict: bool = False,
    files: Collection[str] = (),
) -> Report:
    """Every problem of the content; with `files`, paths below it, only those of these and of
    registry.yaml and removed.yaml.

    The files are held against all others, whose problems are only counted.  Nothing is written.
    """
    content = scan(folder)
    linked, every = _prepared(content, as_of)
    sources = streamed(content)
    workers = executor(jobs, int(len(sources) * SHARE))
    taken = workers.run(check_some, sources, (folder, linked.symbols))
    tallies, told = tally(taken)
    marks = {name: of.marks for name, of in tallies.items()}
    every += told + _across(content, linked, tallies, marks, guard)
    told = every
    if files:
        wanted = {
            content.shown(path)
            for path in (*files, REGISTRY_FILE, REMOVED_FILE, APPROVALS_FILE, "")
        }
        told = [problem for problem in every if problem.path in wanted]
    return Report(
        judged(told, strict), counted(content), guard.counts, elsewhere=len(every) - len(told)
    )
