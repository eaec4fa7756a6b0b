"""The steps from content to a linked registry, shared by `registry build` and `registry check`:
read, link, check, tabulate.  Each returns its result and the problems that it found.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import generator.hosts
from generator.build import read
from generator.build.check import CHECK_SHARE, Tally, check_chunk, count_in_links, tally
from generator.build.executors import choose_executor
from generator.build.guards import Guard, state_of_content
from generator.build.report import Report, sort_problems
from generator.build.results import CollectionResults
from generator.build.rows import render
from generator.contract.artifact import Artifact, module_names
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
from generator.model.checks import REGISTRY_CHECKS, CollectionRecords, DuplicateKeys, Uses
from generator.model.checks.duplicates import make_duplicate_keys
from generator.model.kinds import KINDS
from generator.model.link import link
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removed
from generator.model.symbols import Counted, Symbols, encode_places, tag_facets
from generator.model.tables.breakdown import Breakdown, count_breakdowns
from generator.model.tables.table import Batch, Registry, Table, TableBuilder, pack_rows
from generator.problems.diagnostic import Diagnostic, is_error
from generator.problems.faults import Fault
from generator.search.terms import terms_from_model

if TYPE_CHECKING:
    from generator.build.logos import Logos

NO_GUARD = Guard()


class Linked(NamedTuple):
    """Settings, symbols, programs and organizations (`referred`), the files read (`seen`), and
    removed.yaml.
    """

    settings: Settings
    symbols: Symbols
    referred: dict[str, read.Records]
    seen: list[read.Seen]
    removed: Removed

    def named_logos(self, others: Iterable[str]) -> set[str]:
        """The logos that programs and organizations name, and `others`."""
        return set(others).union(*(records.logos for records in self.referred.values()))


def read_header(content: Content) -> tuple[read.Header, list[Diagnostic]]:
    """Read registry.yaml and removed.yaml; with their problems."""
    header, problems = read.read_settings(content, module_names(generator.hosts))
    removed, seen, more = read.read_removed(content)
    return header._replace(removed=removed, seen=[*header.seen, *seen]), [*problems, *more]


def read_and_link(
    content: Content,
    header: read.Header,
    grammar: Grammar,
    today: str,
    logos: Mapping[str, str] | None = None,
) -> tuple[Linked, list[Diagnostic]]:
    """Read and link programs and organizations; with their problems.

    `logos` are those of `Symbols`; without them, only the existence of logos is known.
    """
    problems: list[Diagnostic] = []
    models = header.settings.models(header.unknown)
    records: dict[str, read.Records] = {}
    for name in REFERRED:
        records[name], unreadable = read.read_collection(content, KINDS[name], models[name])
        problems += unreadable
    symbols = link(
        header.settings,
        grammar,
        records["organizations"].models,
        records["programs"].models,
        {name: collection.broken for name, collection in records.items()},
        header.unknown,
        today,
        dict.fromkeys(content.logos, "") if logos is None else logos,
    )
    seen = list(header.seen)
    for name, collection in records.items():
        problems += read.check_collection(content, KINDS[name], collection, symbols)
        seen += collection.seen
    return Linked(header.settings, symbols, records, seen, header.removed), problems


def known_records(name: str, records: read.Records) -> CollectionRecords:
    """The input of checks across records, for programs or organizations."""
    models = records.models
    parents = {s: m.parent for s, m in models.items() if getattr(m, "parent", None) is not None}
    aliases = {slug: tuple(model.aliases) for slug, model in models.items() if model.aliases}
    marks = {slug: make_duplicate_keys(name, model) for slug, model in models.items()}
    members, labels = dict[str, list[int]](), dict[str, str]()
    for number, model in enumerate(models.values()):
        facets = tag_facets(model)
        for place in encode_places(model.locations):
            labels.update(place.labels)
            facets += place.facets
        for facet in facets:
            members.setdefault(facet, []).append(number)
    return CollectionRecords(
        models.keys(), parents, aliases, marks, Uses(members, list(models), labels)
    )


def check_across(
    content: Content, known: Mapping[str, CollectionRecords], linked: Linked
) -> list[Diagnostic]:
    """Run the checks that compare records with each other."""
    open_families = frozenset(linked.symbols.tags.keys() - linked.symbols.closed_families)
    faults: dict[Source, list[Fault]] = {}

    @cache
    def sources(collection: str) -> dict[str, Source]:
        return {source.slug: source for source in content.sources[collection]}

    def where(collection: str, slug: str) -> str:
        return content.display_path(sources(collection)[slug].path)

    known = {
        name: records._replace(
            removed=linked.removed.get(name, {}),
            open_families=open_families,
            stages=tuple(linked.symbols.stages),
        )
        for name, records in known.items()
    }
    for check_registry in REGISTRY_CHECKS:
        for collection, slug, fault in check_registry(known, where):
            if fault.other is not None:
                other = sources(collection)[fault.other[0]]
                fault = read.with_other_place(content, other, fault)
            faults.setdefault(sources(collection)[slug], []).append(fault)
    return [
        problem
        for source, found in faults.items()
        for problem in read.locate_faults(content, source, found)
    ]


def check_counts(content: Content, records: Mapping[str, int], guard: Guard) -> list[Diagnostic]:
    """The problems of approvals.yaml, and a warning if there are no records."""
    problems = guard.check_approvals(content)
    # A missing registry is reported already.
    if not any(records.values()) and all(p.code != "missing-registry" for p in content.problems):
        hint = "add a first record, such as projects/acme.yaml"
        empty = content.file_problem(
            "", "empty-registry", "the registry has no records", hint, warn=True
        )
        problems.append(empty)
    return problems


def prepare(
    content: Content, as_of: date, logos: Logos | None = None
) -> tuple[Linked, list[Diagnostic]]:
    """Everything that projects and events are checked against, and its problems: of file names, of
    settings, of logos, and of programs and organizations.
    """
    header, problems = read_header(content)
    if logos is not None:
        problems += logos.problems
    filled = [name for name, number in count_records(content).items() if number]
    linked, more = read_and_link(
        content,
        header,
        header.settings.grammar(filled),
        as_of.isoformat(),
        logos.paths if logos is not None else None,
    )
    if logos is not None:
        linked.seen.extend(logos.seen)
    return linked, [*content.problems, *read.check_strays(content), *problems, *more]


def read_all_logos(content: Content, jobs: int | None = None) -> Logos | None:
    """The logos of the content; None if there are none."""
    if not content.logos:
        return None
    from generator.build.logos import read_logos

    return read_logos(content, jobs)


def check_logos(
    content: Content, linked: Linked, named: Iterable[str], problems: Iterable[Diagnostic]
) -> list[Diagnostic]:
    """Warnings about logos that no record names.  `named` are the logos of projects; with errors in
    the content, not every record is known.
    """
    if not content.logos or any(map(is_error, problems)):
        return []
    from generator.build.logos import unused_logos

    return unused_logos(content, linked.named_logos(named))


def check_whole(
    content: Content,
    linked: Linked,
    rows: Mapping[str, TableBuilder | Tally],
    marks: Mapping[str, Mapping[str, DuplicateKeys]],
    guard: Guard,
) -> tuple[State, list[Diagnostic]]:
    """The state for guards, and the problems of the registry as a whole, without those of guards.

    `rows` and `marks` (duplicate keys) are those of projects and events.
    """
    known = {
        name: CollectionRecords(
            set(t.slugs),
            {},
            t.aliases,
            marks[name],
            # Events are in the slices of the tags and places of their programs.
            Uses(t.members, t.slugs, t.labels) if name != "events" else Uses(),
        )
        for name, t in rows.items()
    }
    known |= {name: known_records(name, records) for name, records in linked.referred.items()}
    models = {name: records.models.values() for name, records in linked.referred.items()}
    state = state_of_content(content, rows, models, linked.symbols)
    return state, [
        *check_across(content, known, linked),
        *check_counts(content, count_records(content), guard),
    ]


def count_records(content: Content) -> dict[str, int]:
    """The number of records in each collection, projects first."""
    return {name: len(content.sources[name]) for name in ("projects", *COLLECTIONS[:-1])}


#: A function like `breakdowns`.
Count = Callable[[Table, Symbols, Iterable[str]], Mapping[str, Breakdown]]
#: Collection -> rows and files of its records, for programs and organizations.
Referred = Mapping[str, tuple[Batch, list[Artifact]]]


def tabulate(
    linked: Linked,
    gathered: dict[str, CollectionResults],
    as_of: date,
    count: Count = count_breakdowns,
) -> tuple[Registry, Referred]:
    """The tables of all records, and the rendered programs and organizations.

    Adds programs and organizations, with their counts, to `gathered`.
    """
    symbols = linked.symbols
    collections = symbols.grammar.collections
    tables = {name: done.rows.make_table(collections[name]) for name, done in gathered.items()}
    models = {name: linked.referred[name].models for name in REFERRED}
    facets = [f"{KIND_OF[name]}/{slug}" for name, by_slug in models.items() for slug in by_slug]
    parts = count(tables["projects"], symbols, facets)
    referred = {}
    for name, by_slug in models.items():
        rendered = []
        for slug, model in by_slug.items():
            facet = f"{KIND_OF[name]}/{slug}"
            programs = tables["programs"].count(facet) if "programs" in tables else 0
            counts = Counted(tables["projects"].count(facet), programs, parts[facet])
            rendered.append(render(KINDS[name], slug, model, symbols, counts))
        rows = pack_rows(record.row for record in rendered)
        referred[name] = rows, [record.artifact for record in rendered]
        gathered[name] = CollectionResults()
        gathered[name].add(rows, [terms_from_model(model, symbols) for model in by_slug.values()])
        tables[name] = gathered[name].rows.make_table(collections[name])
    return Registry(linked.settings, symbols, as_of, **tables), referred


def load(
    content: Content, as_of: date, terms: dict[str, str] | None = None
) -> tuple[Registry | None, list[Diagnostic]]:
    """The registry, read in this process, and its problems; None if one of these is an error.

    The search terms of projects are added to `terms`, by slug.
    """
    linked, problems = prepare(content, as_of, read_all_logos(content))
    gathered = {name: CollectionResults() for name in STREAMED}
    shared = content.folder, linked.symbols, None
    for name, results in gathered.items():
        for _, packed, *_ in read.read_parts(
            list(read.divide_into_parts(content.sources[name])), shared
        ):
            part = read.PartRows(*marshal.loads(packed))
            results.add_part(part)
            problems += map(Diagnostic.unpack, part.problems)
    rows = {name: results.rows for name, results in gathered.items()}
    marks = {name: results.marks for name, results in gathered.items()}
    problems += check_whole(content, linked, rows, marks, NO_GUARD)[1]
    named = (logo for results in gathered.values() for logo in results.logos)
    problems += check_logos(content, linked, named, problems)
    if any(map(is_error, problems)):
        return None, problems
    registry, _ = tabulate(linked, gathered, as_of)
    if terms is not None:
        terms |= gathered["projects"].terms
    return registry, problems


def file_checker(content: Content, as_of: date) -> Callable[[str, bytes], list[Diagnostic]]:
    """A function that returns the problems of a file of the content (path, new bytes), without
    checks across records.  References are resolved in the content as it is now.
    """
    header, _ = read_header(content)
    linked, _ = read_and_link(content, header, header.settings.grammar(), as_of.isoformat())
    return lambda path, raw: read.diagnose_bytes(content, path, raw, linked.symbols)


def check(
    folder: str,
    as_of: date,
    guard: Guard = NO_GUARD,
    *,
    jobs: int | None = None,
    strict: bool = False,
    files: Collection[str] = (),
) -> Report:
    """Report every problem of the content; nothing is written.

    With `files`, paths below the content folder, all records are checked, but only the problems of
    these files, registry.yaml, removed.yaml and approvals.yaml are listed; the others are counted.
    """
    content = scan(folder)
    linked, problems = prepare(content, as_of, read_all_logos(content, jobs))
    sources = [source for name in STREAMED for source in content.sources[name]]
    workers = choose_executor(jobs, int(len(sources) * CHECK_SHARE))
    tallies, more = tally(workers.run(check_chunk, sources, (folder, linked.symbols)))
    problems += more
    marks = {name: collection.marks for name, collection in tallies.items()}
    state, more = check_whole(content, linked, tallies, marks, guard)
    problems += [*more, *guard.check_state(content, state, linked.settings)]
    named = (logo for collection in tallies.values() for logo in collection.logos)
    problems += check_logos(content, linked, named, problems)
    listed = problems
    if files:
        paths = (*files, REGISTRY_FILE, REMOVED_FILE, APPROVALS_FILE, "")
        shown_paths = set(map(content.display_path, paths))
        listed = [problem for problem in problems if problem.path in shown_paths]
    elsewhere = len(problems) - len(listed)
    in_links = sum(collection.in_links for collection in tallies.values()) + sum(
        count_in_links(records.models.values(), linked.symbols)
        for records in linked.referred.values()
    )
    note = f"{in_links:,} links are identifiers. To move them: registry fix --identifiers"
    return Report(
        sort_problems(listed, strict), count_records(content), guard.counts, elsewhere=elsewhere,
        notes=(note,) if in_links and not files else (),
    )  # fmt: skip
