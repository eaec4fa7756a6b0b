"""The steps from content to a linked registry: read, link, check, tabulate.

Each returns its result and the problems that it found; `records.py` calls them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cache, partial
from typing import Any, NamedTuple

import generator.hosts
from generator.contract.artifact import module_names
from generator.dialect.folder import Content, Source, duplicate_slug, slug_of
from generator.grammar.filters import Facet
from generator.grammar.grammar import Grammar
from generator.guard.state import State
from generator.kinds import KIND_OF
from generator.kinds.every import COLLECTIONS, COUNTING, REFERRED, STREAMED
from generator.model.checks import REGISTRY_CHECKS, CollectionRecords, Uses
from generator.model.kind import OwnerCounts
from generator.model.kinds import KINDS
from generator.model.link import link
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removed
from generator.model.symbols import Symbols
from generator.model.tables.breakdown import count_breakdowns
from generator.model.tables.table import Registry, Row, Table
from generator.model.tables.table import tabulate as make_table
from generator.problems.diagnostic import Diagnostic, accept_warning, accepted_by
from generator.problems.faults import Fault, accept_fault
from generator.published.content import read
from generator.published.content.accepted import unused_entries
from generator.published.content.entries import (
    FileEntry,
    Gathered,
    find_terms,
    make_entries,
    read_files,
    unpack_entry,
)
from generator.published.content.guards import Guard, state_of_content
from generator.published.content.logos import Logos, unused_logos
from generator.published.content.rows import NO_COUNTS, render
from generator.published.history.provenance import run_git
from generator.search.terms import Terms


class Models(NamedTuple):
    """The records of a collection as models; `broken` has the slugs of records without one."""

    models: dict[str, Any]
    broken: set[str]


class Linked(NamedTuple):
    """Settings, symbols, programs and organizations (their models, and their entries by path), the
    other files that were read, and removed.yaml.
    """

    settings: Settings
    symbols: Symbols
    models: dict[str, Models]
    entries: dict[str, dict[str, FileEntry]]
    blobs: read.Blobs
    removed: Removed

    def parents_in(self, name: str) -> dict[str, str]:
        """Slug -> parent, for the programs or organizations that have one; empty for others."""
        models = self.models[name].models if name in self.models else {}
        parents = ((slug, getattr(model, "parent", None)) for slug, model in models.items())
        return {slug: parent for slug, parent in parents if parent is not None}

    def accepting(self, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The problems, with the warnings that registry.yaml accepts as accepted."""
        return [accept_warning(problem, self.symbols.accepted) for problem in problems]


def read_header(content: Content) -> tuple[read.RegistryHeader, list[Diagnostic]]:
    """Read registry.yaml and removed.yaml; with their problems."""
    header, problems = read.read_settings(content, module_names(generator.hosts))
    removed, blobs, more = read.read_removed(content)
    return header._replace(removed=removed, blobs=header.blobs | blobs), [*problems, *more]


def read_and_link(
    content: Content,
    header: read.RegistryHeader,
    grammar: Grammar,
    today: str,
    logos: Mapping[str, str] | None = None,
) -> Linked:
    """Read and link programs and organizations.

    `logos` are those of `Symbols`; without them, only the existence of logos is known.
    """
    classes, models = header.settings.models(header.unknown), dict[str, Models]()
    files = {name: read_files(content, content.sources[name], classes[name]) for name in REFERRED}
    for name, (readable, _) in files.items():
        by_slug: dict[str, Any] = {}
        for file in readable:
            if file.model is not None:
                by_slug.setdefault(file.source.slug, file.model)
        whole = {file.source.path for file in readable if file.model is not None}
        broken = {source.slug for source in content.sources[name] if source.path not in whole}
        models[name] = Models(by_slug, broken)
    symbols = link(
        header.settings,
        grammar,
        {name: of.models for name, of in models.items()},
        {name: of.broken for name, of in models.items()},
        header.unknown,
        today,
        dict.fromkeys(content.logos, "") if logos is None else logos,
    )
    entries = {
        name: {
            data[0]: unpack_entry(data)
            for data in (
                *unreadable,
                *make_entries(readable, content, KINDS[name], symbols, renders=False),
            )
        }
        for name, (readable, unreadable) in files.items()
    }
    return Linked(header.settings, symbols, models, entries, dict(header.blobs), header.removed)


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

    def times_added(collection: str, slugs: Collection[str]) -> dict[str, float]:
        return {
            slug_of(path): time
            for path, time in _times_added(
                content.folder, [sources(collection)[slug].path for slug in slugs]
            ).items()
        }

    known = {
        name: records._replace(
            times_added=partial(times_added, name),
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
        for found in check_registry(known, where):
            collection, fault = found.collection, found.fault
            if fault.other is not None:
                other = sources(collection)[fault.other[0]]
                fault = read.with_other_place(content, other, fault)
            for place in fault.also:
                fault = accept_fault(fault, accepting.get(place.path, {}))
            faults.setdefault(sources(collection)[found.slug], []).append(fault)
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
    settings and of logos.  Without `site` the build leaves out the site.
    """
    header, problems = read_header(content)
    filled = [name for name, number in count_records(content).items() if number]
    linked = read_and_link(
        content,
        header,
        header.settings.grammar(filled, site=site),
        as_of.isoformat(),
        logos.paths,
    )
    linked.blobs.update(logos.blobs)
    strays = read.check_strays(content)
    names = [_at_new_file(content, problem) for problem in content.problems]
    return linked, [*names, *strays, *problems, *logos.problems]


def _at_new_file(content: Content, problem: Diagnostic) -> Diagnostic:
    """The problem of two files with one slug, at the file that git has got later."""
    if problem.code != "duplicate-slug" or not problem.also:
        return problem
    paths = {
        content.display_path(source.path): source.path
        for sources in content.sources.values()
        for source in sources
    }
    path, other = paths[problem.path], paths[problem.also[0].path]
    added = _times_added(content.folder, [other, path])
    is_newer = added.get(other, 0) > added.get(path, 0)
    return duplicate_slug(content, other, path) if is_newer else problem


#: A git command takes at most so many paths here.
_MAX_PATHS = 500


def _times_added(folder: str, paths: Sequence[str]) -> dict[str, float]:
    """When files were added to git, in seconds; infinity for a file that it does not have.  Empty
    without git, and for more than `_MAX_PATHS` files.
    """
    if len(paths) > _MAX_PATHS:
        return {}
    literal = [f":(literal){path}" for path in paths]
    added = run_git(
        folder, "log", "--diff-filter=A", "--no-renames", "--relative", "--name-only", "-z",
        "--format=%x01%ct", "--", *literal,
    )  # fmt: skip
    if not added:
        return {}
    times = dict.fromkeys(paths, math.inf)
    for commit in os.fsdecode(added).split("\x01")[1:]:
        time, _, names = commit.partition("\0")
        times |= dict.fromkeys(names.strip("\n\0").split("\0"), float(time))
    return times


def check_whole(
    content: Content, linked: Linked, gathered: Mapping[str, Gathered], guard: Guard
) -> tuple[State, list[Diagnostic]]:
    """The state for guards, and the problems of the registry as a whole, without those of guards
    and of `check_unused`.
    """
    known = {
        name: CollectionRecords(
            set(results.table.slugs),
            linked.parents_in(name),
            results.table.aliases,
            results.duplicate_keys,
            # Events are in the slices of the tags and places of their programs.
            Uses(results.table.members, results.table.slugs, results.table.labels)
            if not KINDS[name].declared.timed
            else Uses(),
            accepts=results.accepts,
            extras=results.table.extras,
        )
        for name, results in gathered.items()
    }
    tables = {name: results.table for name, results in gathered.items()}
    return state_of_content(content, tables, linked.symbols.grammar, guard.earlier), [
        *check_across(content, known, linked),
        *check_counts(content, count_records(content), guard),
    ]


def check_unused(
    content: Content,
    linked: Linked,
    gathered: Mapping[str, Gathered],
    problems: Sequence[Diagnostic],
) -> list[Diagnostic]:
    """Warnings about logos and accepted codes that nothing in the content needs.

    `problems` are all other problems.
    """
    named = {logo for of_collection in gathered.values() for logo in of_collection.logos}
    logos = unused_logos(content, named, problems)
    accepts = {name: of_collection.accepts for name, of_collection in gathered.items()}
    found = [*problems, *logos]
    return linked.accepting([*logos, *unused_entries(content, linked.symbols, accepts, found)])


def count_records(content: Content) -> dict[str, int]:
    """The number of records in each collection, projects first."""
    return {name: len(content.sources[name]) for name in dict.fromkeys(("projects", *COLLECTIONS))}


class Tabulated(NamedTuple):
    """The tables of all records; the files of programs and organizations, which have counts, by
    collection and slug; and what finds each record in a search likewise.
    """

    registry: Registry
    documents: Mapping[str, Mapping[str, bytes]]
    terms: Mapping[str, Mapping[str, Terms]]


def tabulate(
    linked: Linked, gathered: Mapping[str, Gathered], as_of: date, modified: Mapping[str, str]
) -> Tabulated:
    """The tables of all records; `modified`: see Registry."""
    symbols = linked.symbols
    tables = {name: gathered[name].table for name in STREAMED}
    terms = {name: gathered[name].terms for name in STREAMED}
    documents = {}
    for name in (*(n for n in REFERRED if n not in COUNTING), *COUNTING):
        by_slug = linked.models[name].models
        counted = count_members(name, by_slug, tables, symbols) if name in COUNTING else {}
        rows, files = list[Row](), dict[str, bytes]()
        for slug, model in by_slug.items():
            counts = counted.get(slug, NO_COUNTS)
            row, file = render(KINDS[name], slug, model, symbols, counts)
            rows.append(row)
            files[slug] = file.data
        tables[name] = make_table(symbols.grammar.collections[name], rows)
        documents[name] = files
        terms[name] = {slug: find_terms(name, slug, m, symbols) for slug, m in by_slug.items()}
    registry = Registry(
        linked.settings,
        symbols,
        as_of,
        {name: tables[name] for name in KINDS},
        modified,
    )
    return Tabulated(registry, documents, terms)


def count_members(
    name: str, slugs: Iterable[str], tables: Mapping[str, Table], symbols: Symbols
) -> dict[str, OwnerCounts]:
    """Slug -> the counts of a program or an organization, by the tables that were made before."""
    facets = {slug: Facet(KIND_OF[name], slug) for slug in slugs}
    parts = count_breakdowns(tables["projects"], symbols, facets.values())
    programs = tables.get("programs")
    return {
        slug: OwnerCounts(
            tables["projects"].count(facet), programs.count(facet) if programs else 0, parts[facet]
        )
        for slug, facet in facets.items()
    }


def file_checker(content: Content, as_of: date) -> Callable[[str, bytes], list[Diagnostic]]:
    """A function that returns the problems of a file of the content (path, new bytes), without
    checks across records.  References are resolved in the content as it is now.
    """
    header, _ = read_header(content)
    linked = read_and_link(content, header, header.settings.grammar(), as_of.isoformat())
    return lambda path, raw: read.diagnose_bytes(content, path, raw, linked.symbols)
