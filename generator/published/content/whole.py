"""The problems of a content folder as a whole: those between records, those of guards, and what
nothing needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from generator.dialect.folder import Content, Source, slug_of
from generator.grammar.grammar import Grammar
from generator.guard.state import State, Stayed, is_value
from generator.model.checks import REGISTRY_CHECKS, CollectionRecords
from generator.model.checks.tags import name_open_families
from generator.model.symbols import Symbols
from generator.model.tables.coverage import (
    count_aspects,
    count_filled,
    count_same_texts,
    fields_to_count,
)
from generator.model.tables.table import Table
from generator.model.validate import diagnose
from generator.problems.codes import codes, depends_on_day
from generator.problems.diagnostic import Diagnostic, Position, accepted_by, is_error, sort_problems
from generator.problems.faults import Fault, Loc, accept_fault
from generator.published.content.guards import NOTHING, Guard
from generator.published.content.load import count_records
from generator.published.content.promises import check_promises
from generator.published.content.read import diagnose_settings, read_approvals
from generator.published.history.git import times_added

if TYPE_CHECKING:
    from generator.published.content.records import Records


def check_whole(records: Records, guard: Guard, strict: bool) -> tuple[State, list[Diagnostic]]:
    """The state that guards compare, and all problems of the content, those of guards too."""
    content, linked, tables = records.content, records.linked, records.tables
    counts, settings = count_records(content), linked.settings
    packed = (packed for entry in records.all_entries() for packed in entry.problems)
    found = [*records.problems, *map(Diagnostic.unpack, packed)]
    uses = [table.members for table in tables.values()]
    found = [*name_open_families(found, uses, linked.symbols), *_check_across(records)]
    found += read_approvals(content)[1]
    found += check_promises(content, linked.symbols, records.moment.as_of)
    # A fault of the kinds is reported already.
    if not any(counts.values()) and "kinds" not in linked.symbols.unread_settings:
        message = "the registry has no records"
        hint = f"add a first record, such as {next(iter(content.kinds))}/acme.yaml"
        found.append(content.file_problem("", "empty-registry", message, hint, warn=True))
    state = _state(content, tables, linked.symbols.grammar, guard.earlier or NOTHING)
    problems = linked.accepting(found)
    if any(map(is_error, sort_problems(problems, strict))):
        problems += guard.check_counts(content, counts, settings)
    else:
        problems += guard.check_state(content, state, settings)
    if not any(map(is_error, problems)):  # then every record and every warning is known
        problems += linked.accepting(_unused_logos(records))
        problems += linked.accepting(_unused_accepts(records, problems))
    return state, problems


# --- checks between records -----------------------------------------------------------------------


def _check_across(records: Records) -> Iterator[Diagnostic]:
    """Run the checks that compare records with each other."""
    content, symbols = records.content, records.linked.symbols
    known = {name: _collection(records, name) for name in records.entries}

    @cache
    def sources(collection: str) -> dict[str, Source]:
        return {source.slug: source for source in content.sources[collection]}

    def where(collection: str, slug: str) -> str:
        return content.display_path(sources(collection)[slug].path)

    accepting = {
        path: accepted_by(accepted, path)
        for name, of_name in known.items()
        for slug, accepted in of_name.accepts.items()
        for path in (where(name, slug),)
    }
    faults: dict[Source, list[Fault]] = {}
    for check_registry in REGISTRY_CHECKS:
        for collection, slug, fault in check_registry(known, where):
            if fault.other is not None:
                fault = _with_other_place(content, sources(collection)[fault.other[0]], fault)
            for place in fault.also:
                fault = accept_fault(fault, accepting.get(place.path, {}))
            faults.setdefault(sources(collection)[slug], []).append(fault)
    for source, found in faults.items():
        yield from _located(content, source, found, symbols)


def _collection(records: Records, name: str) -> CollectionRecords:
    """The records of a collection, for checks between records."""
    content, linked, table = records.content, records.linked, records.tables[name]
    good, symbols = records.good[name], linked.symbols
    models = linked.models.get(name, {}) if content.kinds[name].has_parents else {}
    parents = {slug: model.parent for slug, model in models.items()}

    def added(slugs: Collection[str]) -> dict[str, float]:
        paths = [source.path for source in content.sources[name] if source.slug in slugs]
        return {slug_of(path): time for path, time in times_added(content.folder, paths).items()}

    declared = content.kinds[name]
    return CollectionRecords(
        declared=declared,
        live_slugs=set(table.slugs),
        parents={slug: parent for slug, parent in parents.items() if parent is not None},
        aliases=table.aliases,
        duplicate_keys={record.row.slug: record.duplicate_keys for record in good},
        # Events are in the slices of the tags and places of their programs.
        members={} if declared.timed else table.members,
        slugs=table.slugs,
        labels=table.labels,
        open_families=frozenset(symbols.tags.keys() - symbols.closed_families),
        removed=linked.removed.get(name, {}),
        stages=tuple(symbols.vocabulary("stages")),
        accepts={record.row.slug: record.accepts for record in good if record.accepts},
        extras=table.extras,
        times_added=added,
    )


def _located(
    content: Content, source: Source, faults: list[Fault], symbols: Symbols
) -> list[Diagnostic]:
    """Problems with their positions, for faults that were found after the file was read."""
    raw = content.read_content(source.path)
    if isinstance(raw, Diagnostic):
        return [raw]
    return diagnose(content.display_path(source.path), raw, faults, accepted=symbols.accepted)


def _with_other_place(content: Content, source: Source, fault: Fault) -> Fault:
    """A fault with the line and column of its other place, which is in the file of `source`."""
    raw = content.read_content(source.path)
    if fault.other is None or isinstance(raw, Diagnostic):
        return fault
    from generator.dialect.examine import examine

    line, column = examine(raw).locate(Fault("", "", fault.other[1]))
    path = content.display_path(source.path)
    message = f"{fault.message}, at {path}:{line}"
    return replace(fault, message=message, also=(Position(path, line, column),))


# --- what guards compare --------------------------------------------------------------------------


def _state(
    content: Content, tables: Mapping[str, Table], grammar: Grammar, earlier: State
) -> State:
    """The state of records before they are tabulated.  It has the slugs of all files, also of
    records with errors, and counts those that were in the earlier state.
    """
    parts: dict[str, dict[str, Any]] = {name: {} for name in State._fields}
    for name, sources in content.sources.items():
        if name not in content.kinds:  # a kind that cannot be read
            continue
        table, fields = tables[name], fields_to_count(name, grammar)
        counts = ((facet.text, len(members)) for facet, members in table.members.items())
        parts["counts"][name] = len(sources)
        parts["filled"][name] = _filled(table.coverage, fields)
        parts["values"][name] = {text: n for text, n in counts if n and is_value(text)}
        parts["alike"][name] = count_same_texts(table.coverage, fields)
        parts["slugs"][name] = " ".join(sorted({source.slug for source in sources}))
        parts["former"][name] = frozenset(chain.from_iterable(table.aliases.values()))
        parts["kinds"][name] = {
            facet.value: len(at) for facet, at in table.members.items() if facet.filter == "kind"
        }
        known = {*earlier.slugs.get(name, "").split()}
        is_known = name in earlier.slugs and len(known) == earlier.counts[name]
        if is_known and not known.issuperset(table.slugs):
            rows = [r for r in table.rows if r.slug in known or not known.isdisjoint(r.aliases)]
            coverage = Counter(chain.from_iterable(row.coverage_numbers for row in rows))
            kinds = Counter(f.value for row in rows for f in row.facets if f.filter == "kind")
            parts["stayed"][name] = Stayed(len(rows), _filled(coverage, fields), kinds)
    return State(**parts)


def _filled(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, int]:
    return count_filled(coverage, fields) | count_aspects(coverage, fields)


# --- what nothing needs ---------------------------------------------------------------------------


def _unused_logos(records: Records) -> list[Diagnostic]:
    """Warnings about logos that no record names."""
    content, named = records.content, records.named_logos()
    message = "no record beside this logo names it"
    hint = "write logo: {} in a record of the same folder, or remove it"
    return [
        content.file_problem(
            path, "unused-logo", message, hint.format(path.rpartition("/")[2]), warn=True
        )
        for path in content.logos
        if path not in named
    ]


def _unused_accepts(records: Records, problems: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Warnings about entries of `accept`, in records and in registry.yaml, that accept none of the
    problems, which are all of the content.

    An entry may accept something on another day or for another host, if its code depends on these.
    """
    content, symbols = records.content, records.linked.symbols
    in_registry = {problem.code for problem in problems}
    in_files = {
        (path, problem.code)
        for problem in problems
        for path in (problem.path, *(place.path for place in problem.also))
    }
    faults = [
        _unused(("accept", code), code, on_key=True)
        for code in symbols.accepted
        if code not in in_registry and not codes()[code].depends
    ]
    if faults:
        yield from diagnose_settings(content, faults)
    for entry in records.all_entries():
        accepted = entry.record.accepts if entry.record is not None else ()
        path = content.display_path(entry.path) if accepted else ""
        faults = [
            _unused(("accept", i), code)
            for i, code in enumerate(accepted)
            if (path, code) not in in_files
            and not depends_on_day(code)
            and code not in accepted[:i]
        ]
        if faults:
            yield from _located(content, Source(slug_of(entry.path), entry.path), faults, symbols)


def _unused(loc: Loc, code: str, *, on_key: bool = False) -> Fault:
    message = f'accept: there is no warning "{code}" here to accept'
    return Fault("unused-accept", message, loc, "remove it", on_key=on_key, severity="warning")
