"""A build, as one function that reads like its diagram.

    content/*.yaml -read-> records -link-> Symbols -take-> rows -tabulate-> Registry -render->
    artifacts -commit-> build/

A build of everything and one of what changed are the same: `Scope` says what is read, the tables
are those of the last build (none, where all is built) with what is new laid over them, and `Files`
holds what is rendered against what lies there.  Problems are values that are collected and
returned; only bugs and the system raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from generator.api import templates
from generator.api.artifact import Artifact, BuildInfo, utc
from generator.api.diagnostic import Diagnostic, is_error
from generator.api.grammar import Slice
from generator.api.names import KIND_OF
from generator.api.paths import agent_context
from generator.build import inventory, lists, load, manifest, publish, runs
from generator.build.buildlog import Writer, identity
from generator.build.compress import compress, compressors
from generator.build.executors import Executor
from generator.build.executors.here import Here
from generator.build.files import Files, OfIndex
from generator.build.gathered import Gathered, gather
from generator.build.guards import CODES, state_of
from generator.build.head import Head, Targets
from generator.build.history import history_of
from generator.build.limits import beyond_index, judge, largest_after
from generator.build.marks import remember_marks
from generator.build.memory import apply, remember
from generator.build.options import Job
from generator.build.report import Cause, Follows, Outcome, Report, Sizes, Values, Whole, judged
from generator.build.scope import Scope
from generator.build.words import indexes_of, words_of
from generator.records.folder import COLLECTIONS, REFERRED, REGISTRY_FILE, STREAMED
from generator.records.signing import Signing
from generator.records.symbols import Target
from generator.search.index import Index
from generator.search.manifest import Part, Seal
from generator.tables.patch import Patch
from generator.tables.table import Registry

if TYPE_CHECKING:
    from generator.search.patched import Kept


def build(job: Job, scope: Scope, outcome: Outcome) -> Report:
    """Build what is in the scope, and put it in place; when the report has failed, nothing was
    touched.  Raises LogDamaged where the last build's log is.
    """
    options, moment, stage, last = job.options, job.moment, job.clock.stage, scope.last
    content, symbols, settings = scope.content, scope.linked.symbols, scope.linked.settings
    compressors(options.precompress)
    files = _files(job, scope, outcome)
    workers: Executor = job.workers(len(scope.sources), symbols) if scope.whole else Here()
    files.keep_in(workers.scratch)
    words: dict[str, Any] = {n: words_of(n, workers, whole=scope.whole) for n in COLLECTIONS}

    def report(problems: list[Diagnostic], **rest: Any) -> Report:
        earlier = job.guard.counts
        return Report(problems, scope.records, earlier, seconds=job.clock, outcome=outcome, **rest)

    with stage("read"):
        # Of what has an error nothing will be published, and two files may have one slug.
        write = None if any(map(is_error, scope.problems)) else files.write
        taken = runs.begin(workers, scope.sources, content.folder, symbols, write)
        gathered, told = gather(taken, words, len(scope.sources), options.progress, workers.scratch)
    with stage("tabulate"):
        patches = {name: _patched(scope, name, gathered[name]) for name in STREAMED}
    # Local workers write these pages while the rest is linked; of an error nobody sees them.
    good = not any(map(is_error, (*scope.problems, *told)))
    ahead = STREAMED if scope.whole and workers.scratch is None and good else ()
    with stage("pages"):
        linked = load.registry_of(settings, symbols, moment.as_of, patches)
        pages = [some for name in ahead for some in lists.pages(patches[name], linked, None)]
        listed = lists.begin(linked, pages, (), files, workers, checked=scope.whole)
    with stage("link"):
        known = scope.known(gathered, patches)
        marks = scope.marks(gathered, known)
        problems = [
            *(p for p in (*scope.problems, *told) if not scope.retold(p, known)),
            *load.check_across(content, known, scope.linked),
            *load.check_counts(content, scope.records, job.guard),
        ]
        del known
    shown = judged(problems, options.strict)
    if any(map(is_error, shown)):
        return report([*shown, *job.guard.of_counts(content, scope.records, settings)])
    seal = manifest.Seal.of(settings.signing or Signing(), options.signing_key)
    notes = seal.notes
    with stage("tabulate"):
        rendered: dict[str, list[Artifact]] = {}
        models = {name: scope.models(name, patches) for name in REFERRED}
        breakdowns = load.parts_of(models, patches["projects"].table, symbols)
        for name, some in models.items():
            tables = {counted: patch.table for counted, patch in patches.items()}
            gathered[name], rendered[name] = load.tabulate_referred(
                name, some, symbols, tables, breakdowns, words[name]
            )
            patches[name] = _patched(scope, name, gathered[name])
        registry = load.registry_of(settings, symbols, moment.as_of, patches)
        before = last.head.state if last.head is not None else None
        state = state_of(patches, symbols.grammar, before)
        problems += job.guard.of_state(content, state, settings)
        aliases = {name: dict(patch.table.aliases) for name, patch in patches.items()}
        seen = chain(scope.linked.seen, *(done.seen for done in gathered.values()))
        inputs = scope.inputs(seen, job.began)
        digest = inventory.content_digest(inputs)
        info = BuildInfo(utc(moment.at), moment.as_of, moment.revision, digest)
        history = history_of(job, last.head)
        stale = publish.stale(scope, patches, aliases, info, history)
    shown = judged(problems, options.strict)
    if any(map(is_error, shown)):
        return report(shown)
    with stage("records"):
        contexts = _write_records(files, scope, registry, gathered, rendered, patches["events"])
    del gathered, rendered, models, breakdowns  # the tables have what is needed of them

    if scope.whole:
        workers = job.workers(sum(scope.records.values()), symbols)
    hosts = tuple(dict.fromkeys(options.hosts or settings.hosts or ("netlify",)))
    for_documents = publish.Inputs(registry, info, files.sizes, history, scope.linked.removed)
    for_people = options.site and settings.has_site
    outputs = publish.documents(hosts, site=for_people)
    with stage("pages"):
        new_day = "as_of" in stale
        pages = [
            some
            for name, patch in patches.items()
            if name not in ahead
            for some in lists.pages(patch, registry, last.symbols, new_day=new_day)
        ]
        if not ahead:
            several = sum(len(some.numbers) for some in pages)
            writers = workers if scope.whole else job.writers(several)
            listed = lists.begin(registry, pages, (), files, writers, checked=scope.whole)
            pages = []
    # What follows is done while workers write pages.
    with stage("records"):
        publish.write_contexts(files, contexts)
    with stage("index"):
        indexes = indexes_of(registry, words, workers) if scope.whole else {}
    checks: lists.PageChecks = {}
    if scope.whole:
        with stage("pages"):
            checks = lists.account(*listed, files).pages
    with stage("index"):
        parts = lists.begin(registry, pages, indexes.values(), files, workers, known=checks)
    with stage("documents"):
        if not publish.redirect(hosts):
            lists.write_moved_pages(files, registry, last.aliases, for_documents.aliases)
        early = [out for out in outputs if "sizes" not in out.inputs]
        documents = publish.write_documents(files, early, for_documents, stale, last)
    with stage("index"):
        seals = lists.account(*parts, files).parts
        kept = _write_indexes(files, scope, registry, patches, words, indexes, seals, new_day)
    if not scope.whole:
        with stage("pages"):
            lists.account(*listed, files)
    # What is in memory of indexes is written.
    del listed, checks, linked, parts, pages, indexes, words
    with stage("documents"):
        if last.head is None or files.sizes != last.head.sizes:
            stale.add("sizes")
        late = [out for out in outputs if "sizes" in out.inputs]  # at last index.json, of all
        documents |= publish.write_documents(files, late[:-1], for_documents, stale, last)
    if for_people:
        from generator.build import site

        with stage("site"):
            made = site.Made(registry, patches, inputs)
            documents |= site.write(
                files, workers, made, scope, job.theme, job.fingerprint, new_day=new_day
            )
        notes += site.notes(settings) if scope.whole else ()
    with stage("documents"):
        if last.head is None or files.sizes != last.head.sizes:
            stale.add("sizes")
        documents |= publish.write_documents(files, late[-1:], for_documents, stale, last)
    templates.keep()
    with stage("manifest"):
        issued_before = last.head.issued if last.head is not None else 0
        issued = manifest.write(files, workers, symbols.grammar, moment, seal, issued_before)
    with stage("compress"):
        compress(files, options.precompress, workers)
    after, base_url = files.inventory(), settings.base_url
    where, rules = content.shown(REGISTRY_FILE), files.now("/_redirects")
    largest = largest_after(files, after, last.head.largest if last.head is not None else None)
    warnings, remarks = judge(after, files.sizes.bytes, largest, rules, hosts, where, base_url)
    remarks += beyond_index(scope.records)
    problems += warnings
    shown = judged(problems, options.strict)
    if any(map(is_error, shown)):
        return report(shown)
    head = Head(
        fingerprint=job.fingerprint,
        folder=identity(content.folder),
        moment=(info.generated_at, info.as_of.isoformat(), info.revision),
        digest=digest,
        symbols=(_plain(symbols.programs), _plain(symbols.organizations)),
        documents=documents,
        sizes=files.sizes,
        largest=largest,
        records=dict(scope.records),
        state=state.kept(),
        kept=job.guard.kept(state, job.folder),
        tripped=any(problem.code in CODES for problem in problems),
        hosts=hosts,
        precompress=options.precompress,
        remarks=remarks,
        # Guards hold the next build against what is published anew.
        problems=[problem for problem in problems if problem.code not in CODES],
        index=kept,
        sources=scope.paths,
        aliases=aliases,
        history=history,
        issued=issued,
        packed=last.head.packed if last.head is not None else {},
    )
    # The log is written before the output is put in place, where it may still fail, and takes
    # effect after it.
    with Writer(job.workspace.log, job.log) as writer:
        with stage("log"):
            for name, patch in patches.items():
                remember(writer, name, patch)
            remember_marks(writer, marks, last.marks)
            writer.inventory("inputs", inputs)
            writer.inventory("outputs", after)
            writer.settled(last.changes.settled if last.changes is not None else ({}, {}))
            writer.prepare(head)
        with stage("commit"):
            files.commit(job.workspace, content.folder)
            writer.finish()
    return report(
        shown,
        sizes=files.sizes,
        hosts=hosts,
        written=files.written,
        removed=files.removed,
        remarks=remarks,
        state=state.kept(),
        notes=notes,
    )


def _files(job: Job, scope: Scope, outcome: Outcome) -> Files:
    workspace, last = job.workspace, scope.last
    tree = workspace.tree(whole=scope.whole)
    if last.head is None or last.changes is None:
        reason = outcome if isinstance(outcome, Whole) else None
        return Files(workspace.out, tree, None, Sizes(), reason)
    return Files(workspace.out, tree, last.changes.outputs, Sizes(last.head.sizes))


def _patched(scope: Scope, name: str, done: Gathered) -> Patch:
    collection = scope.linked.symbols.grammar.collections[name]
    last = scope.last.tables.get(name)
    return apply(collection, last, done.rows, scope.without_row(name, done))


def _write_records(
    files: Files,
    scope: Scope,
    registry: Registry,
    gathered: Mapping[str, Gathered],
    rendered: Mapping[str, Iterable[Artifact]],
    dates: Patch,
) -> list[publish.Context]:
    """Write the records that others refer to, and take note of the others, which are written.
    `dates` is what became of the events.  Gives the contexts that are to be written.
    """
    contexts: list[publish.Context] = []
    grammar, was = registry.symbols.grammar, scope.last.aliases
    with_contexts = grammar.contexts
    now = {table.collection.name: table.aliases for table in registry.tables}
    # What goes is taken out first: its place may be taken by what comes.
    for name, slugs in scope.gone.items():
        for slug in sorted(slugs):
            path = grammar.collections[name].record_path(slug)
            files.drop(f"{name}/slug", path, scope.causes[path])
            if name in with_contexts:
                files.drop(f"{name}/context", agent_context(name, slug), scope.causes[path])
    lists.drop_moved(files, grammar, was, now)
    for name, done in gathered.items():
        if scope.whole:
            files.take(f"{name}/slug", done.written, done.sizes)
            continue
        for written in done.written.lists():
            files.account(f"{name}/slug", written, scope.causes)
    for name, artifacts in rendered.items():
        for artifact in artifacts:
            slug = PurePosixPath(artifact.path).stem
            facet = f"{KIND_OF[name]}/{slug}"
            projects = Slice(grammar.projects, KIND_OF[name], slug).path()
            cause = scope.causes.get(artifact.path) or Follows(projects)
            changed = files.put(f"{name}/slug", artifact, cause)
            if name in with_contexts and (changed or facet in dates.touched):
                made_of = artifact, name, registry.settings, registry.symbols, registry.events
                date = grammar.events.record_path(dates.toucher.get(facet, ""))
                follows = Follows(artifact.path if changed else date)
                contexts.append((made_of, follows))
    lists.write_moved(files, grammar, was, now)
    return contexts


def _write_indexes(
    files: Files,
    scope: Scope,
    registry: Registry,
    patches: Mapping[str, Patch],
    words: Mapping[str, Any],
    indexes: Mapping[str, Index],
    seals: Mapping[str, Mapping[Part, Seal]],
    new_day: bool,
) -> dict[str, Kept]:
    """Write the manifests of indexes whose parts are written, and bring the others up to date."""
    last, kept = scope.last, {}
    if last.head is None or last.symbols is None:
        for name, index in indexes.items():
            list_of = Follows(Slice(index.collection).path())
            files.put("index", index.manifest(seals.get(name, {})), list_of)
            kept[name] = index.weight, index.margins
        return kept
    from generator.search.update import updated

    for name, patch in patches.items():
        collection = patch.table.collection
        slug = patch.toucher.get(collection.sorts[0]) or next(iter(words[name]), None)
        cause: Cause = Values(("as_of",) if new_day else ("symbols",))
        if slug is not None:
            cause = Follows(collection.record_path(slug))
        kept[name] = updated(
            OfIndex(files, cause),
            last.tables[name],
            patch,
            words[name],
            registry,
            last.symbols,
            last.head.index[name],
            new_day=new_day,
        )
    return kept


def _plain(targets: Mapping[str, Target]) -> Targets:
    """What other records refer to, as plain data."""
    return {slug: tuple(target) for slug, target in targets.items()}  # type: ignore[misc]  # a Target has just these
