"""A build of what changed: the rows of changed records into remembered tables, and just the files that this touches.

The output is the same, byte for byte, as a whole build's.  Whatever would touch much of it, or cannot be told apart from
a damaged log, is left to the whole build: registry.yaml, the generator itself, many records at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import generator.hosts
from generator.artifact import Artifact, BuildInfo, modules
from generator.build import inventory, publish, read
from generator.build.buildlog import Log, LogDamaged, Writer
from generator.build.changes import Changes
from generator.build.info import Moment
from generator.build.memory import overlaid, recall, remember_patch
from generator.build.patch import Change, Patch, patch, position
from generator.build.pipeline import check_registry, counts_of, known_of, problems_by_path, remembered_frame
from generator.build.report import Report, Sizes
from generator.build.rows import render
from generator.build.write import Tree, Workspace
from generator.checks import Known
from generator.content import COLLECTIONS, REGISTRY_FILE, Content, Source, scan
from generator.diagnostic import Diagnostic, is_error
from generator.emit.pages import page, slices, total_pages
from generator.emit.records import moved
from generator.facets import declared
from generator.kinds import KINDS
from generator.kinds.event import utc
from generator.kinds.frame import Frame, Target
from generator.link import link
from generator.query import Grammar, Slice
from generator.registry import Registry, Row, Table, upcoming
from generator.settings import Settings
from generator.validate import read_model

#: output -> its inputs and the paths it wrote, in the order in which they are rendered
Documents = dict[str, tuple[tuple[str, ...], list[str]]]
SMALL = ("organizations", "programs", "events")
#: With more changed records than this, and than a tenth of all, a whole build is sooner done.
_FEW = 1000


@dataclass(slots=True)
class Output:
    """The files to write and to remove, against what lies in the output."""

    out: Path
    tree: Tree
    had: inventory.Inventory
    sizes: Sizes
    written: dict[str, tuple[int, int]] = field(default_factory=dict)  # path -> mtime, size
    removed: dict[str, str] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)

    def put(self, surface: str, artifact: Artifact, why: str) -> None:
        """Write a file unless it is there with these bytes."""
        path, data = artifact
        was = inventory.lookup(self.had, path[1:], inventory.OUTPUT)
        if was is not None and self.removed.pop(path, None) is None:
            if was[1] == len(data) and (self.out / path[1:]).read_bytes() == data:
                return
            self.sizes.add(surface, -was[1], -1)
        _, mtime, size = self.tree.write(artifact)
        self.sizes.add(surface, size)
        self.written[path], self.why[path] = (mtime, size), why

    def drop(self, surface: str, path: str, why: str) -> None:
        """Remove a file, unless it is written again."""
        was = inventory.lookup(self.had, path[1:], inventory.OUTPUT)
        if was is not None and path not in self.written and path not in self.removed:
            self.sizes.add(surface, -was[1], -1)
            self.removed[path] = why


def rebuild(
    folder: str,
    workspace: Workspace,
    log: Log,
    found: Changes,
    moment: Moment,
    report: Report,
    *,
    strict: bool,
    fingerprint: str,
    began: int,
) -> bool:
    """Bring the output up to date; False, and a reason, where that takes a whole build.  Raises LogDamaged."""
    added, removed, changed = found.content
    touched = [*added, *removed, *changed]
    if REGISTRY_FILE in touched:
        report.reason = f"{REGISTRY_FILE} changed"
        return False
    head = log.head
    few = max(_FEW, sum(head["records"].values()) // 10)
    if len(touched) > few:
        report.reason = f"{len(touched):,} files of the content changed"
        return False
    small_touched = any(path.partition("/")[0] in SMALL for path in touched)
    renamed = bool(added or removed)
    content = scan(folder) if renamed or small_touched else Content(folder)
    fresh = {content.shown(path) for path in touched}
    kept = [Diagnostic(*p) for where, ps in head["problems"].items() if where not in fresh for p in ps]
    content.problems += [p for p in kept if not (renamed or small_touched) or p.code not in ("stray-file", "empty-registry")]

    with report.stage("read"):
        settings, unknown, seen = read.read_settings(content, modules(generator.hosts))
        grammar = settings.grammar()
        before = {name: recall(log, grammar.collections[name]) for name in COLLECTIONS}
        small: dict[str, read.Records] = {}
        old_targets = [{slug: Target(*t) for slug, t in targets.items()} for targets in head["frame"]]
        if small_touched:
            small = {name: read.read_records(content, KINDS[name]) for name in SMALL}
            for records in small.values():
                seen += records.seen
            broken = {name: small[name].broken for name in ("organizations", "programs")}
            frame = link(settings, grammar, small["organizations"].models, small["programs"].models, broken, unknown)
        else:
            frame = _frame(settings, grammar, old_targets)
        old_frame = _frame(settings, grammar, old_targets)

    with report.stage("projects"):
        sources = {path: Source(path.rpartition("/")[2].rpartition(".")[0], path) for path in (*added, *changed) if _is_record(path, "projects")}
        if small_touched:
            for name, records in small.items():
                read.check_records(content, KINDS[name], records, frame)
            dependents = _dependents(before["projects"], old_frame, frame)
            if len(dependents) > few:
                report.reason = f"{len(dependents):,} projects refer to what changed"
                return False
            sources |= {s.path: s for s in content.sources["projects"] if s.slug in dependents}
        tree = workspace.tree(whole=False)
        sizes = Sizes(head["sizes"])
        output = Output(workspace.out, tree, log.inventory("outputs"), sizes)
        taken: dict[str, Row] = {}
        artifacts: list[Artifact] = []

        def hold(artifact: Artifact) -> tuple[str, int, int]:
            artifacts.append(artifact)
            return artifact.path, 0, 0

        for done in read.take_projects(content, list(sources.values()), frame, 1, hold):
            for packed in done.rows:
                row = read.unpack_row(packed, {})
                taken[row.slug] = row
            seen += done.seen
            content.problems += [Diagnostic(*problem) for problem in done.problems]
        gone = {Path(path).stem for path in removed if _is_record(path, "projects")} - {s.slug for s in sources.values()}

    with report.stage("patch"):
        patches: dict[str, Patch] = {}
        patches["projects"] = _patched(before["projects"], taken, gone)
        projects = patches["projects"].table
        aliases = {name: dict(had) for name, had in head["aliases"].items()}
        _update(aliases["projects"], taken, gone)
        known = {"projects": Known(_Live(projects, head["aliases"]["projects"], set(taken)), {}, aliases["projects"])}
        if small_touched:
            known |= {name: known_of(records) for name, records in small.items()}
        where: dict[str, Any] = {"projects": _Sources(folder, sources.values()), **{name: records.sources for name, records in small.items()}}
        for name, paths in head["sources"].items():
            where.setdefault(name, {slug: Source(slug, path) for slug, path in paths.items()})
        check_registry(content, known, where)
        report.records = _records(head["records"], added, removed)
        if not any(report.records.values()):
            content.problem("", "empty-registry", "the registry has no record", "add one as projects/SLUG.yaml", warn=True)
        report.finish(content.problems, strict)
        if any(is_error(p) for p in content.problems) or report.failed:
            report.whole = False
            return True

    with report.stage("records"):
        rows: dict[str, dict[str, Row]] = {}
        rendered: dict[str, list[Artifact]] = {"projects": artifacts}
        lost = {"projects": gone}
        for name in SMALL:
            models = small[name].models if small else _recounted(content, name, patches["projects"], head["sources"][name])
            rows[name], rendered[name] = {}, []
            for slug, model in models.items():
                counts = counts_of(name, slug, projects.count, small) if small else _counts(name, slug, projects, before[name])
                rows[name][slug], artifact = render(KINDS[name], slug, model, frame, counts)
                rendered[name].append(artifact)
            lost[name] = set(head["sources"][name]) - set(models) if small else set()
            patches[name] = _patched(before[name], rows[name], lost[name])
            _update(aliases[name], rows[name], lost[name])
        # What goes is taken out first: its place may be taken by what comes.
        for name in COLLECTIONS:
            for slug in sorted(lost[name]):
                output.drop(f"{name}/slug", grammar.collections[name].record_path(slug), "the record is gone")
        moves = _moves(output, frame, head["aliases"], aliases)
        for name in COLLECTIONS:
            for artifact in rendered[name]:
                output.put(f"{name}/slug", artifact, "the record, what it refers to or what it counts changed")
        for name, artifact in moves:
            output.put(f"{name}/moved", artifact, "an alias changed")

    tables = {name: done.table for name, done in patches.items()}
    registry = Registry(settings, frame, moment.as_of, tables["projects"], tables["programs"], tables["organizations"], tables["events"])
    report.hosts = tuple(head["hosts"])
    new_day = head["moment"][1] != moment.as_of.isoformat()
    with report.stage("pages"):
        for name, result in patches.items():
            _pages(output, registry, result, old_frame, new_day=new_day and name == "events")
    with report.stage("documents"):
        noted = _noted(found, seen, began)
        inputs = inventory.patched(found.inputs, noted, inventory.INPUT)
        info = BuildInfo(utc(moment.at), moment.as_of, moment.revision, inventory.content_digest(inputs))
        stale = _stale(patches, before, aliases != head["aliases"])
        if frame.programs != old_frame.programs or frame.organizations != old_frame.organizations:
            stale.add("frame")
        if new_day:
            stale.add("as_of")
        if (info.generated_at, info.as_of.isoformat(), info.revision, info.content_digest) != (*head["moment"], head["digest"]):
            stale.add("info")
        documents = _documents(output, publish.Inputs(registry, info, output.sizes), stale, head)

    with report.stage("commit"):
        if output.written or output.removed:
            workspace.apply(tree, output.written, output.removed)
    report.whole = False
    report.sizes, report.written, report.removed = output.sizes, output.why, output.removed
    with report.stage("log"):
        writer = Writer(workspace.log, log)
        for name, result in patches.items():
            if result.touched:
                remember_patch(writer, log, name, result, {n: read.pack_row(row) for n, row in result.changed.items()})
            else:
                writer.keep(f"table-{name}", f"places-{name}")
                writer.keep_rows(name)
        writer.inventory("inputs", inputs)
        if output.written or output.removed:
            changes: dict[str, tuple[tuple[int, ...], bytes] | None] = {path[1:]: (stat, b"") for path, stat in output.written.items()}
            changes |= {path[1:]: None for path in output.removed}
            writer.inventory("outputs", inventory.patched(output.had, changes, inventory.OUTPUT))
        else:
            writer.keep("outputs")
        paths = {name: {slug: s.path for slug, s in records.sources.items()} for name, records in small.items()} or head["sources"]
        writer.finish(fingerprint, {
            **head, "moment": (info.generated_at, info.as_of.isoformat(), info.revision), "digest": info.content_digest,
            "frame": remembered_frame(frame), "documents": documents, "sizes": dict(output.sizes), "records": report.records,
            "problems": problems_by_path(content.problems), "sources": paths, "aliases": aliases,
        })  # fmt: skip
    return True


def _is_record(path: str, collection: str) -> bool:
    return path.startswith(collection + "/") and path.endswith((".yaml", ".yml"))


def _records(had: Mapping[str, int], added: Iterable[str], removed: Iterable[str]) -> dict[str, int]:
    """How many records there are now."""
    now = dict(had)
    for paths, step in ((added, 1), (removed, -1)):
        for path in paths:
            collection = path.partition("/")[0]
            if collection in now and _is_record(path, collection):
                now[collection] += step
    return now


def _frame(settings: Settings, grammar: Grammar, targets: Sequence[Mapping[str, Target]]) -> Frame:
    """The frame of the last build."""
    empty = link(settings, grammar, {}, {}, {"programs": set(), "organizations": set()})
    return replace(empty, programs=targets[0], organizations=targets[1])


def _dependents(projects: Table, old: Frame, new: Frame) -> set[str]:
    """The projects that show, or belong to, a program or an organization that is not what it was."""
    found: set[int] = set()
    for collection in ("programs", "organizations"):
        was, now = old.targets(collection), new.targets(collection)
        for slug, target in was.items():
            if now.get(slug) != target:
                found.update(projects.members.get(f"{collection[:-1]}/{slug}", ()))
    return {projects.rows[number].slug for number in found}


def _patched(before: Table, rows: Mapping[str, Row], gone: Iterable[str]) -> Patch:
    changes = []
    for slug, row in sorted(rows.items()):
        number = position(before, slug)
        was = before.rows[number] if number is not None else None
        if was != row:
            changes.append(Change(was, row))
    for slug in sorted(gone):
        number = position(before, slug)
        if number is None:
            raise LogDamaged
        changes.append(Change(before.rows[number], None))
    return patch(before, changes, lambda changed: overlaid(before, changed)) if changes else Patch(before, {})


def _update(aliases: dict[str, tuple[str, ...]], rows: Mapping[str, Row], gone: Iterable[str]) -> None:
    for slug in (*rows, *gone):
        aliases.pop(slug, None)
    aliases.update((slug, row.aliases) for slug, row in rows.items() if row.aliases)


class _Live:
    """The slugs of a table, looked up without reading it.

    What was an alias in the last build, which was good, is live only where a record of that slug has come since.
    """

    def __init__(self, table: Table, aliases: Mapping[str, tuple[str, ...]], fresh: set[str]):
        self.table, self.fresh = table, fresh
        self.aliases = {alias for held in aliases.values() for alias in held}

    def __contains__(self, slug: object) -> bool:
        if slug in self.fresh:
            return True
        return isinstance(slug, str) and slug not in self.aliases and position(self.table, slug) is not None


class _Sources(dict[str, Source]):
    """Where projects are; those that nobody looked at yet are looked for when they are asked for."""

    def __init__(self, folder: str, known: Iterable[Source]):
        super().__init__((source.slug, source) for source in known)
        self.folder = folder

    def __missing__(self, slug: str) -> Source:
        self.update((source.slug, source) for source in scan(self.folder).sources["projects"])
        return self.get(slug) or Source(slug, "projects")


def _recounted(content: Content, name: str, projects: Patch, paths: Mapping[str, str]) -> dict[str, Any]:
    """The programs, or organizations, whose number of projects changed."""
    models = {}
    for facet, positions in projects.touched.items():
        kind, _, slug = facet.partition("/")
        if positions is None and kind == name[:-1] and slug in paths:
            raw = content.read(paths[slug])
            model = read_model(raw, KINDS[name].model)[0] if raw is not None else None
            if model is None:
                raise LogDamaged
            models[slug] = model
    return models


def _counts(name: str, slug: str, projects: Table, before: Table) -> dict[str, int]:
    """What a program or an organization counts, when only projects changed."""
    number = position(before, slug)
    if number is None:
        raise LogDamaged
    counts = {"projects": projects.count(f"{name[:-1]}/{slug}")}
    if name == "organizations":
        counts["programs"] = before.rows[number].numbers[1] or 0
    return counts


def _moves(
    output: Output, frame: Frame, was: Mapping[str, Mapping[str, tuple[str, ...]]], now: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> list[tuple[str, Artifact]]:
    """Remove the files of aliases that are none any more; those to write, with their collection."""
    found = []
    for name, records in now.items():
        collection = frame.grammar.collections[name]
        before = {alias: slug for slug, aliases in was[name].items() for alias in aliases}
        after = {alias: slug for slug, aliases in records.items() for alias in aliases}
        for alias in sorted(before.keys() - after.keys()):
            output.drop(f"{name}/moved", collection.record_path(alias), "the alias is gone")
        for alias, slug in sorted(after.items()):
            if before.get(alias) != slug:
                found += [(name, artifact) for artifact in moved(collection, slug, [alias], frame.grammar)]
    return found


def _pages(output: Output, registry: Registry, result: Patch, old_frame: Frame, *, new_day: bool) -> None:
    """Write the pages that a patch touches, and remove those of slices that are shorter or gone."""
    table, frame = result.table, registry.frame
    collection, grammar, size = table.collection, frame.grammar, registry.settings.page_size
    parts: dict[Slice, set[int] | None] = {}
    for order, positions in result.touched.items():
        name, _, value = order.partition("/")
        parts[Slice(collection, name, value) if value else Slice(collection, sort=name if name != collection.sorts[0] else "")] = positions
    for name in ("program", "organization"):
        if name in collection.filters:
            for slug in old_frame.targets(name + "s").keys() ^ frame.targets(name + "s").keys():
                parts[Slice(collection, name, slug)] = None
    if new_day:
        parts = {part: None for part, _ in slices(table, frame, registry.as_of)}
    if collection is grammar.events and parts:
        parts[Slice(collection, "upcoming", "true")] = None
    known = declared(collection, frame)
    as_of = registry.as_of if collection is grammar.events else None
    for part, positions in parts.items():
        rows = upcoming(table, registry.as_of) if part.filter == "upcoming" else table.positions(part)
        there = part.filter in (None, "upcoming") or len(rows) or part.value in known[part.filter or ""]
        last = total_pages(len(rows), size) if there else 0
        surface = publish.surface(part)
        numbers = range(1, last + 1) if positions is None else sorted({p // size + 1 for p in positions})
        for number in numbers:
            summaries = [table.summaries[i] for i in rows[(number - 1) * size : number * size]]
            artifact = page(part, number, summaries, len(rows), size, grammar, as_of)
            output.put(surface, artifact, "the list is another length" if positions is None else "a record on this page changed")
        if positions is None:
            held = output.had.get(f"{part.folder[1:]}/page")
            for name in held.names.decode().split("\0") if held is not None else ():
                if int(name.partition(".")[0]) > last:
                    output.drop(surface, part.path(name.partition(".")[0]), "the list has fewer pages")


def _noted(found: Changes, seen: Iterable[read.Seen], began: int) -> dict[str, tuple[tuple[int, ...], bytes] | None]:
    """What to write into the inventory of inputs."""
    unread = ((0, 0, 0), inventory.NO_DIGEST)
    noted: dict[str, tuple[tuple[int, ...], bytes] | None] = dict.fromkeys(found.content.added, unread)
    noted.update(dict.fromkeys(found.content.removed))
    noted.update((path, (inventory.settled(stat, began), digest)) for path, stat, digest in seen)
    return noted


def _stale(patches: Mapping[str, Patch], before: Mapping[str, Table], aliases: bool) -> set[str]:
    """The inputs of documents that are not what they were."""
    stale = {"aliases"} if aliases else set()
    for name, result in patches.items():
        if result.touched:
            stale.add(name)
        if any(positions is None for positions in result.touched.values()) or result.table.labels != before[name].labels:
            stale.add("counts")
        if result.slugs_changed:
            stale.add("slugs")
    return stale


def _documents(
    output: Output, given: publish.Inputs, stale: set[str], head: Mapping[str, Any]
) -> Documents:
    """Render again what has a stale input; the paths of every output."""
    had: Documents = head["documents"]
    documents = dict(had)
    # In the order of the last build, in which those that need sizes come last.
    for name, (inputs, paths) in had.items():
        if "sizes" in inputs and output.sizes != head["sizes"]:
            stale.add("sizes")
        why = ", ".join(sorted(stale.intersection(inputs))) + " changed"
        if not stale.intersection(inputs):
            continue
        artifacts = list(publish.rendered(publish.document(name), given))
        for artifact in artifacts:
            output.put(artifact.path, artifact, why)
        documents[name] = inputs, [artifact.path for artifact in artifacts]
        for path in set(paths) - set(documents[name][1]):
            output.drop(path, path, why)
    return documents
