"""A build, as one function that reads like its diagram.

    content/*.yaml -> symbols -> rows -> tables -> pages, index, documents, site -> build/

Each stage takes and returns values.  What the last build made is taken from the cache where all
that it was made of is the same; a build of everything is one with an empty cache.  Problems are
values that are collected and reported together; only bugs and the system raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from generator.build import documents as publish
from generator.build.cache.compare import Inputs
from generator.build.cache.inventory import NO_DIGEST, NO_STAT, content_digest, inventory, stable
from generator.build.executors import Executor
from generator.build.guards import CODES
from generator.build.history import history_of
from generator.build.index import Parts, index_of
from generator.build.limits import beyond_index, check_memory, judge
from generator.build.lists import Pages, write_moved
from generator.build.load import Linked, Referred, across, counted, prepared, tabulate
from generator.build.options import Job
from generator.build.output import manifest
from generator.build.output.compress import compress, compressors
from generator.build.output.files import Files
from generator.build.provenance import memory
from generator.build.records import Reading, Targets, Touched, changed_facets, read_records
from generator.build.report import (
    Cause,
    Follows,
    Input,
    Outcome,
    Part,
    Report,
    Values,
    Whole,
    judged,
)
from generator.build.results import Gathered
from generator.contract import templates
from generator.contract.artifact import BuildInfo
from generator.dialect.folder import REGISTRY_FILE, REMOVED_FILE, Content, is_record, scan, slug_of
from generator.disk.digests import digest, digest_repr
from generator.disk.output_state import STATE
from generator.grammar.names import KIND_OF
from generator.grammar.text import utc
from generator.guard.state import State
from generator.model.settings.signing import Signing
from generator.model.symbols import Symbols
from generator.model.tables.breakdown import Breakdown, breakdowns
from generator.model.tables.table import Registry, Table
from generator.problems.diagnostic import TOLD, Diagnostic, is_error


def build(job: Job) -> Report:
    """Build the content and put it in place; when the report has failed, nothing was touched."""
    stage, cache = job.clock.stage, job.cache
    compressors(job.options.precompress)
    with stage("link"):
        content = scan(job.folder)
        check_memory(sum(counted(content).values()), memory())
        linked, problems = prepared(content, job.moment.as_of)
        work = Work(job, content, linked)
    with stage("read"):
        gathered, told, touched = work.read(problems)
    with stage("check"):
        problems += told
        state, wrong = work.check(gathered, problems)
        problems += wrong
    if any(map(is_error, judged(problems, job.options.strict))):
        return work.report(problems)
    seal = manifest.Seal.of(linked.settings.signing or Signing(), job.options.signing_key)
    with stage("tabulate"):
        registry, referred = tabulate(linked, gathered, job.moment.as_of, work.count)
        touched |= work.changed_targets(referred)
        inputs = work.inputs(gathered)
        outputs = work.documents(registry, inputs)
    # What follows "pages" and "index" for the first time is done while workers write these.
    with stage("pages"):
        pages = Pages(registry, work.settings, work.files, cache, work.workers)
    with stage("records"):
        work.write_records(registry, gathered, referred)
    with stage("index"):
        indexes = [
            index_of(table, gathered[table.collection.name].terms, registry, cache)
            for table in registry.tables
        ]
    with stage("pages"):
        checks = pages.account(touched)
    with stage("index"):
        parts = Parts(indexes, checks, work.files, cache, work.workers)
    with stage("documents"):
        outputs.write_early()
    with stage("index"):
        parts.account(touched)
    with stage("documents"):
        outputs.write_late()
    with stage("site"):
        notes = work.write_site(registry, inputs)
    with stage("documents"):
        outputs.write_index()
    with stage("manifest"):
        work.write_manifest(seal)
    with stage("compress"):
        compress(work.files, job.options.precompress, work.workers)
    report = work.report(problems, state, (*seal.notes, *notes))
    if not report.failed:
        with stage("commit"):
            work.commit(report, state, inputs)
    return report


class Work:
    """What the stages of one build have in common: the content, what is linked, the files of the
    output, digests of the settings and of what records refer to, and why files may differ.
    """

    def __init__(self, job: Job, content: Content, linked: Linked):
        self.job, self.content, self.linked = job, content, linked
        seen = {path: blob for path, _, blob in linked.seen}
        self.settings = digest(seen.get(REGISTRY_FILE, b""))
        self.removed = digest(seen.get(REMOVED_FILE, b""))
        self.targets = Targets(linked.symbols)
        tree = job.workspace.tree(compare=job.cache.empty)
        known = job.known
        self.files = Files(job.workspace.out, tree, known.before, known.others, self._cause())
        self.causes = _Causes(self.files.other)
        for path, change in sorted(known.changes.items(), key=lambda one: one[1] != "removed"):
            if is_record(path):
                of = linked.symbols.grammar.collections[path.partition("/")[0]]
                self.causes[of.record_path(slug_of(path))] = Input(path, change)
        hosts = job.options.hosts or linked.settings.hosts or ("netlify",)
        self.hosts = tuple(dict.fromkeys(hosts))

    def _cause(self) -> Cause:
        """Why files differ of which no nearer cause is known."""
        if self.job.cache.empty:
            return Whole(self.job.cache.reason)
        changes = self.job.known.changes
        if not self.job.known.before:
            return Whole("the files of the last build are missing")
        first = REGISTRY_FILE if REGISTRY_FILE in changes else min(changes, default=None)
        return Input(first, changes[first]) if first is not None else Values(("info",))

    def workers(self, items: int) -> Executor:
        return self.job.workers(items, self.linked.symbols)

    def read(
        self, problems: Sequence[Diagnostic]
    ) -> tuple[dict[str, Gathered], list[Diagnostic], dict[str, Touched]]:
        """Read all records that nothing refers to."""
        known, job = self.job.known, self.job
        reading = Reading(
            self.content, known.changes, self.settings, self.linked.symbols, known.before, job.cache
        )
        # What has an error is not published, and two of its files may have one slug.
        write = None if any(map(is_error, problems)) else self.files.write
        return read_records(reading, self.workers, write, job.options.progress)

    def check(
        self, gathered: Mapping[str, Gathered], problems: Sequence[Diagnostic]
    ) -> tuple[State, list[Diagnostic]]:
        """What guards count of all records, and what all together show; `problems` are those of
        single records.
        """
        rows = {name: of.rows for name, of in gathered.items()}
        marks = {name: of.marks for name, of in gathered.items()}
        content, settings, guard = self.content, self.linked.settings, self.job.guard
        state, wrong = across(content, self.linked, rows, marks, guard)
        if any(map(is_error, judged([*problems, *wrong], self.job.options.strict))):
            return state, [*wrong, *guard.of_counts(content, counted(content), settings)]
        return state, [*wrong, *guard.of_state(content, state, settings)]

    def count(
        self, projects: Table, symbols: Symbols, facets: Iterable[str]
    ) -> Mapping[str, Breakdown]:
        """The breakdowns of these facets; those of which no project changed are kept."""
        known: dict[str, tuple[bytes, Breakdown]] = self.job.cache.get("breakdowns") or {}
        keys: dict[str, bytes] = {}
        for facet in facets:
            members = projects.members.get(facet, ())
            keys[facet] = digest(self.settings, *map(projects.digests.__getitem__, members))
        kept = {
            facet: known[facet][1] for facet in keys if known.get(facet, _NO_KEY)[0] == keys[facet]
        }
        found = kept | {**breakdowns(projects, symbols, keys.keys() - kept.keys())}
        self.job.cache.put("breakdowns", {facet: (keys[facet], found[facet]) for facet in keys})
        return found

    def changed_targets(self, referred: Referred) -> dict[str, Touched]:
        """Which records changed that others refer to."""
        touched = {}
        for name, (rows, _) in referred.items():
            was = self.job.cache.get(f"referred/{name}")
            touched[name] = changed_facets([was], [tuple(rows)]) if was is not None else {}
            self.job.cache.put(f"referred/{name}", tuple(rows))
        return touched

    def inputs(self, gathered: Mapping[str, Gathered]) -> Inputs:
        """Every file of the content, with the digests of those that are read."""
        known = dict(self.job.known.inputs)
        for path, stat, blob in (
            *self.linked.seen,
            *(s for of in gathered.values() for s in of.seen),
        ):
            known[path] = stable(stat, self.job.began), blob
        names = self.content.names.items()
        paths = (f"{here}/{name}" if here else name for here, some in names for name in some)
        return {path: known.get(path, (NO_STAT, NO_DIGEST)) for path in paths}

    def documents(self, registry: Registry, inputs: Inputs) -> publish.Documents:
        """What writes the documents."""
        moment = self.job.moment
        info = BuildInfo(utc(moment.at), moment.as_of, moment.revision, content_digest(inputs))
        self.history = history_of(self.job.folder, moment.revision, self.job.cache)
        made_of = publish.Inputs(
            registry, info, self.files.sizes, self.history, self.linked.removed
        )
        digests = publish.Digests(made_of, self.settings, self.targets.all, self.removed)
        site = self.job.options.site and registry.settings.has_site
        return publish.Documents(
            self.files, self.hosts, site, registry, made_of, digests, self.job.cache
        )

    def write_records(
        self, registry: Registry, gathered: Mapping[str, Gathered], referred: Referred
    ) -> None:
        """Count the files of records; write those that others refer to, with their contexts."""
        self._follow(registry, referred)
        for path, cause in self.causes.items():
            self.files.goes(path, cause)
        for name, of in gathered.items():
            if name in referred:
                for artifact in referred[name][1]:
                    self.files.put(f"{name}/slug", artifact, self.causes[artifact.path])
            else:
                self.files.account(f"{name}/slug", of.written, self.causes)
        write_moved(self.files, registry)
        artifacts = {name: some for name, (_, some) in referred.items()}
        publish.write_contexts(self.files, artifacts, registry, self.settings, self.job.cache)

    def _follow(self, registry: Registry, referred: Iterable[str]) -> None:
        """Name as causes the changed records that others refer to."""
        for path in sorted(filter(is_record, self.job.known.changes)):
            name, slug = path.partition("/")[0], slug_of(path)
            if name not in referred:
                continue
            cause = Follows(registry.symbols.grammar.collections[name].record_path(slug))
            for table in registry.tables:
                record_path = table.collection.record_path
                for number in table.members.get(f"{KIND_OF[name]}/{slug}", ()):
                    self.causes.setdefault(record_path(table.slugs[number]), cause)

    def write_site(self, registry: Registry, inputs: Inputs) -> tuple[str, ...]:
        """Write the pages for people, if there are any; what is worth knowing of them."""
        if not (self.job.options.site and registry.settings.has_site):
            return ()
        from generator.build import site

        made, key = site.Made(registry, list(inputs)), (self.job.cache.fingerprint, self.settings)
        site.write(self.files, self.workers, made, self.job.theme, key, self.job.cache)
        return site.notes(registry.settings) if self.job.cache.empty else ()

    def write_manifest(self, seal: manifest.Seal) -> None:
        """Write the manifest of all that was written and kept."""
        templates.keep()
        cache, moment = self.job.cache, self.job.moment
        key = digest_repr((seal.days, seal.keys, seal.handovers))
        said = cache.get("root")
        last = said[0] if said is not None and said[1] == key else 0
        url = self.linked.symbols.grammar.url
        self.issued = manifest.write(self.files, self.workers, url, moment, seal, cache, last)
        cache.put("root", (self.issued, key))

    def report(
        self, problems: list[Diagnostic], state: State | None = None, notes: tuple[str, ...] = ()
    ) -> Report:
        """What came of the build.  Without a state it has failed before anything was published."""
        job, files, records = self.job, self.files, counted(self.content)
        outcome: Outcome = files.everything or Part()
        remarks: list[str] = []
        if state is not None:
            where, base_url = self.content.shown(REGISTRY_FILE), self.linked.settings.base_url
            sizes = {path: noted[1] for path, noted in files.all.items()}
            warnings, remarks = judge(sizes, files.read("/_redirects"), self.hosts, where, base_url)
            problems = [*problems, *warnings]
            remarks += beyond_index(records)
        shown = judged(problems, job.options.strict)
        if state is None or any(map(is_error, shown)):
            return Report(shown, records, job.guard.counts, seconds=job.clock, outcome=outcome)
        self.problems = problems
        return Report(
            shown,
            records,
            job.guard.counts,
            files.sizes,
            self.hosts,
            job.clock,
            outcome,
            files.written,
            files.removed,
            remarks,
            notes,
            state=state.kept(),
        )

    def commit(self, report: Report, state: State, inputs: Inputs) -> None:
        """Put the files in place, and note for the next build what was made."""
        cache, files, moment = self.job.cache, self.files, self.job.moment
        told = [problem for problem in self.problems if problem.code not in CODES]
        noted = inventory((path, stat, blob) for path, (stat, blob) in inputs.items())
        output = inventory((path, (n[0], n[1]), n[2]) for path, n in files.all.items())
        cache.put("inputs", tuple(noted))
        cache.put("outputs", tuple(output[:2]))
        cache.put("digests", output.digests)
        # Guards compare the next build again with what is published.
        cache.put("head", (
            (utc(moment.at), moment.as_of.isoformat(), moment.revision),
            [problem.pack()[:TOLD] for problem in told],
            dict(report.records),
            tuple(state.kept()),
            len(told) < len(self.problems),
            dict(report.sizes),
            self.hosts,
            report.remarks,
            self.issued,
            self.history.state,
        ))  # fmt: skip
        # A disk that is full is found before the output is changed.
        following = self.job.guard.next(state, self.content.folder)
        self.job.workspace.prepare(STATE, following.dump().encode())
        files.commit(self.job.workspace, self.content.folder)
        self.job.workspace.renew(STATE)
        cache.save()


#: What is noted of a facet that the last build did not have.
_NO_KEY: tuple[bytes, Breakdown] = (b"", {})


class _Causes(dict[str, Cause]):
    """Why the files of records differ, by their paths."""

    def __init__(self, other: Cause):
        super().__init__()
        self.other = other

    def __missing__(self, path: str) -> Cause:
        return self.other
