"""Content -> the linked registry: read, linked, checked and tabulated, each a function that a build
and a check call.  They return what they make, and the problems that they meet.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

import generator.hosts
from generator.build import read
from generator.build.check import SHARE, Tally, check_some, tally
from generator.build.executors import executor
from generator.build.guards import Guard, state_of_read
from generator.build.report import Report, judged
from generator.build.results import Gathered
from generator.build.rows import render
from generator.contract.artifact import Artifact, modules
from generator.dialect.folder import (
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
from generator.grammar.grammar import Grammar
from generator.grammar.names import KIND_OF
from generator.guard.state import State
from generator.model.checks import REGISTRY_CHECKS, Known, Mark, Uses
from generator.model.checks.duplicates import mark
from generator.model.kinds import KINDS
from generator.model.link import link
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removed
from generator.model.symbols import Counted, Symbols, places, tag_facets
from generator.model.tables.breakdown import Breakdown, breakdowns
from generator.model.tables.table import Batch, Registry, Table, TableBuilder, batch
from generator.problems.diagnostic import Diagnostic, is_error
from generator.problems.faults import Fault
from generator.search.terms import of_model

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


def read_header(content: Content) -> tuple[read.Header, list[Diagnostic]]:
    """registry.yaml and removed.yaml, and their problems."""
    header, problems = read.read_settings(content, modules(generator.hosts))
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
    marks = {slug: mark(name, model) for slug, model in models}
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
        self[name] = {source.slug: source for source in self.content.sources[name]}
        return self[name]


def check_counts(content: Content, records: Mapping[str, int], guard: Guard) -> list[Diagnostic]:
    """The problems of approvals.yaml, and that there is no record."""
    problems = guard.of_approvals(content)
    # A registry that is missing has been told of.
    if not any(records.values()) and all(p.code != "missing-registry" for p in content.problems):
        hint = "add a first record, such as projects/acme.yaml"
        empty = content.told("", "empty-registry", "the registry has no records", hint, warn=True)
        problems.append(empty)
    return problems


def prepared(content: Content, as_of: date) -> tuple[Linked, list[Diagnostic]]:
    """All that records are checked against, and its problems: of names of files, of settings and
    of what others refer to.
    """
    header, told = read_header(content)
    linked, wrong = read_and_link(content, header, header.settings.grammar(), as_of.isoformat())
    return linked, [*content.problems, *read.astray(content), *told, *wrong]


def across(
    content: Content,
    linked: Linked,
    rows: Mapping[str, TableBuilder | Tally],
    marks: Mapping[str, Mapping[str, Mark]],
    guard: Guard,
) -> tuple[State, list[Diagnostic]]:
    """What guards count of all records, and the problems that only all together show, without those
    of the counts.
    """
    known = {
        name: Known(set(of.slugs), {}, of.aliases, marks[name], uses_of(of))
        for name, of in rows.items()
    }
    known |= {name: known_of(name, records) for name, records in linked.referred.items()}
    models = {name: records.models.values() for name, records in linked.referred.items()}
    state = state_of_read(content, rows, models, linked.symbols)
    return state, [
        *check_across(content, known, linked),
        *check_counts(content, counted(content), guard),
    ]


def counted(content: Content) -> dict[str, int]:
    """How many records there are of each collection."""
    return {name: len(content.sources[name]) for name in ("projects", *COLLECTIONS[:-1])}


#: See `breakdowns`.
Count = Callable[[Table, Symbols, Iterable[str]], Mapping[str, Breakdown]]
#: The rows and files of the records of a collection that others refer to.
Referred = Mapping[str, tuple[Batch, list[Artifact]]]


def tabulate(
    linked: Linked, gathered: dict[str, Gathered], as_of: date, count: Count = breakdowns
) -> tuple[Registry, Referred]:
    """The tables of all records, and what others refer to: rendered with what it shows of these
    tables, and added to what is gathered.  `count` does what `breakdowns` does.
    """
    symbols = linked.symbols
    collections = symbols.grammar.collections
    tables = {name: of.rows.table(collections[name]) for name, of in gathered.items()}
    models = {name: linked.referred[name].models for name in REFERRED}
    facets = [f"{KIND_OF[name]}/{slug}" for name, some in models.items() for slug in some]
    parts = count(tables["projects"], symbols, facets)
    referred = {}
    for name, some in models.items():
        rendered = []
        for slug, model in some.items():
            facet = f"{KIND_OF[name]}/{slug}"
            programs = tables["programs"].count(facet) if "programs" in tables else 0
            counts = Counted(tables["projects"].count(facet), programs, parts[facet])
            rendered.append(render(KINDS[name], slug, model, symbols, counts))
        rows = batch(one.row for one in rendered)
        referred[name] = rows, [one.artifact for one in rendered]
        gathered[name] = Gathered()
        gathered[name].add(rows, [of_model(model, symbols) for model in some.values()])
        tables[name] = gathered[name].rows.table(collections[name])
    return Registry(linked.settings, symbols, as_of, **tables), referred


def load(
    content: Content, as_of: date, terms: dict[str, str] | None = None
) -> tuple[Registry | None, list[Diagnostic]]:
    """The registry, read by this process, and its problems; None if one of these is an error.
    `terms` takes those of each project, by its slug.
    """
    linked, problems = prepared(content, as_of)
    gathered = {name: Gathered() for name in STREAMED}
    shared = content.folder, linked.symbols, None
    for name, of in gathered.items():
        for _, packed, *_ in read.read_parts(list(read.parts_of(content.sources[name])), shared):
            part = read.PartRows(*marshal.loads(packed))
            of.add_part(part)
            problems += map(Diagnostic.unpack, part.problems)
    rows = {name: of.rows for name, of in gathered.items()}
    marks = {name: of.marks for name, of in gathered.items()}
    _, told = across(content, linked, rows, marks, NO_GUARD)
    problems += told
    if any(map(is_error, problems)):
        return None, problems
    registry, _ = tabulate(linked, gathered, as_of)
    if terms is not None:
        terms |= gathered["projects"].terms
    return registry, problems


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
    linked, every = prepared(content, as_of)
    sources = streamed(content)
    workers = executor(jobs, int(len(sources) * SHARE))
    taken = workers.run(check_some, sources, (folder, linked.symbols))
    tallies, told = tally(taken)
    marks = {name: of.marks for name, of in tallies.items()}
    state, wrong = across(content, linked, tallies, marks, guard)
    every += [*told, *wrong, *guard.of_state(content, state, linked.settings)]
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
