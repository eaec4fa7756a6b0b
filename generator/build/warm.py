"""A build of what changed: the rows of changed records into remembered tables, and just the files
that this touches.

The output is the same, byte for byte, as a whole build's.  Whatever would touch much of it, or
cannot be told apart from a damaged log, is left to the whole build: registry.yaml, the generator
itself, many records at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import generator.hosts
from generator.agent.tools import CONTEXTS
from generator.api.artifact import Artifact, BuildInfo, modules, utc
from generator.api.diagnostic import Diagnostic, is_error
from generator.api.grammar import Grammar
from generator.api.names import KIND_OF
from generator.api.paths import agent_context
from generator.build import inventory, publish, read
from generator.build.buildlog import Log, Writer
from generator.build.changes import Changes
from generator.build.compress import compress_changes
from generator.build.head import Head
from generator.build.limits import judge
from generator.build.load import check_registry, counted, known_of
from generator.build.memory import overlaid, recall, recall_marks, remember_marks, remember_patch
from generator.build.options import Job
from generator.build.pipeline import remembered, remembered_symbols
from generator.build.plain import LogDamaged, is_below
from generator.build.reindex import reindex
from generator.build.report import Outcome, Part, Sizes, Whole
from generator.build.rows import NOTHING, Rendered, render
from generator.build.update import (
    Aliases,
    Output,
    moves,
    write_documents,
    write_moved_pages,
    write_pages,
)
from generator.outputs import context
from generator.records.checks import Known, Mark
from generator.records.checks.twins import related
from generator.records.folder import COLLECTIONS, REGISTRY_FILE, Content, Source, is_record, scan
from generator.records.kinds import KINDS
from generator.records.link import link
from generator.records.settings import Settings
from generator.records.symbols import Symbols, Target
from generator.records.validate import read_model
from generator.tables.patch import Change, Patch, patch, position
from generator.tables.table import Batch, Registry, Row, Table, packed_fields

SMALL = ("organizations", "programs", "events")
#: With more changed records than this, and than a tenth of all, a whole build is sooner done.
_FEW = 1000


class _Whole(Exception):
    """A whole build is called for; the text says why."""


@dataclass(slots=True)
class _Now:
    """The content as it is, as far as it was read again.

    `small` is empty where no organization, program or event changed; then they are as the log has
    them.
    """

    content: Content
    settings: Settings
    symbols: Symbols
    small: dict[str, read.Records]
    seen: list[read.Seen]


@dataclass(slots=True)
class _Records:
    """Records of one collection that are new or changed, rendered; and the slugs of those that are
    gone.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    terms: dict[str, str] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    artifacts: list[Artifact] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)

    def add(self, made: Rendered) -> None:
        slug = made.row.slug
        self.rows[slug], self.terms[slug] = made.row, made.terms
        self.artifacts.append(made.artifact)


def rebuild(job: Job, log: Log, found: Changes) -> Outcome:
    """Bring the output up to date; `Whole`, with nothing done, where that takes a whole build.
    Raises LogDamaged.
    """
    workspace, moment, guard, report, strict = (
        job.workspace,
        job.moment,
        job.guard,
        job.report,
        job.options.strict,
    )
    try:
        with report.stage("read"):
            now, old_symbols, before = _read(job.folder, log, found, moment.as_of.year)
        with report.stage("projects"):
            changed = {"projects": _projects(now, found, old_symbols, before["projects"], log.head)}
    except _Whole as why:
        return Whole(str(why))
    content, head = now.content, log.head
    with report.stage("patch"):
        patches = {"projects": _patched(before["projects"], changed["projects"])}
        report.records = _count(head.records, found)
        content.problems += guard.problems(content, report.records, now.settings.allow_loss)
        marks = _check(
            job.folder, now, patches["projects"].table, changed["projects"], log, report.records
        )
        report.finish(content.problems, strict)
        if report.failed or any(is_error(problem) for problem in content.problems):
            return Part()
        for name in SMALL:
            changed[name] = _small(name, now, patches["projects"], before[name], head.sources[name])
            patches[name] = _patched(before[name], changed[name])
        tables = {name: result.table for name, result in patches.items()}
        aliases = {name: dict(table.aliases) for name, table in tables.items()}
        registry = Registry(now.settings, now.symbols, moment.as_of, tables["projects"], tables["programs"],
                            tables["organizations"], tables["events"])  # fmt: skip
        inputs = inventory.patched(
            found.inputs, _noted(found, now.seen, job.began), inventory.INPUT
        )
        info = BuildInfo(
            utc(moment.at), moment.as_of, moment.revision, inventory.content_digest(inputs)
        )
        stale = _stale(patches, before, old_symbols, now.symbols, head, aliases, info)

    tree = workspace.tree(whole=False)
    output = Output(workspace.out, tree, found.outputs, Sizes(head.sizes))
    with report.stage("records"):
        _write_records(output, now.symbols, changed, head.aliases, aliases)
        _write_contexts(output, registry, changed, patches["events"])
    given = publish.Inputs(registry, info, output.sizes)
    with report.stage("pages"):
        for name, result in patches.items():
            write_pages(
                output, registry, result, old_symbols, new_day="as_of" in stale and name == "events"
            )
        if not publish.redirect(head.hosts):
            write_moved_pages(output, registry, head.aliases, given.aliases)
    with report.stage("index"):
        kept = {
            name: reindex(output, before[name], result, changed[name].terms, registry, old_symbols, head.index[name],
                          new_day="as_of" in stale)
            for name, result in patches.items()
        }  # fmt: skip
    with report.stage("documents"):
        documents = write_documents(output, given, stale, head)
    with report.stage("compress"):
        compress_changes(output, head.precompress)
    outputs = output.inventory()
    warnings, report.too_large = judge(
        outputs,
        publish.rules(tree.root, workspace.out),
        head.hosts,
        content.shown(REGISTRY_FILE),
        registry.settings.base_url,
    )
    content.problems += warnings
    report.finish(content.problems, strict)
    if report.failed:
        return Part()
    with Writer(workspace.log, log) as writer:
        with report.stage("log"):
            for name, result in patches.items():
                if result.touched:
                    remember_patch(
                        writer,
                        name,
                        result,
                        {n: (packed_fields(row), row.summary) for n, row in result.changed.items()},
                    )
                else:
                    writer.keep(f"table-{name}", f"places-{name}")
                    writer.keep_rows(name)
            remember_marks(writer, marks)
            writer.inventory("inputs", inputs)
            writer.inventory("outputs", outputs)
            sources = {
                name: {slug: s.path for slug, s in records.sources.items()}
                for name, records in now.small.items()
            }
            writer.prepare(replace(
                head, moment=(info.generated_at, info.as_of.isoformat(), info.revision), digest=info.content_digest,
                symbols=remembered_symbols(now.symbols), documents=documents, sizes=output.sizes,
                records=report.records, kept=guard.kept(report.records), problems=remembered(content.problems),
                sources=sources or head.sources, aliases=aliases, index=kept, too_large=report.too_large,
            ))  # fmt: skip
        with report.stage("commit"):
            if output.written or output.removed:
                workspace.apply(
                    tree, {path: size for path, (_, size) in output.written.items()}, output.removed
                )
            writer.finish()
    report.hosts, report.sizes, report.written, report.removed = (
        head.hosts,
        output.sizes,
        output.why,
        output.removed,
    )
    return Part()


def _few(head: Head) -> int:
    return max(_FEW, sum(head.records.values()) // 10)


def _read(
    folder: str, log: Log, found: Changes, this_year: int
) -> tuple[_Now, Symbols, dict[str, Table]]:
    """What everything is linked against, as it is and as it was, and the tables as they were.
    Raises _Whole.
    """
    head = log.head
    touched = [*found.content.added, *found.content.removed, *found.content.changed]
    first, last = sorted((int(head.moment[1][:4]), this_year))
    if first < last and any(
        first < held[2] <= last for marks in recall_marks(log).values() for held in marks.values()
    ):
        raise _Whole("it is for another year, in which other values are plausible")
    if REGISTRY_FILE in touched:
        raise _Whole(f"{REGISTRY_FILE} changed")
    if len(touched) > _few(head):
        raise _Whole(f"{len(touched):,} files of the content changed")
    if any(size > 4 * max(head.packed[name], 1 << 24) for name, (_, size) in head.rows.items()):
        raise _Whole("the build log has grown long")
    relink = any(path.partition("/")[0] in SMALL for path in touched)
    rescan = relink or bool(found.content.added or found.content.removed)
    content = scan(folder) if rescan else Content(folder)
    if rescan:
        _agree(content, found, head.records)
        read.tell_astray(content)
    fresh = {content.shown(path) for path in touched}
    small_paths = tuple(content.shown(f"{name}/") for name in SMALL)
    # A scan says again what it says of names; all else that was said of unchanged files still
    # holds.
    again = (
        ("stray-file", "empty-registry", "host-limit", "no-base-url")
        if rescan
        else ("host-limit", "no-base-url")
    )
    content.problems += [
        p for p in head.problems
        if p.code not in again and p.path not in fresh and not (relink and p.path.startswith(small_paths))
    ]  # fmt: skip
    settings, unknown, seen = read.read_settings(content, modules(generator.hosts))
    grammar = settings.grammar()
    old_symbols = symbols = _symbols(
        settings,
        grammar,
        [{slug: Target(*t) for slug, t in had.items()} for had in head.symbols],
        head.aliases,
        this_year,
    )
    small: dict[str, read.Records] = {}
    if relink:
        small = {name: read.read_records(content, KINDS[name]) for name in SMALL}
        broken = {name: small[name].broken for name in ("organizations", "programs")}
        symbols = link(
            settings,
            grammar,
            small["organizations"].models,
            small["programs"].models,
            broken,
            unknown,
            this_year,
        )
        for name, records in small.items():
            seen += records.seen
            read.check_records(content, KINDS[name], records, symbols)
    before = {name: recall(log, grammar.collections[name]) for name in COLLECTIONS}
    return _Now(content, settings, symbols, small, seen), old_symbols, before


def _agree(content: Content, found: Changes, had: Mapping[str, int]) -> None:
    """That a scan sees the files which the look at the inputs saw.  Raises _Whole where it does
    not.
    """
    names = {
        here: b"\0".join(sorted(map(os.fsencode, held))) for here, held in content.names.items()
    }
    records = {name: len(sources) for name, sources in content.sources.items()}
    if names != {here: held.names for here, held in found.seen.items()} or records != _count(
        had, found
    ):
        raise _Whole("the content is not what a look at its files makes of it")


def _projects(
    now: _Now, found: Changes, old_symbols: Symbols, before: Table, head: Head
) -> _Records:
    """Take the projects that changed, and those that show something that did.  Raises _Whole."""
    paths = [path for path in (*found.content.added, *found.content.changed) if _is_project(path)]
    sources = {path: Source(path.rpartition("/")[2].rpartition(".")[0], path) for path in paths}
    if now.small:
        dependents = _dependents(before, old_symbols, now.symbols)
        if len(dependents) > _few(head):
            raise _Whole(f"{len(dependents):,} projects refer to what changed")
        again = {
            source.path: source
            for source in now.content.sources["projects"]
            if source.slug in dependents
        }
        retold = {now.content.shown(path) for path in again}
        now.content.problems = [p for p in now.content.problems if p.path not in retold]
        sources |= again
    taken = _Records()

    done, taken.artifacts = read.read_projects(
        list(sources.values()), now.content.folder, now.symbols
    )
    for row, terms, held in zip(Batch(*done.rows).rows(), done.terms, done.marks, strict=True):
        taken.rows[row.slug], taken.terms[row.slug], taken.marks[row.slug] = row, terms, held
    now.seen += done.seen
    now.content.problems += [Diagnostic.unpack(problem) for problem in done.problems]
    gone = {Path(path).stem for path in found.content.removed if _is_project(path)}
    taken.gone = gone - {source.slug for source in sources.values()}
    return taken


def _check(
    folder: str,
    now: _Now,
    projects: Table,
    changed: _Records,
    log: Log,
    records: Mapping[str, int],
) -> dict[str, dict[str, Mark]]:
    """What only several records together show; the marks of all records now."""
    was = recall_marks(log)
    marks = {
        slug: held for slug, held in was["projects"].items() if slug not in changed.gone
    } | changed.marks
    fresh = related(was["projects"], marks, changed.gone | changed.rows.keys())
    begin = now.content.shown("projects/")
    now.content.problems = [
        p for p in now.content.problems
        if p.code != "same-record" or not p.path.startswith(begin) or Path(p.path).stem not in fresh
    ]  # fmt: skip
    live = _Live(projects, log.head.aliases["projects"], set(changed.rows))
    known = {"projects": Known(live, {}, projects.aliases, marks, fresh)}
    known |= {name: known_of(name, had) for name, had in now.small.items()}
    where: dict[str, Any] = {
        "projects": _Sources(folder),
        **{name: had.sources for name, had in now.small.items()},
    }
    check_registry(now.content, known, where)
    read.check_any(now.content, records)
    return was | {name: dict(names.marks) for name, names in known.items()}


def _small(
    name: str, now: _Now, projects: Patch, before: Table, paths: Mapping[str, str]
) -> _Records:
    """Render organizations, programs or events: all where any changed, else those whose projects
    are others, or have other facets.
    """
    done = _Records()
    models = now.small[name].models if now.small else _recounted(now.content, name, projects, paths)
    programs = now.small["programs"].count if now.small else lambda slug: _programs(slug, before)
    counts = counted(name, models, projects.table, now.symbols, programs)
    for slug, model in models.items():
        done.add(render(KINDS[name], slug, model, now.symbols, counts.get(slug, NOTHING)))
    if now.small:
        done.gone = set(paths) - set(models)
    return done


def _write_records(
    output: Output, symbols: Symbols, changed: Mapping[str, _Records], was: Aliases, now: Aliases
) -> None:
    # What goes is taken out first: its place may be taken by what comes.
    for name, records in changed.items():
        for slug in sorted(records.gone):
            output.drop(
                f"{name}/slug",
                symbols.grammar.collections[name].record_path(slug),
                "the record is gone",
            )
    moving = moves(output, symbols, was, now)
    for name, records in changed.items():
        for artifact in records.artifacts:
            output.put(
                f"{name}/slug", artifact, "the record, what it refers to or what it counts changed"
            )
    for name, artifact in moving:
        output.put(f"{name}/moved", artifact, "an alias changed")


def _write_contexts(
    output: Output, registry: Registry, changed: Mapping[str, _Records], dates: Patch
) -> None:
    """The contexts of records whose file was written just now, or whose events changed."""
    for name in CONTEXTS:
        surface = f"{name}/context"
        for slug in sorted(changed[name].gone):
            output.drop(surface, agent_context(name, slug), "the record is gone")
        for record in changed[name].artifacts:
            if (
                record.path in output.written
                or f"{KIND_OF[name]}/{Path(record.path).stem}" in dates.touched
            ):
                artifact = context.of_record(
                    record, name, registry.settings, registry.symbols, registry.events
                )
                output.put(surface, artifact, "the record or one of its events changed")


def _noted(
    found: Changes, seen: Iterable[read.Seen], began: int
) -> dict[str, tuple[inventory.Stat, bytes] | None]:
    """What to write into the inventory of inputs."""
    noted: dict[str, tuple[inventory.Stat, bytes] | None] = dict.fromkeys(
        found.content.added, ((0, 0, 0), inventory.NO_DIGEST)
    )
    noted.update(dict.fromkeys(found.content.removed))
    noted.update((path, (inventory.settled(stat, began), digest)) for path, stat, digest in seen)
    return noted


def _stale(
    patches: Mapping[str, Patch],
    before: Mapping[str, Table],
    old_symbols: Symbols,
    symbols: Symbols,
    head: Head,
    aliases: Aliases,
    info: BuildInfo,
) -> set[str]:
    """The inputs of documents (see generator.api.artifact) that are not what they were; sizes are
    known later.
    """
    stale = set()
    for name, result in patches.items():
        if result.touched:
            stale.add(name)
        if (
            any(positions is None for positions in result.touched.values())
            or result.table.labels != before[name].labels
        ):
            stale.add("counts")
        if result.slugs_changed:
            stale.add("slugs")
    if aliases != head.aliases:
        stale.add("aliases")
    if (
        symbols.programs != old_symbols.programs
        or symbols.organizations != old_symbols.organizations
    ):
        stale.add("symbols")
    at, as_of, revision = head.moment
    if as_of != info.as_of.isoformat():
        stale.add("as_of")
    if (at, as_of, revision, head.digest) != (
        info.generated_at,
        info.as_of.isoformat(),
        info.revision,
        info.content_digest,
    ):
        stale.add("info")
    return stale


def _is_project(path: str) -> bool:
    return path.startswith("projects/") and is_record(path)


def _count(had: Mapping[str, int], found: Changes) -> dict[str, int]:
    """How many records there are now."""
    now = dict(had)
    for paths, step in ((found.content.added, 1), (found.content.removed, -1)):
        for path in paths:
            if is_record(path):
                now[path.partition("/")[0]] += step
    return now


def _symbols(
    settings: Settings,
    grammar: Grammar,
    targets: Sequence[Mapping[str, Target]],
    aliases: Aliases,
    this_year: int,
) -> Symbols:
    """The symbols of the last build."""
    empty = link(
        settings, grammar, {}, {}, {"programs": set(), "organizations": set()}, this_year=this_year
    )
    renamed = {
        name: {a: slug for slug, had in aliases[name].items() for a in had}
        for name in ("programs", "organizations")
    }
    return replace(empty, programs=targets[0], organizations=targets[1], renamed=renamed)


def _dependents(projects: Table, old: Symbols, new: Symbols) -> set[str]:
    """The projects that show, or belong to, a program or an organization that is not what it was."""
    found: set[int] = set()
    for collection in ("programs", "organizations"):
        was, now = old.targets(collection), new.targets(collection)
        for slug, target in was.items():
            if now.get(slug) != target:
                found.update(projects.members.get(f"{KIND_OF[collection]}/{slug}", ()))
    return {projects.rows[number].slug for number in found}


def _patched(before: Table, changed: _Records) -> Patch:
    changes = []
    for slug, row in sorted(changed.rows.items()):
        number = position(before, slug)
        was = before.rows[number] if number is not None else None
        if was != row:
            changes.append(Change(was, row))
    for slug in sorted(changed.gone):
        number = position(before, slug)
        if number is None:
            raise LogDamaged
        changes.append(Change(before.rows[number], None))
    return (
        patch(before, changes, lambda rows: overlaid(before, rows))
        if changes
        else Patch(before, {})
    )


class _Live:
    """The slugs of a table, looked up without reading it.

    What was an alias in the last build, which was good, is live only where a record of that slug
    has come since.
    """

    def __init__(self, table: Table, aliases: Mapping[str, tuple[str, ...]], fresh: set[str]):
        self.table, self.fresh = table, fresh
        self.aliases = {alias for held in aliases.values() for alias in held}

    def __contains__(self, slug: object) -> bool:
        if slug in self.fresh:
            return True
        return (
            isinstance(slug, str)
            and slug not in self.aliases
            and position(self.table, slug) is not None
        )


class _Sources(dict[str, Source]):
    """Where projects are; looked for when the first is asked for."""

    def __init__(self, folder: str):
        super().__init__()
        self.folder = folder

    def __missing__(self, slug: str) -> Source:
        self.update((source.slug, source) for source in scan(self.folder).sources["projects"])
        return self.get(slug) or Source(slug, "projects")


def _recounted(
    content: Content, name: str, projects: Patch, paths: Mapping[str, str]
) -> dict[str, Any]:
    """The programs, or organizations, of projects that came, went or have other facets."""
    models = {}
    for facet in sorted(projects.regrouped):
        kind, _, slug = facet.partition("/")
        if kind == KIND_OF[name] and slug in paths:
            if not is_below(paths[slug]) or not is_record(paths[slug]):
                raise LogDamaged
            raw = content.read(paths[slug])
            model = read_model(raw, KINDS[name].model)[0] if raw is not None else None
            if model is None:
                raise LogDamaged
            models[slug] = model
    return models


def _programs(slug: str, organizations: Table) -> int:
    """How many programs an organization has, when only projects changed."""
    number = position(organizations, slug)
    if number is None:
        raise LogDamaged
    return organizations.rows[number].numbers[1] or 0
