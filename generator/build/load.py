"""The steps from content to a linked registry, shared by `registry build` and `registry check`:
read, link, check, tabulate.  Each returns its result and the problems that it found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import NamedTuple

import generator.hosts
from generator.build import read
from generator.build.accepted import unused_entries
from generator.build.executors import InProcess, choose_executor
from generator.build.guards import Guard, state_of_content
from generator.build.logos import Logos, read_logos, unused_logos
from generator.build.provenance import run_git
from generator.build.read import CollectionResults
from generator.build.records import ReadInputs, read_records
from generator.build.report import Report, sort_problems
from generator.build.rows import render_all
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
    duplicate_slug,
    is_utf8_name,
    scan,
)
from generator.grammar.grammar import Grammar
from generator.grammar.names import KIND_OF
from generator.guard.state import State
from generator.model.checks import REGISTRY_CHECKS, CollectionRecords, Uses
from generator.model.kinds import KINDS
from generator.model.link import link
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removed
from generator.model.symbols import Counted, Symbols
from generator.model.tables.breakdown import count_breakdowns
from generator.model.tables.table import Batch, Registry, Row, TableBuilder, pack_rows
from generator.problems.diagnostic import (
    Diagnostic,
    accept_warning,
    accepted_by,
    is_accepted,
    is_error,
    sort_diagnostics,
)
from generator.problems.faults import Fault, accept_fault
from generator.search.terms import Terms

NO_GUARD = Guard()
#: The work of a check on a record, as a share of that of a build.
CHECK_SHARE = 1 / 4


class Linked(NamedTuple):
    """Settings, symbols, programs and organizations (`referred`; `checked` as `read_records` gives
    the others), the files read (`seen`), and removed.yaml.
    """

    settings: Settings
    symbols: Symbols
    referred: dict[str, read.Records]
    checked: dict[str, CollectionResults]
    seen: list[read.Seen]
    removed: Removed

    def parents_in(self, name: str) -> dict[str, str]:
        """Slug -> parent, for the programs or organizations that have one; empty for others."""
        models = self.referred[name].models if name in self.referred else {}
        return {slug: model.parent for slug, model in models.items() if model.parent is not None}

    def named_logos(self, gathered: Mapping[str, CollectionResults]) -> set[str]:
        """The logos that records name; `gathered` has projects and events."""
        results = (*self.checked.values(), *gathered.values())
        return {logo for result in results for logo in result.logos}

    def accepting(self, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The problems, with the warnings that registry.yaml accepts as accepted."""
        return [accept_warning(problem, self.symbols.accepted) for problem in problems]


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
    checked = {name: CollectionResults() for name in records}
    for name, collection in records.items():
        valid = [item for item in collection.models.items() if is_utf8_name(item[0])]
        checked[name].add(read.check_rows(KINDS[name], valid, symbols))
        problems += read.check_collection(content, KINDS[name], collection, symbols)
        checked[name].logos |= collection.logos
        seen += collection.seen
    return Linked(header.settings, symbols, records, checked, seen, header.removed), problems


def check_across(
    content: Content, known: Mapping[str, CollectionRecords], linked: Linked
) -> list[Diagnostic]:
    """Run the checks that compare records with each other."""
    open_families = frozenset(linked.symbols.tags.keys() - linked.symbols.closed_families)
    faults: dict[Source, list[Fault]] = {}
    accepting: dict[str, dict[str, str]] = {}

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
    for name, records in known.items():
        for slug, accepted in records.accepts.items():
            path = where(name, slug)
            accepting[path] = accepted_by(accepted, path)
    for check_registry in REGISTRY_CHECKS:
        for collection, slug, fault in check_registry(known, where):
            if fault.other is not None:
                other = sources(collection)[fault.other[0]]
                fault = read.with_other_place(content, other, fault)
            for path, _, _ in fault.also:
                fault = accept_fault(fault, accepting.get(path, {}))
            faults.setdefault(sources(collection)[slug], []).append(fault)
    return [
        problem
        for source, found in faults.items()
        for problem in read.locate_faults(content, source, found, linked.symbols)
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
    content: Content, as_of: date, logos: Logos, *, site: bool = True
) -> tuple[Linked, list[Diagnostic]]:
    """Everything that projects and events are checked against, and its problems: of file names, of
    settings, of logos, and of programs and organizations.  Without `site` the build leaves out the
    site.
    """
    header, problems = read_header(content)
    filled = [name for name, number in count_records(content).items() if number]
    linked, more = read_and_link(
        content,
        header,
        header.settings.grammar(filled, site=site),
        as_of.isoformat(),
        logos.paths,
    )
    linked.seen.extend(logos.seen)
    strays = read.check_strays(content)
    names = [_at_new_file(content, problem) for problem in content.problems]
    return linked, [*names, *strays, *problems, *logos.problems, *more]


def _at_new_file(content: Content, problem: Diagnostic) -> Diagnostic:
    """The problem of two files with one slug, at the file that git has got later."""
    if problem.code != "duplicate-slug" or not problem.also:
        return problem
    paths = {
        content.display_path(source.path): source.path
        for sources in content.sources.values()
        for source in sources
    }
    path, other = paths[problem.path], paths[problem.also[0][0]]
    is_newer = _time_added(content.folder, other) > _time_added(content.folder, path)
    return duplicate_slug(content, other, path) if is_newer else problem


def _time_added(folder: str, path: str) -> float:
    """When a file was added to git, in seconds; infinity if that is not known."""
    line = run_git(
        folder, "log", "--diff-filter=A", "--format=%ct", "-1", "--", f":(literal){path}"
    )
    return float(line) if line else math.inf


def check_whole(
    content: Content, linked: Linked, gathered: Mapping[str, CollectionResults], guard: Guard
) -> tuple[State, list[Diagnostic]]:
    """The state for guards, and the problems of the registry as a whole, without those of guards
    and of `check_unused`.

    `gathered` has projects and events.
    """
    gathered = {**gathered, **linked.checked}
    known = {
        name: CollectionRecords(
            set(results.rows.slugs),
            linked.parents_in(name),
            results.rows.aliases,
            results.marks,
            # Events are in the slices of the tags and places of their programs.
            Uses(results.rows.members, results.rows.slugs, results.rows.labels)
            if name != "events"
            else Uses(),
            accepts=results.accepts,
        )
        for name, results in gathered.items()
    }
    rows = {name: results.rows for name, results in gathered.items()}
    return state_of_content(content, rows, linked.symbols.grammar), [
        *check_across(content, known, linked),
        *check_counts(content, count_records(content), guard),
    ]


def check_unused(
    content: Content,
    linked: Linked,
    gathered: Mapping[str, CollectionResults],
    problems: Sequence[Diagnostic],
) -> list[Diagnostic]:
    """Warnings about logos and entries of `accept` that nothing in the content needs.

    `gathered` has projects and events, `problems` all other problems.
    """
    logos = unused_logos(content, linked.named_logos(gathered), problems)
    accepts = {name: done.accepts for name, done in {**gathered, **linked.checked}.items()}
    found = [*problems, *logos]
    return linked.accepting([*logos, *unused_entries(content, linked.symbols, accepts, found)])


def count_records(content: Content) -> dict[str, int]:
    """The number of records in each collection, projects first."""
    return {name: len(content.sources[name]) for name in ("projects", *COLLECTIONS[:-1])}


#: Collection -> rows and files of its records, for programs and organizations.
Referred = Mapping[str, tuple[Batch, list[Artifact]]]


def tabulate(
    linked: Linked,
    gathered: dict[str, CollectionResults],
    as_of: date,
    modified: Mapping[str, str],
) -> tuple[Registry, Referred]:
    """The tables of all records, and the rendered programs and organizations.

    `modified` is as in Registry.
    Adds programs and organizations, with their counts, to `gathered`.
    """
    symbols = linked.symbols
    collections = symbols.grammar.collections
    tables = {name: done.rows.make_table(collections[name]) for name, done in gathered.items()}
    models = {name: linked.referred[name].models for name in REFERRED}
    facets = [f"{KIND_OF[name]}/{slug}" for name, by_slug in models.items() for slug in by_slug]
    parts = count_breakdowns(tables["projects"], symbols, facets)
    referred = {}
    for name, by_slug in models.items():
        rows, artifacts = list[Row](), list[Artifact]()
        for slug, model in by_slug.items():
            facet = f"{KIND_OF[name]}/{slug}"
            programs = tables["programs"].count(facet) if "programs" in tables else 0
            counts = Counted(tables["projects"].count(facet), programs, parts[facet])
            made = render_all(KINDS[name], [(slug, model)], symbols, counts)
            rows += made[0]
            artifacts += made[1]
        batch, table = pack_rows(rows), TableBuilder()
        table.add(batch)
        tables[name] = table.make_table(collections[name])
        referred[name] = batch, artifacts
        terms = {slug: read.find_terms(slug, m, symbols) for slug, m in by_slug.items()}
        gathered[name] = CollectionResults(terms=terms)
    registry = Registry(
        linked.settings,
        symbols,
        as_of,
        tables["projects"],
        tables["programs"],
        tables["organizations"],
        tables["events"],
        modified,
    )
    return registry, referred


def load(
    content: Content, as_of: date, terms: dict[str, Terms] | None = None
) -> tuple[Registry | None, list[Diagnostic]]:
    """The registry, read in this process, and its problems; None if one of these is an error.

    The search terms of projects are added to `terms`, by slug.
    """
    linked, problems = prepare(content, as_of, read_logos(content))
    reading = ReadInputs(content, linked.symbols)
    gathered, more, _ = read_records(reading, lambda _: InProcess(), lambda artifact: ())
    problems += [*more, *check_whole(content, linked, gathered, NO_GUARD)[1]]
    problems += check_unused(content, linked, gathered, problems)
    if any(map(is_error, problems)):
        return None, problems
    registry, _ = tabulate(linked, gathered, as_of, {})
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
    linked, problems = prepare(content, as_of, read_logos(content, jobs))
    streamed = sum(len(content.sources[name]) for name in STREAMED)
    workers = choose_executor(jobs, int(streamed * CHECK_SHARE))
    reading = ReadInputs(content, linked.symbols)
    gathered, more, _ = read_records(reading, lambda _: workers, None)
    problems += more
    state, more = check_whole(content, linked, gathered, guard)
    problems = linked.accepting([*problems, *more])
    problems += guard.check_state(content, state, linked.settings)
    problems += check_unused(content, linked, gathered, problems)
    problems += _check_packages(content, linked.settings)
    listed = problems
    if files:
        paths = (*files, REGISTRY_FILE, REMOVED_FILE, APPROVALS_FILE, "")
        shown_paths = set(map(content.display_path, paths))
        listed = [problem for problem in problems if problem.path in shown_paths]
    elsewhere = sum(not is_accepted(p) for p in problems) - sum(not is_accepted(p) for p in listed)
    in_links = sum(r.in_links for r in (*gathered.values(), *linked.checked.values()))
    many = "1 link is an identifier" if in_links == 1 else f"{in_links:,} links are identifiers"
    note = f"{many}. To move {'it' if in_links == 1 else 'them'}: registry fix --identifiers"
    return Report(
        sort_problems(listed, strict), count_records(content), guard.counts, elsewhere=elsewhere,
        notes=(note,) if in_links and not files else (),
        accepted=sort_diagnostics(filter(is_accepted, listed)),
    )  # fmt: skip


def _check_packages(content: Content, settings: Settings) -> list[Diagnostic]:
    """A warning if a build here would lack a package; the content itself is right."""
    if not settings.data:
        return []
    from generator.build.data_files import missing_package

    fault = missing_package(settings.data)
    return read.diagnose_settings(content, [replace(fault, severity="warning")] if fault else [])
