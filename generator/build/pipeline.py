"""The whole build, as one function that reads like its diagram.

    content/*.yaml -read-> records -link-> Frame -take-> rows -tabulate-> Registry -render-> artifacts -replace-> build/

Problems are collected and returned; only bugs and the system raise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import generator.hosts
from generator.agent.tools import CONTEXTS
from generator.api.artifact import Artifact, BuildInfo, modules, utc
from generator.api.diagnostic import Diagnostic, is_error
from generator.api.names import KIND_OF
from generator.build import inventory, publish, read
from generator.build.buildlog import Writer, identity
from generator.build.compress import SURFACE as COMPRESSED
from generator.build.compress import compress, compressors
from generator.build.head import Head, Targets
from generator.build.limits import judge
from generator.build.losses import Guard
from generator.build.memory import remember, remember_marks
from generator.build.options import Job
from generator.build.report import Progress, Report
from generator.build.rows import render
from generator.build.workers import WORTH_FORKING, Packs, processors
from generator.build.write import PathTaken, Written
from generator.hosts._patterns import former
from generator.outputs import context
from generator.outputs.pages import length
from generator.outputs.records import moved, moved_page
from generator.records.checks import REGISTRY_CHECKS, Known, Mark
from generator.records.faults import Fault
from generator.records.folder import COLLECTIONS, REGISTRY_FILE, Content, Source, scan
from generator.records.kinds import KINDS
from generator.records.link import link
from generator.records.symbols import Frame, Target
from generator.search.index import Index, Part, Seal, Vocabulary
from generator.tables.table import Batch, Gathering, Registry, Table, tabulate

NO_GUARD = Guard()


@dataclass(slots=True)
class Loaded:
    """Content as it was read: the registry, or None when there are errors, and what the build log notes of it."""

    registry: Registry | None = None
    small: dict[str, read.Records] = field(default_factory=dict)
    seen: Packs = field(default_factory=Packs)  # read.Seen
    marks: dict[str, dict[str, Mark]] = field(default_factory=dict)  # of each collection
    vocabularies: dict[str, Vocabulary] = field(default_factory=lambda: {name: Vocabulary() for name in COLLECTIONS})


def build_whole(job: Job, reason: str) -> None:
    """Build all of the content and put it in place; when the report has failed, nothing was touched."""
    options, workspace, moment, guard, report = job.options, job.workspace, job.moment, job.guard, job.report
    jobs, strict, precompress = options.jobs, options.strict, options.precompress
    compressors(precompress)
    content = scan(job.folder)
    tree = workspace.tree()
    files = Packs()

    def account(surface: str, written: list[Written]) -> None:
        files.extend(written)
        report.sizes.add(surface, sum(size for _, _, size in written), len(written))

    loaded = load(content, moment.as_of, report, guard, jobs=jobs, write=tree.write, account=account,
                  progress=options.progress)  # fmt: skip
    report.finish(content.problems, strict)
    registry = loaded.registry
    if registry is None or report.failed:
        return
    report.hosts = tuple(dict.fromkeys(options.hosts or registry.settings.hosts or ("netlify",)))
    inputs = _inputs(content, loaded, job.began)
    info = BuildInfo(utc(moment.at), moment.as_of, moment.revision, inventory.content_digest(inputs))
    with report.stage("index"):
        indexes = {
            table.collection.name: _index(table, loaded.vocabularies[table.collection.name], registry) for table in registry.tables
        }
    with report.stage("pages"):
        lists = publish.write_lists(registry, indexes, tree, _jobs(jobs, sum(report.records.values())))
    documents: dict[str, list[str]] = {}
    grammar, given = registry.frame.grammar, publish.Inputs(registry, info, report.sizes)
    with report.stage("documents"):
        for table in registry.tables:
            for slug, aliases in table.aliases.items():
                for artifact in moved(table.collection, slug, aliases, grammar):
                    account(f"{table.collection.name}/moved", [tree.write(artifact)])
        for _, was, now in [] if publish.redirect(report.hosts) else former(grammar, given.aliases):
            for number in range(1, length(registry, now) + 1):
                account(f"{was.collection.name}/moved", [tree.write(moved_page(was, now, number, grammar))])
        outputs = publish.documents(report.hosts)
        for out in outputs:
            if "sizes" not in out.inputs:
                documents[out.name] = _write(publish.rendered(out, given), out.name, documents, tree.write, account)
    seals: dict[str, dict[Part, Seal]] = {name: {} for name in indexes}
    with report.stage("pages"):
        for done in lists:
            for surface, written in done.written:
                account(surface, written)
            for name, part, seal in done.seals:
                seals[name][part] = seal
    with report.stage("index"):
        for name, index in indexes.items():
            account("index", [tree.write(index.manifest(seals[name]))])
    with report.stage("documents"):
        for out in outputs:
            if "sizes" in out.inputs:
                documents[out.name] = _write(publish.rendered(out, given), out.name, documents, tree.write, account)
    with report.stage("compress"):
        for written in compress(tree, list(files) if precompress else [], precompress, _jobs(jobs, sum(report.records.values()))):
            account(COMPRESSED, written)
    made = inventory.gathered(files)
    warnings, report.too_large = judge(
        made, publish.rules(tree.root), report.hosts, content.shown(REGISTRY_FILE), registry.settings.base_url
    )
    content.problems += warnings
    report.finish(content.problems, strict)
    if report.failed:
        return
    # The log is written before the output is put in place, where it may still fail, and takes effect after it.
    with Writer(workspace.log, job.log) as writer:
        with report.stage("log"):
            tables = {table.collection.name: table for table in registry.tables}
            for name, table in tables.items():
                remember(writer, name, table)
            remember_marks(writer, loaded.marks)
            writer.inventory("inputs", inputs)
            writer.inventory("outputs", made)
            small = loaded.small.items()
            writer.prepare(Head(
                fingerprint=job.fingerprint, folder=identity(content.folder),
                moment=(info.generated_at, info.as_of.isoformat(), info.revision), digest=info.content_digest,
                frame=remembered_frame(registry.frame), documents=documents, sizes=report.sizes,
                records=report.records, kept=guard.kept(report.records), allow_loss=bool(registry.settings.allow_loss),
                hosts=report.hosts, precompress=precompress, too_large=report.too_large, problems=remembered(content.problems),
                index={name: (index.weight, index.margins) for name, index in indexes.items()},
                sources={name: {slug: source.path for slug, source in records.sources.items()} for name, records in small},
                packed={name: size for name, (_, size) in writer.blobs.items()},
                aliases={name: dict(table.aliases) for name, table in tables.items()},
            ))  # fmt: skip
        with report.stage("commit"):
            workspace.replace(tree, content.folder)
            writer.finish()
    report.written = dict.fromkeys((path for path, _, _ in files), reason)


def _inputs(content: Content, loaded: Loaded, began: int) -> dict[str, inventory.Folder]:
    noted = {path: (inventory.settled(stat, began), digest) for path, stat, digest in loaded.seen}
    loaded.seen = Packs()
    return inventory.of_inputs(content.names, noted)


def _index(table: Table, vocabulary: Vocabulary, registry: Registry) -> Index:
    """The index of a table whose rows lie in the default order."""
    ranks = {slug: position for position, slug in enumerate(table.slugs)}
    vocabulary.ranks = [ranks[slug] for slug in vocabulary.slugs]
    return Index(table, range(len(table)), vocabulary, registry.frame, registry.settings.page_size, registry.as_of)


def _write(
    artifacts: Any,
    name: str,
    documents: Mapping[str, list[str]],
    write: Callable[[Artifact], Written],
    account: Callable[[str, list[Written]], None],
) -> list[str]:
    """Write an output's artifacts; their paths.  Raises PathTaken, naming both, when two outputs have one path."""
    paths = []
    for artifact in artifacts:
        try:
            account(artifact.path, [write(artifact)])
        except PathTaken:
            others = [other for other, had in documents.items() if artifact.path in had] or ["pages or records"]
            raise PathTaken(f"{artifact.path} is written by {others[0]} and by {name}") from None
        paths.append(artifact.path)
    return paths


def remembered_frame(frame: Frame) -> tuple[Targets, Targets]:
    """What other records refer to, as plain data."""
    return _plain(frame.programs), _plain(frame.organizations)


def _plain(targets: Mapping[str, Target]) -> Targets:
    return {slug: tuple(target) for slug, target in targets.items()}  # type: ignore[misc]  # a Target has just these


def remembered(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The problems that the next build says again: that records are gone is held against it anew."""
    return [problem for problem in problems if problem.code != "records-lost"]


def check(
    folder: str,
    as_of: date,
    guard: Guard = NO_GUARD,
    *,
    jobs: int | None = None,
    strict: bool = False,
    files: Collection[str] = (),
) -> Report:
    """Every problem of the content; with `files`, paths below it, only those of these and of registry.yaml.

    The files are held against all others, whose problems are only counted.  Nothing is written.
    """
    report = Report(earlier=guard.earlier)
    content = scan(folder)
    load(content, as_of, report, guard, jobs=jobs)
    found = content.problems
    if files:
        wanted = {content.shown(path) for path in (*files, REGISTRY_FILE, "")}
        found = [problem for problem in found if problem.path in wanted]
        report.elsewhere = len(content.problems) - len(found)
    report.finish(found, strict)
    return report


def load(
    content: Content,
    as_of: date,
    report: Report,
    guard: Guard = NO_GUARD,
    *,
    jobs: int | None = None,
    write: Callable[[Artifact], Written] | None = None,
    account: Callable[[str, list[Written]], None] = lambda surface, written: None,
    progress: Progress = lambda name, done, total: None,
) -> Loaded:
    """Content -> the linked registry.

    Where there is `write`, the files of the records are written on the way: their texts need not be kept.
    """
    loaded = Loaded()
    small = loaded.small
    with report.stage("read"):
        read.tell_astray(content)
        settings, unknown, seen = read.read_settings(content, modules(generator.hosts))
        small |= {name: read.read_records(content, KINDS[name]) for name in ("organizations", "programs", "events")}
        for some in (seen, *(records.seen for records in small.values())):
            loaded.seen.extend(some)
    with report.stage("link"):
        broken = {name: small[name].broken for name in ("organizations", "programs")}
        frame = link(
            settings, settings.grammar(), small["organizations"].models, small["programs"].models, broken, unknown, as_of.year
        )
        for name, records in small.items():
            read.check_records(content, KINDS[name], records, frame)
    if any(map(is_error, content.problems)):  # nothing of it will be published; two files may have one slug
        write = None
    gathering = Gathering()
    marks: dict[str, Mark] = {}
    total = len(content.sources["projects"])
    with report.stage("projects"):
        for taken in read.take_projects(content, content.sources["projects"], frame, _jobs(jobs, total), write):
            for slug, terms, held in zip(gathering.add(Batch(*taken.rows)), taken.terms, taken.marks, strict=True):
                marks[slug] = held
                if write is not None:
                    loaded.vocabularies["projects"].add(slug, terms)
            loaded.seen.extend(taken.seen)
            content.problems += [Diagnostic.unpack(problem) for problem in taken.problems]
            account("projects/slug", taken.written)
            progress("projects", len(gathering.slugs), total)
    with report.stage("link"):
        known = {
            "projects": Known(set(gathering.slugs), {}, gathering.aliases, marks),
            **{name: known_of(name, records) for name, records in small.items()},
        }
        loaded.marks = {name: dict(names.marks) for name, names in known.items()}
        sources = {"projects": {s.slug: s for s in content.sources["projects"]}, **{n: r.sources for n, r in small.items()}}
        check_registry(content, known, sources)
        report.records = {"projects": total, **{name: len(content.sources[name]) for name in small}}
        read.check_any(content, report.records)
        content.problems += guard.problems(content, report.records, settings.allow_loss)
    if any(is_error(problem) for problem in content.problems):
        return loaded
    with report.stage("tabulate"):
        projects = gathering.table(frame.grammar.projects)
        tables: dict[str, Table] = {}
        artifacts: dict[str, list[Artifact]] = {}
        for name, records in small.items():
            done = [
                render(KINDS[name], slug, model, frame, counts_of(name, slug, projects.count, small))
                for slug, model in records.models.items()
            ]
            if write is not None:
                account(f"{name}/slug", [write(made.artifact) for made in done])
            for made in done:
                loaded.vocabularies[name].add(made.row.slug, made.terms)
            artifacts[name] = [made.artifact for made in done]
            tables[name] = tabulate(frame.grammar.collections[name], [made.row for made in done])
    if write is not None:
        for name in CONTEXTS:
            made_of = (context.of_record(record, name, settings, frame, tables["events"]) for record in artifacts[name])
            account(f"{name}/context", [write(artifact) for artifact in made_of])
    loaded.registry = Registry(settings, frame, as_of, projects, tables["programs"], tables["organizations"], tables["events"])
    return loaded


def known_of(name: str, records: read.Records) -> Known:
    models = records.models.items()
    parents = {slug: model.parent for slug, model in models if getattr(model, "parent", None) is not None}
    aliases = {slug: tuple(model.aliases) for slug, model in models if model.aliases}
    return Known(records.models.keys(), parents, aliases, {slug: read.marked(name, model) for slug, model in models})


def check_registry(content: Content, known: Mapping[str, Known], sources: Mapping[str, Mapping[str, Source]]) -> None:
    """What only several records together show."""
    found: dict[Source, list[Fault]] = {}

    def where(collection: str, slug: str) -> str:
        return content.shown(sources[collection][slug].path)

    for check_all in REGISTRY_CHECKS:
        for collection, slug, fault in check_all(known, where):
            found.setdefault(sources[collection][slug], []).append(fault)
    for source, faults in found.items():
        read.report(content, source, faults)


def counts_of(name: str, slug: str, projects: Callable[[str], int], small: Mapping[str, read.Records]) -> dict[str, int]:
    """What a program or an organization shows of other collections; `projects` counts those of a facet."""
    if name == "events":
        return {}
    counts = {"projects": projects(f"{KIND_OF[name]}/{slug}")}
    if name == "organizations":
        owners = small["programs"].owners
        counts["programs"] = owners[slug]
    return counts


def _jobs(asked: int | None, items: int) -> int:
    """As many processes as asked; else one for a small registry, and one for each processor."""
    return asked or (1 if items < WORTH_FORKING else processors())
