"""The build, as one function that reads like its diagram.

    content/*.yaml -read-> records -link-> Frame -take-> rows -tabulate-> Registry -render-> artifacts -commit-> build/

Problems are collected and returned; only bugs and the system raise.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

import generator.hosts
from generator.artifact import BuildInfo, modules
from generator.build import publish, read
from generator.build.info import Moment
from generator.build.rows import render
from generator.build.workers import WORTH_FORKING, processors
from generator.build.write import Tree, Workspace
from generator.checks import REGISTRY_CHECKS, Known
from generator.content import Content, Source, scan
from generator.diagnostic import Diagnostic, is_error, ordered
from generator.kinds import KINDS
from generator.kinds.event import utc
from generator.link import link
from generator.registry import Registry, Row, Table, tabulate

#: Tells how far a stage is: its name, items done, items in all.
Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Report:
    """What came of a build or a check; `records` and `written` are counted apart, so that they can be compared."""

    problems: list[Diagnostic] = field(default_factory=list)
    records: dict[str, int] = field(default_factory=dict)
    sizes: publish.Sizes = field(default_factory=publish.Sizes)
    hosts: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        return any(is_error(problem) for problem in self.problems)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Counts the time of what is done inside."""
        began = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began

    def finish(self, problems: list[Diagnostic], strict: bool) -> None:
        self.problems = ordered(replace(p, severity="error") if strict else p for p in problems)


def build(
    folder: str,
    out: Path,
    moment: Moment,
    *,
    hosts: tuple[str, ...] = (),
    jobs: int | None = None,
    strict: bool = False,
    progress: Progress = lambda name, done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> Report:
    """Build the content of `folder` into `out`; when the report has failed, nothing was touched there.

    With `strict`, warnings are errors.  Without `hosts`, those of registry.yaml are meant.  Raises OutputError,
    WorkerFailed and KeyboardInterrupt, all with the last output as it was.
    """
    report = Report()
    with _frugal(), Workspace(out, waiting) as workspace:
        tree = workspace.tree()
        content = scan(folder)
        registry, digests = load(content, moment.as_of, report, jobs=jobs, tree=tree, progress=progress)
        report.finish(content.problems, strict)
        if registry is None or report.failed:
            return report
        report.hosts = tuple(dict.fromkeys(hosts or registry.settings.hosts or ("netlify",)))
        info = BuildInfo(utc(moment.at), moment.as_of, moment.revision, _content_digest(digests))
        sizes = report.sizes
        inputs = {"settings": registry.settings, "frame": registry.frame, "as_of": moment.as_of, "info": info,
                  "sizes": sizes, **{table.collection.name: table for table in registry.tables}}  # fmt: skip
        first, last = publish.documents(report.hosts)
        with report.stage("pages"):
            written = publish.write_pages(registry, tree, _jobs(jobs, sum(report.records.values())))
        with report.stage("documents"):
            publish.write_moved(registry, tree, sizes)
            publish.write_documents(first, inputs, tree, sizes)
        with report.stage("pages"):
            for done in written:
                for surface, files, size in done:
                    sizes.add(surface, size, files)
        with report.stage("documents"):
            publish.write_documents(last, inputs, tree, sizes)
        with report.stage("commit"):
            workspace.commit(tree)
    return report


def check(folder: str, as_of: date, *, jobs: int | None = None, strict: bool = False) -> Report:
    """Every problem of the content; nothing is written."""
    report = Report()
    with _frugal():
        content = scan(folder)
        load(content, as_of, report, jobs=jobs)
        report.finish(content.problems, strict)
    return report


def load(
    content: Content,
    as_of: date,
    report: Report,
    *,
    jobs: int | None = None,
    tree: Tree | None = None,
    progress: Progress = lambda name, done, total: None,
) -> tuple[Registry | None, list[read.Digest]]:
    """Content -> the linked registry, and the identity of every file read; None when there are errors.

    Where there is a tree, the files of the records are written on the way: their texts need not be kept.
    """
    with report.stage("read"):
        settings, unknown, digests = read.read_settings(content, modules(generator.hosts))
        small = {name: read.read_records(content, KINDS[name]) for name in ("organizations", "programs", "events")}
        organizations, programs, events = small.values()
        for records in small.values():
            digests += records.digests
    with report.stage("link"):
        broken = {"organizations": organizations.broken, "programs": programs.broken}
        frame = link(settings, settings.grammar(), organizations.models, programs.models, broken, unknown)
        for name, records in small.items():
            read.check_records(content, KINDS[name], records, frame)
    rows: list[Row] = []
    total = len(content.sources["projects"])
    with report.stage("projects"):
        for taken in read.take_projects(content, frame, _jobs(jobs, total), tree):
            rows += read.rows_of(taken)
            digests += taken[1]
            content.problems += read.problems_of(taken)
            report.sizes.add("projects/slug", taken[3], len(taken[0]))
            progress("projects", len(digests), total)
    with report.stage("link"):
        _check_registry(content, small, rows)
        report.records = {"projects": total, **{name: len(content.sources[name]) for name in small}}
        if not any(report.records.values()):
            content.problem("", "empty-registry", "the registry has no record", "add one with: registry new project", warn=True)
    if any(is_error(problem) for problem in content.problems):
        return None, digests
    with report.stage("tabulate"):
        grammar = frame.grammar
        projects = tabulate(grammar.projects, rows)
        owned = Counter(program.organization for program in programs.models.values())
        tables: dict[str, Table] = {}
        for name, records in small.items():
            collection = grammar.collections[name]
            rows = []
            for slug, model in records.models.items():
                counts = {"projects": projects.count(f"{collection.kind}/{slug}")}
                if name == "organizations":
                    counts["programs"] = owned[slug]
                row, artifact = render(KINDS[name], slug, model, frame, counts)
                rows.append(row)
                if tree is not None:
                    report.sizes.add(f"{name}/slug", tree.write(artifact))
            tables[name] = tabulate(collection, rows)
    return Registry(settings, frame, as_of, projects, tables["programs"], tables["organizations"], tables["events"]), digests


def _check_registry(content: Content, small: dict[str, read.Records], projects: list[Row]) -> None:
    """What only several records together show."""
    sources = {"projects": {source.slug: source for source in content.sources["projects"]}}
    known = {"projects": [Known(row.slug, None, row.aliases) for row in projects]}
    for name, records in small.items():
        sources[name] = records.sources
        known[name] = [Known(slug, getattr(m, "parent", None), tuple(m.aliases or ())) for slug, m in records.models.items()]
    found: dict[Source, list[read.Fault]] = {}
    for check_registry in REGISTRY_CHECKS:
        for collection, slug, fault in check_registry(known):
            found.setdefault(sources[collection][slug], []).append(fault)
    for source, faults in found.items():
        read.report(content, source, faults)


def _content_digest(digests: list[read.Digest]) -> str:
    """SHA-256 over every file's path and identity, in the order of the paths."""
    lines = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" + digest for path, digest in sorted(digests))
    return "sha256:" + hashlib.sha256(lines).hexdigest()


def _jobs(asked: int | None, items: int) -> int:
    """As many processes as asked; else one for a small registry, and one for each processor."""
    return asked or (1 if items < WORTH_FORKING else processors())


@contextlib.contextmanager
def _frugal() -> Iterator[None]:
    """No cyclic garbage collection: a build makes many objects, no cycles to speak of, and then ends."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
