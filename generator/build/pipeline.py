"""The whole build, as one function that reads like its diagram.

    content/*.yaml -read-> records -link-> Symbols -take-> rows -tabulate-> Registry -render->
    artifacts -replace-> build/

Problems are collected and returned; only bugs and the system raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from generator.agent.tools import CONTEXTS
from generator.api.artifact import Artifact, BuildInfo, utc
from generator.api.diagnostic import Diagnostic, is_error
from generator.build import inventory, publish, read
from generator.build.buildlog import Writer, identity
from generator.build.compress import SURFACE as COMPRESSED
from generator.build.compress import compress, compressors
from generator.build.executors import Packs, executor
from generator.build.head import Head, Targets
from generator.build.limits import judge
from generator.build.load import check_all, gather, read_and_link, tabulate_all
from generator.build.memory import remember, remember_marks
from generator.build.options import Job
from generator.build.rows import Rendered
from generator.build.write import PathTaken, Tree, Written
from generator.hosts._patterns import former
from generator.outputs import context
from generator.outputs.pages import length
from generator.outputs.records import moved, moved_page
from generator.records.folder import COLLECTIONS, REGISTRY_FILE, Content, scan
from generator.records.symbols import Symbols, Target
from generator.search.index import Index, Part, Seal, Vocabulary
from generator.tables.table import Registry, Table

#: Takes note of what was written of a surface.
Account = Callable[[str, list[Written]], None]


def build_whole(job: Job, reason: str) -> None:
    """Build all of the content and put it in place; when the report has failed, nothing was
    touched.
    """
    options, workspace, moment, guard, report = (
        job.options,
        job.workspace,
        job.moment,
        job.guard,
        job.report,
    )
    strict, precompress = options.strict, options.precompress
    compressors(precompress)
    content = scan(job.folder)
    tree = workspace.tree()
    files = Packs()

    def account(surface: str, written: list[Written]) -> None:
        files.extend(written)
        report.sizes.add(surface, sum(size for _, _, size in written), len(written))

    linked = read_and_link(content, moment.as_of.year, report)
    sources, words = content.sources["projects"], {name: Vocabulary() for name in COLLECTIONS}
    workers = executor(options.jobs, len(sources))
    if any(
        map(is_error, content.problems)
    ):  # nothing of it will be published; two files may have one slug
        taken = workers.run(read.check_some, sources, (content.folder, linked.symbols))
    else:
        taken = workers.run(read.write_some, sources, (content.folder, linked.symbols, tree))
    accounted = _accounted((read.Projects(*some) for some in taken), account)
    projects = gather(content, accounted, report, options.progress, words["projects"])
    known = check_all(content, linked, projects, report, guard)
    report.finish(content.problems, strict)
    if report.failed or any(map(is_error, content.problems)):
        return
    registry, rendered = tabulate_all(linked, projects, moment.as_of, report)
    with report.stage("records"):
        _write_records(registry, rendered, tree, account)
    for name, records in rendered.items():
        for record in records:
            words[name].add(record.row.slug, record.terms)
    rendered.clear()
    report.hosts = tuple(dict.fromkeys(options.hosts or registry.settings.hosts or ("netlify",)))
    workers = executor(options.jobs, sum(report.records.values()))
    inputs = _inputs(content, linked.seen, projects.seen, job.began)
    marks = {name: dict(names.marks) for name, names in known.items()}
    del projects, known  # the tables have what is needed of them
    info = BuildInfo(
        utc(moment.at), moment.as_of, moment.revision, inventory.content_digest(inputs)
    )
    with report.stage("index"):
        indexes = {
            table.collection.name: _index(table, words[table.collection.name], registry)
            for table in registry.tables
        }
    with report.stage("pages"):
        lists = publish.write_lists(registry, indexes, tree, workers)
    documents: dict[str, list[str]] = {}
    grammar, given = registry.symbols.grammar, publish.Inputs(registry, info, report.sizes)
    with report.stage("documents"):
        for table in registry.tables:
            for slug, aliases in table.aliases.items():
                for artifact in moved(table.collection, slug, aliases, grammar):
                    account(f"{table.collection.name}/moved", [tree.write(artifact)])
        for _, was, now in [] if publish.redirect(report.hosts) else former(grammar, given.aliases):
            for number in range(1, length(registry, now) + 1):
                account(
                    f"{was.collection.name}/moved",
                    [tree.write(moved_page(was, now, number, grammar))],
                )
        outputs = publish.documents(report.hosts)
        for out in outputs:
            if "sizes" not in out.inputs:
                documents[out.name] = _write(
                    publish.rendered(out, given), out.name, documents, tree.write, account
                )
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
                documents[out.name] = _write(
                    publish.rendered(out, given), out.name, documents, tree.write, account
                )
    with report.stage("compress"):
        for written in compress(tree, list(files) if precompress else [], precompress, workers):
            account(COMPRESSED, written)
    made = inventory.gathered(files)
    warnings, report.too_large = judge(
        made,
        publish.rules(tree.root),
        report.hosts,
        content.shown(REGISTRY_FILE),
        registry.settings.base_url,
    )
    content.problems += warnings
    report.finish(content.problems, strict)
    if report.failed:
        return
    # The log is written before the output is put in place, where it may still fail, and takes
    # effect after it.
    with Writer(workspace.log, job.log) as writer:
        with report.stage("log"):
            tables = {table.collection.name: table for table in registry.tables}
            for name, table in tables.items():
                remember(writer, name, table)
            remember_marks(writer, marks)
            writer.inventory("inputs", inputs)
            writer.inventory("outputs", made)
            small = linked.small.items()
            writer.prepare(Head(
                fingerprint=job.fingerprint, folder=identity(content.folder),
                moment=(info.generated_at, info.as_of.isoformat(), info.revision), digest=info.content_digest,
                symbols=remembered_symbols(registry.symbols), documents=documents, sizes=report.sizes,
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


def _accounted(taken: Iterable[read.Projects], account: Account) -> Iterator[read.Projects]:
    for done in taken:
        account("projects/slug", done.written)
        yield done


def _write_records(
    registry: Registry, rendered: Mapping[str, list[Rendered]], tree: Tree, account: Account
) -> None:
    """Write the records of the other collections, and the contexts of those that have one."""
    for name, done in rendered.items():
        account(f"{name}/slug", [tree.write(made.artifact) for made in done])
    for name in CONTEXTS:
        made_of = (
            context.of_record(
                made.artifact, name, registry.settings, registry.symbols, registry.events
            )
            for made in rendered[name]
        )
        account(f"{name}/context", [tree.write(artifact) for artifact in made_of])


def _inputs(
    content: Content, some: Iterable[read.Seen], more: Iterable[read.Seen], began: int
) -> dict[str, inventory.Folder]:
    noted = {
        path: (inventory.settled(stat, began), digest) for path, stat, digest in chain(some, more)
    }
    return inventory.of_inputs(content.names, noted)


def _index(table: Table, vocabulary: Vocabulary, registry: Registry) -> Index:
    """The index of a table whose rows lie in the default order."""
    ranks = {slug: position for position, slug in enumerate(table.slugs)}
    vocabulary.ranks = [ranks[slug] for slug in vocabulary.slugs]
    return Index(
        table,
        range(len(table)),
        vocabulary,
        registry.symbols,
        registry.settings.page_size,
        registry.as_of,
    )


def _write(
    artifacts: Any,
    name: str,
    documents: Mapping[str, list[str]],
    write: Callable[[Artifact], Written],
    account: Account,
) -> list[str]:
    """Write an output's artifacts; their paths.  Raises PathTaken, naming both, when two outputs
    have one path.
    """
    paths = []
    for artifact in artifacts:
        try:
            account(artifact.path, [write(artifact)])
        except PathTaken:
            others = [other for other, had in documents.items() if artifact.path in had] or [
                "pages or records"
            ]
            raise PathTaken(f"{artifact.path} is written by {others[0]} and by {name}") from None
        paths.append(artifact.path)
    return paths


def remembered_symbols(symbols: Symbols) -> tuple[Targets, Targets]:
    """What other records refer to, as plain data."""
    return _plain(symbols.programs), _plain(symbols.organizations)


def _plain(targets: Mapping[str, Target]) -> Targets:
    return {slug: tuple(target) for slug, target in targets.items()}  # type: ignore[misc]  # a Target has just these


def remembered(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The problems that the next build says again: that records are gone is held against it anew."""
    return [problem for problem in problems if problem.code != "records-lost"]
