"""Imports a table into a registry: new and changed records, conflicts and problems.

Nothing is written here: an `Import` has the changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from generator.dialect import values
from generator.dialect.folder import Content, scan
from generator.edit.sheet import Sheet, read
from generator.edit.words import texts, used_slugs
from generator.features.tables.cells import Cells
from generator.features.tables.columns import columns
from generator.features.tables.drafts import Drafts
from generator.features.tables.mapping import (
    ImportSettings,
    read_map,
    settings_from_columns,
    settings_from_map,
)
from generator.features.tables.matching import Conflicts, Outcome, column_of
from generator.features.tables.spreadsheet import formats, in_words
from generator.features.tables.word_problems import (
    leave_out,
    map_values,
    unknown_words,
    words_with_one_slug,
)
from generator.kinds import COLLECTION_OF, KIND_OF
from generator.kinds.every import REFERRED
from generator.model.checks import REGISTRY_CHECKS, CollectionRecords
from generator.model.kinds import KINDS
from generator.model.link import check_record, link
from generator.model.symbols import Symbols
from generator.model.validate import read_model
from generator.problems.diagnostic import (
    Diagnostic,
    Severity,
    accepted_by,
    is_error,
    sort_diagnostics,
)
from generator.problems.faults import accept_fault, shorten
from generator.published.reading.load import Linked, read_and_link, read_header
from generator.text.numbers import in_digits, readings


class Import:
    """The import of a table into a collection of a registry.

    `outcomes` has the outcome of each row, `words` the words that the registry writes differently
    or does not know, by field and text, and `changes` the changes to write.  If `problems` has an
    error, nothing may be written.
    """

    def __init__(
        self,
        content: Content,
        linked: Linked,
        collection: str,
        table: Sheet,
        asked: ImportSettings,
        conflicts: Conflicts,
        warnings: Sequence[Diagnostic] = (),
    ):
        self.linked, self.collection, self.table, self.asked = linked, collection, table, asked
        self.drafts = Drafts(content, linked, collection, table, asked, conflicts)
        reader = self.drafts.reader
        self.words, self.problems = reader.differing_words, reader.problems
        self._no_values = set[tuple[str, str]]()  # placeholders that are reported as errors
        #: What a problem says -> the cells with it, for values that are wrong in several rows.
        self._repeated: dict[tuple[str, str, str, str | None], Cells] = {}
        self.outcomes = list(map(self.drafts.draft, table.rows))
        self._check([outcome for outcome in self.outcomes if outcome.change is not None])
        self._report_words()
        for told, cells in self._repeated.items():
            column, code, message, hint = told
            message += _more(cells)
            self.problems.append(self.table.problem(cells.row, column, code, message, hint))
        self._report_placeholders()
        for name, cells in reader.formulas.items():
            self._report_formulas(name, cells)
        for name, cells in reader.dates_without_format.items():
            self._report_dates(name, cells)
        if conflicts != "skip":
            self._report_conflicts()
        for name, cells in reader.unclear_numbers.items():
            self._report_numbers(name, cells)
        self.problems = sort_diagnostics([*warnings, *self.problems])
        self.changes = [
            outcome.change
            for outcome in self.outcomes
            if outcome.change is not None and outcome.verdict != "error"
        ]

    @property
    def failed(self) -> bool:
        return any(map(is_error, self.problems))

    def _check(self, drafts: Sequence[Outcome]) -> None:
        """Check the new and changed records like `registry check`, and report the problems.

        Problems between records that were there before the import are not reported.
        """
        models: dict[str, tuple[Outcome, Any]] = {}
        for draft in drafts:
            assert draft.change is not None and draft.change.after is not None
            model, faults, _ = read_model(
                draft.change.after, self.linked.settings.models()[self.collection]
            )
            self._collect(draft, faults)
            if model is not None:
                models[draft.slug] = draft, model
        symbols = self._symbols({slug: model for slug, (_, model) in models.items()})
        for draft, model in models.values():
            self._collect(draft, check_record(KINDS[self.collection], model, symbols))
        if not models:
            return
        data = {slug: record.data for slug, record in self.drafts.existing.items()}
        before = {(slug, fault.code) for slug, fault in self._registry_faults(data)}
        data |= {slug: draft.data for slug, (draft, _) in models.items()}
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
            faults = check({self.collection: known}, lambda _, slug: self.drafts.display_name(slug))
            yield from ((found.slug, found.fault) for found in faults)

    def _symbols(self, models: Mapping[str, Any]) -> Symbols:
        """The symbols of the registry, with the imported records."""
        if self.collection not in REFERRED or not models:
            return self.linked.symbols
        records = {name: dict(self.linked.models[name].models) for name in REFERRED}
        records[self.collection] |= models
        before = self.linked.symbols
        broken = {name: self.linked.models[name].broken for name in REFERRED}
        return link(self.linked.settings, before.grammar, records, broken,
                    before.unread_settings, before.today)  # fmt: skip

    def _collect(self, draft: Outcome, faults: Iterable[Any]) -> None:
        """Report the faults of a record at the cells of the faulty values.

        Unknown words are left out: `_report_words` reports each of them once.  So does this with
        texts that the map makes an address.
        """
        for fault in faults:
            own = accepted_by(draft.data.get("accept"))
            accepted = {**own, **self.linked.symbols.accepted}
            if accept_fault(fault, accepted).severity == "accepted":
                continue
            if fault.severity != "warning":
                draft.verdict = "error"
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
            severity: Severity = "warning" if fault.severity == "warning" else "error"
            message, hint = fault.message, fault.hint
            name = ".".join(part for part in fault.loc if isinstance(part, str))
            reader = self.drafts.reader
            if isinstance(value, str) and (cells := reader.placeholders.get((name, value))):
                if fault.code == "placeholder" or (name, value) in self._no_values:
                    continue  # reported once
                self._no_values.add((name, value))
                message, hint = f"{message}{_more(cells)}", leave_out(reader, value)
            prefixed = reader.prefixed
            cells = prefixed.get((name, value)) if isinstance(value, str) else None
            if cells is not None and severity == "error":
                if draft.row.number != cells.rows[0].number:
                    continue
                line = map_values({cells.texts[0]: None})
                message += _more(cells)
                hint = (
                    f"{f'{hint}; ' if hint else ''}if this is no address, write {line} in the map"
                )
            told = column, fault.code, message, hint
            if isinstance(value, str) and value in message and severity == "error":
                cells = self._repeated.setdefault(told, Cells(draft.row, column))
                cells.add(draft.row, value)
                continue
            self.problems.append(self.table.problem(draft.row, *told, severity))

    @cached_property
    def _unknown(self) -> set[str]:
        """The words of the table that the registry does not know, once all rows are read."""
        return {text for (_, text), word in self.words.items() if word.meant.value is None}

    def _report(
        self, cells: Cells, code: str, message: str, hint: str, severity: Severity = "error"
    ) -> None:
        """Report a problem that several cells have, at the first of them."""
        problem = self.table.problem(cells.row, cells.column, code, message, hint, severity)
        self.problems.append(problem)

    def _report_words(self) -> None:
        """Report the words that a person must decide on; their rows have errors."""
        reader, undecided = self.drafts.reader, set[int]()
        for cells, problem in (
            *unknown_words(reader),
            *words_with_one_slug(reader, self._is_used_by_others),
        ):
            self.problems.append(problem)
            undecided |= {row.number for row in cells.rows}
        for outcome in self.outcomes:
            if outcome.row.number in undecided and outcome.verdict != "conflict":
                outcome.verdict = "error"

    def _is_used_by_others(self, name: str, slug: str, cells: Sequence[Cells]) -> bool:
        """Whether another record than those of these cells has a slug in a field."""
        rows = {row.number for each in cells for row in each.rows}
        own = {outcome.slug for outcome in self.outcomes if outcome.row.number in rows}
        field, _, key = name.partition(".")
        if field == "tags" and slug in self.drafts.tags_elsewhere.get(key, ()):
            return True
        existing = self.drafts.existing.items()
        others = (record.data for other, record in existing if other not in own)
        return slug in used_slugs(others, field, key)

    def _report_placeholders(self) -> None:
        """Warn about words for a missing value that would become values."""
        reader = self.drafts.reader
        told = self._no_values | {
            key for key, cells in reader.differing_words.items() if cells.meant.value is None
        }
        written = {o.row.number for o in self.outcomes if o.verdict in ("new", "changed", "error")}
        for (name, text), cells in reader.placeholders.items():
            if (name, text) in told:
                continue
            rows = [row for row in cells.rows if row.number in written]
            if rows and "placeholder" not in self.linked.symbols.accepted:
                found = Cells(rows[0], cells.column, texts=[text] * len(rows), rows=rows)
                message = f'{name}: "{text}" says that there is no value{_more(found)}'
                hint = leave_out(reader, text)
                self._report(found, "placeholder", message, hint, "warning")

    def _report_formulas(self, name: str, cells: Cells) -> None:
        """Warn about the cells of a field that look like formulas."""
        text = shorten(cells.texts[0])
        message = f'{name}: "{text}" looks like a formula{_more(cells)}'
        hint = (
            "in the spreadsheet, replace formulas by their values and save again; if the text is "
            f"right, write an apostrophe before it: '{text}"
        )
        self._report(cells, "formula", message, hint, "warning")

    def _report_dates(self, name: str, cells: Cells) -> None:
        """Report the dates of a field without a date format, with formats that fit."""
        text = shorten(cells.texts[0])
        message = f'{name}: "{text}" is a date; the map must say how it is written{_more(cells)}'
        fitting = formats(set(cells.texts))
        lines = " or ".join(f"{self._map_line(name, f)} ({in_words(f)})" for f in fitting)
        hint = f"{self._by_map()}{lines}"
        if not fitting:
            hint = (
                "this column writes dates in several ways: write all of them the same way, and "
                "say in the map how, with date"
            )
        self._report(cells, "invalid-date", message, hint)

    def _report_numbers(self, name: str, cells: Cells) -> None:
        """Report the numbers of a field with two readings."""
        text = shorten(cells.texts[0])
        unit = next(t.column.unit for t in self.asked.targets if t.column.name == name)
        found = {in_digits(readings(text, mark, unit)[0]): mark for mark in ",."}
        message = f'{name}: "{text}" may be {" or ".join(found)}{_more(cells)}'
        lines = " or ".join(f'number: "{mark}" for {number}' for number, mark in found.items())
        self._report(cells, "wrong-type", message, f"{self._by_map()}{lines}")

    def _by_map(self) -> str:
        """The begin of a hint at a line of the map, which may be the only one but its kind."""
        if self.asked.exact:
            return f"import with a map (--map) of kind: {KIND_OF[self.collection]} and "
        return "in the map, write "

    def _map_line(self, name: str, date_format: str) -> str:
        """The line of a map for a field, with a date format; without fields that for all."""
        if self.asked.exact:
            return values.flow({"date": date_format})[1:-1]
        source = next(t.source for t in self.asked.targets if t.column.name == name)
        given = {key: value for key, value in source.model_dump(exclude_none=True).items() if value}
        return f"{name}: {values.flow({**given, 'date': date_format})}"

    def _report_conflicts(self) -> None:
        column = column_of(self.asked, (self.asked.key[0],))
        for outcome in self.outcomes:
            if outcome.verdict == "conflict":
                message = f'"{shorten(outcome.slug)}": {"; ".join(outcome.notes)}'
                hint = f"{outcome.solution}; --conflicts skip leaves such rows out"
                self._report(Cells(outcome.row, column), "row-conflict", message, hint)


def _more(cells: Cells) -> str:
    count = len(cells.texts) - 1
    if not count:
        return ""
    return f"; {count:,} more {'cells' if count > 1 else 'cell'} like it"


def run_import(
    folder: str,
    path: str,
    *,
    form: str,
    map_path: str | None,
    collection: str,
    empty: str | None,
    conflicts: Conflicts,
) -> Import | list[Diagnostic]:
    """The import of a table into the content folder.

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
    wanted = list(known)
    if given is not None and given.fields is not None:
        wanted = [source.column or "" for source in given.fields.values()]
    within, first_row = (given.rows or "", given.header) if given else ("", 1)
    table = read(path, form, within, wanted, first_row)
    if given is not None and map_path is not None:
        asked, problems = settings_from_map(map_path, given, known, table)
    else:
        asked, problems = settings_from_columns(known, table)
    if any(map(is_error, problems)):
        return problems
    if empty is not None:
        asked = asked._replace(empty=empty)
    today = datetime.now(UTC).date().isoformat()
    linked, _ = read_and_link(content, header, header.settings.grammar(), today)
    return Import(content, linked, collection, table, asked, conflicts, problems)
