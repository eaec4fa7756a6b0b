"""Imports a table into a registry: new and changed records, conflicts and problems.

Nothing is written here: the result has the changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import starmap
from typing import Any

from generator.build.load import Linked, read_and_link, read_header
from generator.dialect import values
from generator.dialect.folder import REFERRED, Content, scan
from generator.edit.changes import Change
from generator.edit.exchange.cells import Fault, Word
from generator.edit.exchange.columns import columns
from generator.edit.exchange.drafts import Conflicts, Draft, Drafts, Outcome, column_of
from generator.edit.exchange.existing import CurrentRecords, texts
from generator.edit.exchange.sheet import Table, read
from generator.edit.exchange.spreadsheet import Cells, formats, in_words
from generator.edit.exchange.targets import (
    ImportSettings,
    read_map,
    settings_from_columns,
    settings_from_map,
)
from generator.grammar.names import COLLECTION_OF
from generator.model.checks import REGISTRY_CHECKS, CollectionRecords
from generator.model.kinds import KINDS
from generator.model.link import check_record, link
from generator.model.symbols import Symbols
from generator.model.validate import read_model
from generator.problems.diagnostic import Diagnostic, is_error, printable, sort_diagnostics
from generator.problems.faults import shorten


@dataclass(slots=True)
class Result:
    """The outcome of each row, the words that differ, and the changes to write.

    If `problems` has an error, nothing may be written.
    """

    outcomes: list[Outcome]
    words: Mapping[tuple[str, str], Word]
    changes: list[Change]
    problems: list[Diagnostic]

    @property
    def failed(self) -> bool:
        return any(map(is_error, self.problems))


class Import:
    """The import of a table into a collection of a registry."""

    def __init__(
        self,
        content: Content,
        linked: Linked,
        collection: str,
        table: Table,
        asked: ImportSettings,
        conflicts: Conflicts,
    ):
        self.linked, self.collection, self.table, self.asked = linked, collection, table, asked
        self.conflicts = conflicts
        self.held = CurrentRecords(content, linked, collection)
        self.reader = self.held.reader(table, asked)
        self.problems: list[Diagnostic] = []

    def result(self) -> Result:
        """The result of the import."""
        drafting = Drafts(self.held, self.asked, self.reader, self.conflicts)
        drafts, outcomes = [], []
        for row in self.table.rows:
            fields = self.reader.read_row(row)
            outcome = Outcome(row)
            outcomes.append(outcome)
            if fields is None:
                outcome.verdict = "error"
                continue
            draft = drafting.draft(outcome, fields)
            if draft is not None:
                drafts.append(draft)
        self._check(drafts)
        self.problems += map(self._problem, self.reader.faults)
        self.problems += self._unknown_words()
        self.problems += starmap(self._formulas, self.reader.formulas.items())
        self.problems += starmap(self._undated, self.reader.dates_without_format.items())
        if self.conflicts != "skip":
            self.problems += [self._conflict(o) for o in outcomes if o.verdict == "conflict"]
        changes = [draft.change for draft in drafts if draft.outcome.verdict in ("new", "changed")]
        return Result(
            outcomes, self.reader.differing_words, changes, sort_diagnostics(self.problems)
        )

    def _check(self, drafts: Iterable[Draft]) -> None:
        """Check the new and changed records like `registry check`, and collect the problems.

        Problems between records that were there before the import are not reported.
        """
        models: dict[str, tuple[Draft, Any]] = {}
        for draft in drafts:
            assert draft.change.after is not None
            model, faults, _ = read_model(
                draft.change.after, self.linked.settings.models()[self.collection]
            )
            self._collect(draft, faults)
            if model is not None:
                models[draft.outcome.slug] = draft, model
        symbols = self._symbols({slug: model for slug, (_, model) in models.items()})
        for draft, model in models.values():
            self._collect(draft, check_record(KINDS[self.collection], model, symbols))
        if not models:
            return
        data = {slug: record.data for slug, record in self.held.existing.items()}
        before = {(slug, fault.code) for slug, fault in self._registry_faults(data)}
        data |= {draft.outcome.slug: draft.data for draft, _ in models.values()}
        first, _ = next(iter(models.values()))
        for slug, fault in self._registry_faults(data):
            if (slug, fault.code) not in before:
                self._collect(models[slug][0] if slug in models else first, [fault])

    def _registry_faults(self, data: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
        """(slug, fault) for the faults between records, like aliases of two records."""
        parents = {slug: fields.get("parent") for slug, fields in data.items()}
        aliases = {slug: tuple(texts(fields.get("aliases"))) for slug, fields in data.items()}
        known = CollectionRecords(
            data.keys(),
            {slug: parent for slug, parent in parents.items() if isinstance(parent, str)},
            {slug: slugs for slug, slugs in aliases.items() if slugs},
            {},
            removed=self.linked.removed.get(self.collection, {}),
        )
        for check in REGISTRY_CHECKS:
            faults = check({self.collection: known}, lambda _, slug: self.held.display_name(slug))
            yield from ((slug, fault) for _, slug, fault in faults)

    def _symbols(self, models: Mapping[str, Any]) -> Symbols:
        """The symbols of the registry, with the imported records."""
        if self.collection not in REFERRED or not models:
            return self.linked.symbols
        records = {name: dict(self.linked.referred[name].models) for name in REFERRED}
        records[self.collection] |= models
        before = self.linked.symbols
        broken = {name: self.linked.referred[name].broken for name in REFERRED}
        return link(self.linked.settings, before.grammar, records["organizations"],
                    records["programs"], broken, before.unread_settings, before.today)  # fmt: skip

    def _collect(self, draft: Draft, faults: Iterable[Any]) -> None:
        """Add the faults of a record to the problems, at the cells of the faulty values.

        Words that are unknown are left out: `_unknown_words` reports each of them once.
        """
        for fault in faults:
            if fault.severity != "warning":
                draft.outcome.verdict = "error"
            value: Any = draft.data
            for part in fault.loc:
                try:
                    value = value[part]
                except (LookupError, TypeError):
                    value = None
                    break
            if isinstance(value, str) and value in self._unknown:
                continue
            column = column_of(self.asked, tuple(str(part) for part in fault.loc))
            problem = self._problem(
                Fault(draft.outcome.row, column, fault.code, fault.message, fault.hint)
            )
            if fault.severity == "warning":
                problem = replace(problem, severity="warning")
            self.problems.append(problem)

    @cached_property
    def _unknown(self) -> set[str]:
        """The words of the table that the registry does not know, once all rows are read."""
        return {
            text
            for (_, text), word in self.reader.differing_words.items()
            if word.meant.value is None
        }

    def _problem(self, fault: Fault) -> Diagnostic:
        line, column = self.table.place(fault.row, fault.column)
        message = f"row {fault.row.number}: {fault.message}"
        hint = fault.hint and printable(fault.hint)
        return Diagnostic(self.table.path, line, column, fault.code, printable(message), hint)

    def _unknown_words(self) -> Iterator[Diagnostic]:
        """A problem for each unknown word."""
        where = {t.column.name: t.column.where for t in self.asked.targets}
        for (name, text), word in self.reader.differing_words.items():
            if word.meant.value is not None:
                continue
            place = where.get(name) or "the countries of ISO 3166-1"
            cells = f"{word.count:,} cells" if word.count > 1 else "1 cell"
            message = f'{name}: "{shorten(text)}" is not among {place} ({cells})'
            nearest = word.meant.nearest
            hint = f"say in the map what is meant: values: {{{values.scalar(text)}: …}}"
            if nearest:
                hint = (
                    f"{word.meant.near}; if that is meant, write values: "
                    f"{{{values.scalar(text)}: {values.scalar(nearest)}}} in the map"
                )
            elif any(mark in text for mark in ",;/"):
                hint = f"if these are several words, write split in the map; if not, {hint}"
            yield self._problem(Fault(word.row, word.column, "unmatched-value", message, hint))

    def _formulas(self, name: str, cells: Cells) -> Diagnostic:
        """A warning for the cells of a field that look like formulas."""
        text = cells.texts[0]
        message = f'{name}: "{shorten(text)}" looks like a formula{_more(cells)}'
        hint = (
            "in the spreadsheet, replace formulas by their values and save again; if the text is "
            f"right, write an apostrophe before it: '{shorten(text)}"
        )
        problem = self._problem(Fault(cells.row, cells.column, "formula", message, hint))
        return replace(problem, severity="warning")

    def _undated(self, name: str, cells: Cells) -> Diagnostic:
        """A problem for the dates of a field without a date format, with formats that fit."""
        text = shorten(cells.texts[0])
        message = f'{name}: "{text}" is a date; the map must say how it is written{_more(cells)}'
        fitting = formats(set(cells.texts))
        lines = " or ".join(f"{self._map_line(name, f)} ({in_words(f)})" for f in fitting)
        hint = f"in the map, write {lines}"
        if self.asked.exact:
            hint = f"import with a map (--map) that contains {lines}"
        if not fitting:
            hint = (
                "this column writes dates in several ways: write all of them the same way, and "
                "say in the map how, with date"
            )
        return self._problem(Fault(cells.row, cells.column, "invalid-date", message, hint))

    def _map_line(self, name: str, date_format: str) -> str:
        """The line of a map for a field, with a date format."""
        source = next(t.source for t in self.asked.targets if t.column.name == name)
        given = {key: value for key, value in source.model_dump(exclude_none=True).items() if value}
        return f"{name}: {values.flow({**given, 'date': date_format})}"

    def _conflict(self, outcome: Outcome) -> Diagnostic:
        message = f'"{shorten(outcome.slug)}": {"; ".join(outcome.notes)}'
        hint = f"{outcome.solution}; --conflicts skip leaves such rows out"
        column = column_of(self.asked, (self.asked.key,))
        return self._problem(Fault(outcome.row, column, "row-conflict", message, hint))


def _more(cells: Cells) -> str:
    count = len(cells.texts) - 1
    if not count:
        return ""
    return f"; {count:,} more {'cells' if count > 1 else 'cell'} like it"


def run_import(
    folder: str,
    path: str,
    form: str,
    map_path: str | None,
    collection: str,
    empty: str | None,
    conflicts: Conflicts,
) -> tuple[Table, str, Result] | list[Diagnostic]:
    """The table, its collection and the result of importing it into the content folder.

    Returns the errors of registry.yaml, the map or the columns instead, if there are any.  Raises
    Unreadable and OSError.
    """
    content = scan(folder)
    header, problems = read_header(content)
    problems += [p for p in content.problems if p.code == "missing-registry"]
    given = None
    if map_path is not None:
        given, map_problems = read_map(map_path)
        problems += map_problems
        if given is not None:
            if collection and COLLECTION_OF[given.kind] != collection:
                message = f"the map is for another kind: {given.kind}"
                hint = "leave out --kind"
                problems.append(Diagnostic(map_path, 1, 1, "invalid-map", message, hint))
            collection = COLLECTION_OF[given.kind]
    if errors := [problem for problem in problems if is_error(problem)]:
        return errors
    known = columns(collection, header.settings)
    wanted = [source.column or "" for source in given.fields.values()] if given else list(known)
    table = read(path, form, (given.rows or "") if given else "", wanted)
    if given is not None and map_path is not None:
        asked, errors = settings_from_map(map_path, given, known, table)
    else:
        asked, errors = settings_from_columns(known, table, "keep")
    if errors:
        return errors
    if empty is not None:
        asked = asked._replace(empty=empty)
    today = datetime.now(UTC).date().isoformat()
    linked, _ = read_and_link(content, header, header.settings.grammar(), today)
    return table, collection, Import(content, linked, collection, table, asked, conflicts).result()
