"""The stages of a build, in order:

    content/*.yaml -> symbols -> rows -> tables -> pages, index, documents, site -> build/

Each stage takes and returns values.  It reuses a result of the last build if the inputs of the
result are unchanged; a full build is a build with an empty cache.  Problems are collected as values
and reported together; exceptions are bugs or failures of the system.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from generator.build import documents as publish
from generator.build.cache.compare import NO_DIGEST, NO_STAT, Inputs, content_digest, stable_stat
from generator.build.executors import Executor
from generator.build.guards import CODES
from generator.build.history import cached_history, read_event_times
from generator.build.index import Parts, make_indexes
from generator.build.limits import check_hosts, check_memory, oversized_collections
from generator.build.lists import Pages, write_moved
from generator.build.load import (
    Linked,
    Referred,
    check_unused,
    check_whole,
    count_records,
    prepare,
    tabulate,
)
from generator.build.logos import read_logos, unchanged_logos, write_logos
from generator.build.options import Job
from generator.build.output import manifest
from generator.build.output.compress import compress, compressors
from generator.build.output.files import Files
from generator.build.provenance import memory
from generator.build.read import CollectionResults
from generator.build.records import ChangedFacets, ReadInputs, Targets, changed_facets, read_records
from generator.build.report import (
    Cause,
    ChangedInputs,
    ContentChange,
    FromFile,
    FullBuild,
    Outcome,
    PartialBuild,
    Report,
    sort_problems,
)
from generator.contract import templates
from generator.contract.artifact import BuildInfo
from generator.dialect.folder import REGISTRY_FILE, REMOVED_FILE, Content, is_record, scan, slug_of
from generator.disk.digests import digest, digest_repr
from generator.disk.output_state import STATE
from generator.grammar.names import KIND_OF
from generator.grammar.text import format_utc
from generator.guard.state import State
from generator.model.settings.signing import Signing
from generator.model.tables.table import Registry
from generator.problems.diagnostic import REPEATED_FIELDS, Diagnostic, is_error

if TYPE_CHECKING:
    from generator.build.past import Past


def build(job: Job) -> Report:
    """Build the content and commit the output.  If the report has failed, nothing is changed."""
    stage, cache = job.clock.stage, job.cache
    compressors(job.options.precompress)
    with stage("link"):
        content = scan(job.folder)
        check_memory(sum(count_records(content).values()), memory())
        unchanged = unchanged_logos(content, job.differences, job.cache)
        logos = read_logos(content, job.options.jobs, unchanged)
        linked, problems = prepare(content, job.moment.as_of, logos, site=job.options.site)
        linked, past = read_history(job, linked)
        work = Work(job, content, linked, past)
    with stage("read"):
        gathered, unlinked_problems, touched = work.read(problems)
    with stage("check"):
        state, problems = work.check(gathered, [*problems, *unlinked_problems])
        problems += check_unused(content, linked, gathered, problems)
    if any(map(is_error, sort_problems(problems, job.options.strict))):
        return work.report(problems)
    seal = manifest.RootSigning.of(linked.settings.signing or Signing(), job.options.signing_key)
    with stage("tabulate"):
        revision = job.moment.revision if content.sources["events"] else None
        times = read_event_times(job.folder, revision, cache)
        registry, referred = tabulate(linked, gathered, job.moment.as_of, times)
        touched |= work.changed_targets(referred)
        inputs = work.inputs(gathered)
        outputs = work.documents(registry, inputs)
    # Workers write pages and the index while this process goes on, until `account` waits for them.
    with stage("pages"):
        pages = Pages(registry, work.settings, work.files, cache, work.workers)
    with stage("records"):
        work.write_records(registry, gathered, referred)
        named = linked.named_logos(gathered)
        write_logos(work.files, logos, named, job.differences, cache)
        problems += work.write_requested(registry)
    with stage("index"):
        indexes = make_indexes(registry, gathered)
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
    if report.failed:
        return report
    with stage("commit"):
        return work.commit(report, state, inputs)


def read_history(job: Job, linked: Linked) -> tuple[Linked, Past | None]:
    """Every change, if the registry publishes them and they are known; the symbols have times."""
    if not linked.settings.publish.changes:
        return linked, None
    from generator.build.past import read_past

    grammar, moment = linked.symbols.grammar, job.moment
    past = read_past(job.folder, moment.revision, grammar, job.cache)
    updated = past.updated if past is not None else {}
    return linked._replace(symbols=replace(linked.symbols, updated=updated)), past


class Work:
    """State that the stages of one build share: the content, the linked settings and records, the
    files of the output, digests of inputs, and the causes of changed files.
    """

    def __init__(self, job: Job, content: Content, linked: Linked, past: Past | None):
        self.job, self.content, self.linked, self.past = job, content, linked, past
        blobs = {path: blob for path, _, blob in linked.seen}
        self.settings = digest(blobs.get(REGISTRY_FILE, b""))
        self.removed = digest(blobs.get(REMOVED_FILE, b""))
        self.targets = Targets(linked.symbols)
        tree = job.workspace.tree(compare=job.cache.empty)
        known = job.differences
        self.files = Files(
            job.workspace.out, tree, known.before, known.others, self._default_cause()
        )
        #: Why the files of records differ, by path; others differ because of `files.other`.
        self.causes: dict[str, Cause] = {}
        # Removed files first: if a record moved to another folder, its cause is the added file.
        for path, change in sorted(known.changes.items(), key=lambda item: item[1] != "removed"):
            if is_record(path):
                collection = linked.symbols.grammar.collections[path.partition("/")[0]]
                self.causes[collection.record_path(slug_of(path))] = ContentChange(path, change)
        named = job.options.hosts or linked.settings.hosts or ()
        self.hosts = tuple(dict.fromkeys(named or ("netlify",)))
        self.functions = publish.any_has_functions(named)

    def _default_cause(self) -> Cause:
        """The cause of changed files that have no more specific cause."""
        if self.job.cache.empty:
            return FullBuild(self.job.cache.reason)
        changes = self.job.differences.changes
        if not self.job.differences.before:
            return FullBuild("the files of the last build are missing")
        path = REGISTRY_FILE if REGISTRY_FILE in changes else min(changes, default=None)
        return ContentChange(path, changes[path]) if path is not None else ChangedInputs(("info",))

    def workers(self, items: int) -> Executor:
        return self.job.workers(items, self.linked.symbols)

    def read(
        self, problems: Sequence[Diagnostic]
    ) -> tuple[dict[str, CollectionResults], list[Diagnostic], dict[str, ChangedFacets]]:
        """Read projects and events, with their problems and the changes since the last build."""
        known, job = self.job.differences, self.job
        reading = ReadInputs(
            self.content, self.linked.symbols, known.changes, self.settings, known.before, job.cache
        )
        # Content with errors is not published, and two of its files may have the same slug.
        write = None if any(map(is_error, problems)) else self.files.write
        return read_records(reading, self.workers, write, job.options.progress)

    def check(
        self, gathered: Mapping[str, CollectionResults], problems: Sequence[Diagnostic]
    ) -> tuple[State, list[Diagnostic]]:
        """Run the checks across records and the guards: the state for guards, and all problems.

        `problems` are those of single records.
        """
        content, settings, guard = self.content, self.linked.settings, self.job.guard
        state, found = check_whole(content, self.linked, gathered, guard)
        found = self.linked.accepting([*problems, *found])
        if any(map(is_error, sort_problems(found, self.job.options.strict))):
            return state, [*found, *guard.check_counts(content, count_records(content), settings)]
        return state, [*found, *guard.check_state(content, state, settings)]

    def changed_targets(self, referred: Referred) -> dict[str, ChangedFacets]:
        """The changed programs and organizations."""
        touched = {}
        for name, (rows, _) in referred.items():
            old = self.job.cache.get(f"referred/{name}")
            touched[name] = changed_facets([old], [tuple(rows)]) if old is not None else {}
            self.job.cache.put(f"referred/{name}", tuple(rows))
        return touched

    def inputs(self, gathered: Mapping[str, CollectionResults]) -> Inputs:
        """Every file of the content, with the digests of the files that are read."""
        known = dict(self.job.differences.inputs)
        for files in (self.linked.seen, *(results.seen for results in gathered.values())):
            for path, stat, blob in files:
                known[path] = stable_stat(stat, self.job.began), blob
        names = self.content.names.items()
        paths = (f"{f}/{name}" if f else name for f, in_folder in names for name in in_folder)
        return {path: known.get(path, (NO_STAT, NO_DIGEST)) for path in paths}

    def documents(self, registry: Registry, inputs: Inputs) -> publish.Documents:
        """The writer of the documents."""
        moment = self.job.moment
        info = BuildInfo(
            format_utc(moment.at), moment.as_of, moment.revision, content_digest(inputs)
        )
        history = cached_history(self.job.folder, moment.revision, self.job.cache)
        self.history, self.details = history
        values = publish.Inputs(
            registry, info, self.files.sizes, self.history, self.linked.removed, self.functions,
            self.past.full + bool(self.past.rest) if self.past is not None else 0,
        )  # fmt: skip
        filled = digest_repr(sorted(self.linked.symbols.grammar.filled))
        symbols = digest(self.settings, self.targets.digest_of_all, filled)
        digests = {"settings": self.settings, "symbols": symbols, "removed": self.removed}
        site = self.job.options.site and registry.settings.has_site
        return publish.Documents(
            self.files, self.hosts, site, registry, values, digests, self.job.cache
        )

    def write_records(
        self, registry: Registry, gathered: Mapping[str, CollectionResults], referred: Referred
    ) -> None:
        """Count the files of records; write programs and organizations, and their contexts."""
        self._add_causes(registry, referred)
        for path, cause in self.causes.items():
            self.files.note_removal(path, cause)
        artifacts = {name: files for name, (_, files) in referred.items()}
        for name, results in gathered.items():
            for artifact in artifacts.get(name, ()):
                self.files.put(f"{name}/slug", artifact, self.causes)
            self.files.account(f"{name}/slug", results.written, self.causes)
        write_moved(self.files, registry)
        publish.write_contexts(self.files, artifacts, registry)

    def _add_causes(self, registry: Registry, referred: Iterable[str]) -> None:
        """Note changed programs and organizations as causes of changes in their records."""
        for path in sorted(filter(is_record, self.job.differences.changes)):
            name, slug = path.partition("/")[0], slug_of(path)
            if name not in referred:
                continue
            cause = FromFile(registry.symbols.grammar.collections[name].record_path(slug))
            for table in registry.tables:
                record_path = table.collection.record_path
                for number in table.members.get(f"{KIND_OF[name]}/{slug}", ()):
                    self.causes.setdefault(record_path(table.slugs[number]), cause)

    def write_requested(self, registry: Registry) -> list[Diagnostic]:
        """Write what registry.yaml asks for: changes and data files; the problems with these."""
        if self.past is not None:
            self.past.write(self.files, self.job.moment.revision or "", self.job.cache)
        if not registry.settings.data:
            return []
        from generator.build.data_files import write_data_files
        from generator.build.read import diagnose_settings

        faults = write_data_files(self.files, registry, self.hosts, self.settings, self.job.cache)
        return diagnose_settings(self.content, faults)

    def write_site(self, registry: Registry, inputs: Inputs) -> tuple[str, ...]:
        """Write the site, if the registry has one; notes for the report."""
        if not (self.job.options.site and registry.settings.has_site):
            return ()
        from generator.build import site
        from generator.site.fit import fit_of, narrowing_filters

        counts = {table.collection.name: table.counts() for table in registry.tables}
        fit = fit_of(registry.settings.site, counts, self.functions)
        filters = {t.collection.name: narrowing_filters(t) for t in registry.tables}
        made = site.SiteInputs(registry, list(inputs), fit, filters, self.details)
        key = self.job.cache.fingerprint, self.settings
        site.write(self.files, self.workers, made, self.job.theme, key, self.job.cache)
        return site.notes(registry.settings) if self.job.cache.empty else ()

    def write_manifest(self, seal: manifest.RootSigning) -> None:
        """Write the manifest of all files of this build."""
        templates.save_compiled()
        cache, moment = self.job.cache, self.job.moment
        key = digest_repr((seal.days, seal.keys, seal.handovers))
        last_root = cache.get("root")
        last = last_root[0] if last_root is not None and last_root[1] == key else 0
        url = self.linked.symbols.grammar.url
        self.issued = manifest.write(self.files, self.workers, url, moment, seal, cache, last)
        cache.put("root", (self.issued, key))

    def report(
        self, problems: list[Diagnostic], state: State | None = None, notes: tuple[str, ...] = ()
    ) -> Report:
        """The report of the build.  Without a state, errors in the content stopped the build."""
        job, files, records = self.job, self.files, count_records(self.content)
        outcome: Outcome = files.full_build_cause or PartialBuild()
        remarks: list[str] = []
        if state is not None:
            where, base_url = (
                self.content.display_path(REGISTRY_FILE),
                self.linked.settings.base_url,
            )
            sizes = {path: noted[1] for path, noted in files.all.items()}
            warnings, remarks = check_hosts(
                sizes, files.read("/_redirects"), self.hosts, where, base_url
            )
            problems = [*problems, *self.linked.accepting(warnings)]
            remarks += oversized_collections(records)
            if self.linked.settings.publish.changes and self.past is None:
                remarks.append(
                    "The changes of the history are not published: this is no git clone with every "
                    "commit and file (git fetch --unshallow; in CI fetch-depth: 0)."
                )
        shown = sort_problems(problems, job.options.strict)
        report = Report(shown, records, job.guard.counts, seconds=job.clock, outcome=outcome)
        if state is None or report.failed:
            return report
        self.problems = problems
        return replace(
            report,
            sizes=files.sizes,
            hosts=self.hosts,
            written=files.written,
            removed=files.removed,
            remarks=remarks,
            notes=notes,
            state=state.kept(),
        )

    def commit(self, report: Report, state: State, inputs: Inputs) -> Report:
        """Commit the files to the output, and save the cache for the next build.  The report also
        says if it cannot be saved.
        """
        cache, files, moment = self.job.cache, self.files, self.job.moment
        # The next build runs the guards itself, against what is published then.
        kept_problems = [problem for problem in self.problems if problem.code not in CODES]
        cache.put("inputs", inputs)
        cache.put("outputs", files.all)
        cache.put("head", (
            (format_utc(moment.at), moment.as_of.isoformat(), moment.revision),
            [problem.pack()[:REPEATED_FIELDS] for problem in kept_problems],
            dict(report.records),
            tuple(state.kept()),
            len(kept_problems) < len(self.problems),
            dict(report.sizes),
            self.hosts,
            report.remarks,
            self.issued,
            self.history.state,
        ))  # fmt: skip
        # Writing the state first finds a full disk before the output is changed.
        following = self.job.guard.next(state, self.content.folder)
        self.job.workspace.prepare(STATE, following.dump().encode())
        files.commit(self.job.workspace, self.content.folder)
        self.job.workspace.renew(STATE)
        cache.save()
        if not cache.failure:
            return report
        note = f"{cache.failure}. The next build makes everything again."
        return replace(report, notes=(*report.notes, note))
