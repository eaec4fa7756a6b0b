"""Content -> the linked registry: read, linked, checked and tabulated, each a function that a build
and a check call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple, Protocol

import generator.hosts
from generator.api.artifact import modules
from generator.api.diagnostic import Diagnostic, is_error
from generator.api.names import KIND_OF
from generator.build import read
from generator.build.executors import Packs, executor
from generator.build.losses import Guard
from generator.build.report import Progress, Report
from generator.build.rows import NOTHING, Rendered, render
from generator.records.checks import REGISTRY_CHECKS, Known, Mark
from generator.records.faults import Fault
from generator.records.folder import REGISTRY_FILE, Content, Source, scan
from generator.records.kinds import KINDS
from generator.records.link import link
from generator.records.settings import Settings
from generator.records.symbols import Counted, Symbols
from generator.tables.breakdown import breakdowns
from generator.tables.table import Batch, Registry, Table, TableBuilder, tabulate

NO_GUARD = Guard()


class Words(Protocol):
    """Takes the words that each record is found by (see generator.search.terms)."""

    def add(self, slug: str, terms: str, /) -> None: ...


class Linked(NamedTuple):
    """registry.yaml and the collections that others refer to, read, and what they come to; `seen`
    has the files.
    """

    settings: Settings
    symbols: Symbols
    small: dict[str, read.Records]
    seen: list[read.Seen]


@dataclass(slots=True)
class Gathered:
    """What came of the projects, a chunk at a time; `words` takes what they are found by, where
    that is asked for.
    """

    words: Words | None = None
    rows: TableBuilder = field(default_factory=TableBuilder)
    marks: dict[str, Mark] = field(default_factory=dict)
    seen: Packs = field(default_factory=Packs)  # read.Seen

    def add(self, done: read.Projects) -> None:
        for slug, terms, held in zip(
            self.rows.add(Batch(*done.rows)), done.terms, done.marks, strict=True
        ):
            self.marks[slug] = held
            if self.words is not None:
                self.words.add(slug, terms)
        self.seen.extend(done.seen)


class Tabulated(NamedTuple):
    """The registry, and what was rendered of each record of the collections but the projects."""

    registry: Registry
    small: dict[str, list[Rendered]]


def read_and_link(content: Content, this_year: int, report: Report) -> Linked:
    """Read all but the projects, and find out what records refer to."""
    with report.stage("read"):
        read.tell_astray(content)
        settings, unknown, seen = read.read_settings(content, modules(generator.hosts))
        small = {
            name: read.read_records(content, KINDS[name])
            for name in ("organizations", "programs", "events")
        }
        for records in small.values():
            seen += records.seen
    with report.stage("link"):
        broken = {name: small[name].broken for name in ("organizations", "programs")}
        models = small["organizations"].models, small["programs"].models
        symbols = link(settings, settings.grammar(), *models, broken, unknown, this_year)
        for name, records in small.items():
            read.check_records(content, KINDS[name], records, symbols)
    return Linked(settings, symbols, small, seen)


def gather(
    content: Content,
    taken: Iterable[read.Projects],
    report: Report,
    progress: Progress,
    words: Words | None = None,
) -> Gathered:
    """Put together what came of the projects (see generator.build.read), as it comes."""
    found, total = Gathered(words), len(content.sources["projects"])
    with report.stage("projects"):
        for done in taken:
            found.add(done)
            content.problems += [Diagnostic.unpack(problem) for problem in done.problems]
            progress("projects", len(found.rows.slugs), total)
    return found


def check_all(
    content: Content, linked: Linked, projects: Gathered, report: Report, guard: Guard
) -> dict[str, Known]:
    """Check what only all records together show, and count them; what there is of each collection."""
    with report.stage("link"):
        small = linked.small
        known = {
            "projects": Known(set(projects.rows.slugs), {}, projects.rows.aliases, projects.marks),
            **{name: known_of(name, records) for name, records in small.items()},
        }
        sources = {
            "projects": {s.slug: s for s in content.sources["projects"]},
            **{n: r.sources for n, r in small.items()},
        }
        check_registry(content, known, sources)
        report.records = {name: len(content.sources[name]) for name in ("projects", *small)}
        read.check_any(content, report.records)
        content.problems += guard.problems(content, report.records, linked.settings.allow_loss)
    return known


def tabulate_all(linked: Linked, projects: Gathered, as_of: date, report: Report) -> Tabulated:
    """Tables of records without error."""
    with report.stage("tabulate"):
        symbols, small = linked.symbols, linked.small
        table = projects.rows.table(symbols.grammar.projects)
        made: dict[str, list[Rendered]] = {}
        for name, records in small.items():
            counts = counted(name, records.models, table, symbols, small["programs"].count)
            made[name] = [
                render(KINDS[name], slug, model, symbols, counts.get(slug, NOTHING))
                for slug, model in records.models.items()
            ]
        tables = {
            name: tabulate(symbols.grammar.collections[name], [one.row for one in done])
            for name, done in made.items()
        }
        registry = Registry(
            linked.settings,
            symbols,
            as_of,
            table,
            tables["programs"],
            tables["organizations"],
            tables["events"],
        )
    return Tabulated(registry, made)


def _read(
    content: Content,
    as_of: date,
    report: Report,
    guard: Guard,
    jobs: int | None,
    words: Words | None = None,
) -> tuple[Linked, Gathered]:
    """Everything read and checked; nothing is written."""
    linked = read_and_link(content, as_of.year, report)
    sources = content.sources["projects"]
    done = executor(jobs, len(sources)).run(
        read.check_some, sources, (content.folder, linked.symbols)
    )
    projects = gather(
        content,
        (read.Projects(*some) for some in done),
        report,
        lambda name, done, total: None,
        words,
    )
    check_all(content, linked, projects, report, guard)
    return linked, projects


def load(
    content: Content, as_of: date, report: Report, words: Words | None = None
) -> Registry | None:
    """The registry, read by this process; None where the content has errors."""
    linked, projects = _read(content, as_of, report, NO_GUARD, 1, words)
    return (
        None
        if any(map(is_error, content.problems))
        else tabulate_all(linked, projects, as_of, report).registry
    )


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
    registry.yaml.

    The files are held against all others, whose problems are only counted.  Nothing is written.
    """
    report = Report(earlier=guard.earlier)
    content = scan(folder)
    _read(content, as_of, report, guard, jobs)
    found = content.problems
    if files:
        wanted = {content.shown(path) for path in (*files, REGISTRY_FILE, "")}
        found = [problem for problem in found if problem.path in wanted]
        report.elsewhere = len(content.problems) - len(found)
    report.finish(found, strict)
    return report


def known_of(name: str, records: read.Records) -> Known:
    models = records.models.items()
    parents = {
        slug: model.parent for slug, model in models if getattr(model, "parent", None) is not None
    }
    aliases = {slug: tuple(model.aliases) for slug, model in models if model.aliases}
    return Known(
        records.models.keys(),
        parents,
        aliases,
        {slug: read.marked(name, model) for slug, model in models},
    )


def check_registry(
    content: Content, known: Mapping[str, Known], sources: Mapping[str, Mapping[str, Source]]
) -> None:
    """What only several records together show."""
    found: dict[Source, list[Fault]] = {}

    def where(collection: str, slug: str) -> str:
        return content.shown(sources[collection][slug].path)

    for check_all in REGISTRY_CHECKS:
        for collection, slug, fault in check_all(known, where):
            found.setdefault(sources[collection][slug], []).append(fault)
    for source, faults in found.items():
        read.report(content, source, faults)


def counted(
    name: str,
    slugs: Iterable[str],
    projects: Table,
    symbols: Symbols,
    programs: Callable[[str], int],
) -> dict[str, Counted]:
    """What programs, or organizations, show of the records that belong to them; `programs` says how
    many an organization has.
    """
    if name not in ("programs", "organizations"):
        return {}
    facets = {slug: f"{KIND_OF[name]}/{slug}" for slug in slugs}
    parts = breakdowns(projects, symbols, facets.values())
    return {
        slug: Counted(
            projects.count(facet), programs(slug) if name == "organizations" else 0, parts[facet]
        )
        for slug, facet in facets.items()
    }
