"""The steps from content to a linked registry: read, link, fill tables; `records.py` calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.dialect.folder import Content, duplicate_slug
from generator.grammar.grammar import Grammar
from generator.model.kinds import kind_for
from generator.model.link import link
from generator.model.settings.list_files import Removed
from generator.model.settings.own_fields import record_model
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.breakdown import count_related
from generator.model.tables.table import Registry, Row, Table, tabulate
from generator.model.tables.texts import TextRows
from generator.problems.diagnostic import Diagnostic, accept_warning
from generator.published.content.entries import (
    FileEntry,
    FileRead,
    GoodRecord,
    Named,
    Rendered,
    make_entries,
    make_record,
    read_files,
    read_names,
)
from generator.published.content.logos import Logos
from generator.published.content.read import (
    Blobs,
    RegistryHeader,
    check_strays,
    diagnose_bytes,
    read_header,
)
from generator.published.history.git import times_added


class Linked(NamedTuple):
    """Settings, symbols, the records that others refer to (by slug their models, or only what
    references need of them; and by path the entries of those with models), the other files that
    were read, and removed.yaml.  `is_usable` is that of registry.yaml.
    """

    settings: Settings
    symbols: Symbols
    models: dict[str, dict[str, Any]]
    entries: dict[str, dict[str, FileEntry]]
    blobs: Blobs
    removed: Removed
    is_usable: bool

    def accepting(self, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The problems, with the warnings that registry.yaml accepts as accepted."""
        return [accept_warning(problem, self.symbols.accepted) for problem in problems]


def count_records(content: Content) -> dict[str, int]:
    """The number of records in each collection, the first kind first."""
    names = dict.fromkeys((next(iter(content.kinds)), *content.sources))
    return {name: len(content.sources[name]) for name in names}


def read_and_link(
    content: Content,
    header: RegistryHeader,
    grammar: Grammar,
    today: str,
    logos: Mapping[str, str] | None = None,
    known: Mapping[str, Named] = MappingProxyType({}),
) -> Linked:
    """Read and link the records that others refer to.

    `logos` are those of `Symbols`; without them, only the existence of logos is known.  `known` is
    that of `read_names`.
    """
    kinds, sources = content.kinds, content.sources
    kept, referred = kinds.kept, kinds.referred
    files = {
        name: read_files(content, sources[name], record_model(kinds[name], header.unknown))
        for name in kept
    }
    models: dict[str, dict[str, Any]] = {
        name: read_names(content, sources[name], known) for name in referred if name not in kept
    }
    for name, read in files.items():
        models[name] = {}
        for file in read:
            if file.model is not None:
                models[name].setdefault(file.source.slug, file.model)
    slugs = {name: [source.slug for source in sources[name]] for name in referred}
    known_logos = dict.fromkeys(content.logos, "") if logos is None else logos

    def linked() -> Symbols:
        return link(
            header.settings, grammar, models, slugs, header.unknown, today, known_logos
        )  # fmt: skip

    symbols = linked()
    entries = {
        name: {
            entry.path: entry
            for entry in make_entries(read, content, kind_for(kinds[name]), symbols)
        }
        for name, read in files.items()
    }
    if _leave_out_faulty(files, entries, models):
        right = linked()
        symbols = replace(
            symbols, referred=right.referred, passed=right.passed, places=right.places
        )
        for name, of_name in models.items():
            for path, entry in entries.get(name, {}).items():
                if entry.record is not None:
                    kind, slug = kind_for(kinds[name]), entry.record.row.slug
                    record = make_record(kind, slug, of_name[slug], symbols)
                    entries[name][path] = entry._replace(record=record)
    blobs, removed = dict(header.blobs), header.removed
    return Linked(header.settings, symbols, models, entries, blobs, removed, header.is_usable)


def _leave_out_faulty(
    files: Mapping[str, Sequence[FileRead]],
    entries: Mapping[str, Mapping[str, FileEntry]],
    models: dict[str, dict[str, Any]],
) -> bool:
    """Leave out of `models` the records with errors: they give other records nothing, like a file
    that is not valid.  Returns whether there were any.
    """
    found = False
    for name, read in files.items():
        right = [file for file in read if entries[name][file.source.path].record is not None]
        if len(right) < sum(file.model is not None for file in read):
            found = True
            models[name] = {}
            for file in right:
                models[name].setdefault(file.source.slug, file.model)
    return found


def prepare(
    content: Content, as_of: date, logos: Logos, known: Mapping[str, Named], *, site: bool = True
) -> tuple[Linked, list[Diagnostic]]:
    """Everything that records are checked against, and its problems: of file names, of settings and
    of logos.  Without `site` the build leaves out the site; `known` is that of `read_and_link`.
    """
    header, problems = read_header(content)
    names = [_at_new_file(content, problem) for problem in content.problems]
    if repeated := {problem.path for problem in names if problem.code == "duplicate-slug"}:
        # Of files with one slug, references mean the one that has no problem.
        for sources in content.sources.values():
            sources.sort(key=lambda source: content.display_path(source.path) in repeated)
    filled = frozenset(name for name, number in count_records(content).items() if number)
    grammar = header.settings.grammar(filled, site=site)
    linked = read_and_link(content, header, grammar, as_of.isoformat(), logos.paths, known)
    linked.blobs.update(logos.blobs)
    # With a fault of the kinds nobody knows which folders have records.
    strays = [] if "kinds" in header.unknown else check_strays(content)
    return linked, [*names, *strays, *problems, *logos.problems]


def _at_new_file(content: Content, problem: Diagnostic) -> Diagnostic:
    """A problem of names; that of two files with one slug is at the file that git has got later."""
    if problem.code != "duplicate-slug" or not problem.also:
        return problem
    sources = (source for of in content.sources.values() for source in of)
    paths = {content.display_path(source.path): source.path for source in sources}
    path, other = paths[problem.path], paths[problem.also[0].path]
    added = times_added(content.folder, [other, path])
    is_newer = added.get(other, 0) > added.get(path, 0)
    return duplicate_slug(content, other, path) if is_newer else problem


def fill_tables(
    linked: Linked,
    tables: Mapping[str, Table],
    good: Mapping[str, Sequence[GoodRecord]],
    as_of: date,
    modified: Mapping[str, str],
    texts: TextRows,
) -> Registry:
    """The tables of all records, from `tables` without counts; `modified`: see Registry.  The rows
    and the texts of those that count others have their counts; they are added to `texts`.
    """
    symbols, kinds = linked.symbols, linked.symbols.grammar.kinds
    made, rendered, rows = (
        {name: tables[name] for name in kinds},
        Rendered(),
        dict[str, list[Row]](),
    )
    for name in linked.entries:
        kind = kind_for(kinds[name])
        models = {record.row.slug: linked.models[name][record.row.slug] for record in good[name]}
        counted = count_related(kind, models, tables, symbols)
        rows[name] = [
            make_record(kind, slug, model, symbols, rendered, counted[slug]).row
            for slug, model in models.items()
        ]
    texts.add(rendered)
    made |= {name: tabulate(symbols.grammar[name], of, texts) for name, of in rows.items()}
    return Registry(linked.settings, symbols, as_of, made, modified)


def file_checker(content: Content, as_of: date) -> Callable[[str, bytes], list[Diagnostic]]:
    """A function that returns the problems of a file of the content (path, new bytes), without
    checks across records.  References are resolved in the content as it is now.
    """
    header, _ = read_header(content)
    linked = read_and_link(content, header, header.settings.grammar(), as_of.isoformat())
    return lambda path, raw: diagnose_bytes(content, path, raw, linked.symbols)
