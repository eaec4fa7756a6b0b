"""Imports a table into a registry: new and changed records, conflicts and problems.

Nothing is written here: an `Import` has the changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from typing import Any

from generator.dialect.folder import Content
from generator.edit.tables.sheet import Sheet
from generator.edit.words import texts, used_slugs
from generator.features.tables.decisions import (
    leave_out,
    map_values,
    report_fields,
    undecided_words,
)
from generator.features.tables.drafts import Drafts
from generator.features.tables.keys import column_of, target_of
from generator.features.tables.mapping import ImportSettings
from generator.features.tables.matching import Outcome
from generator.features.tables.problems import Cells
from generator.model.checks import REGISTRY_CHECKS, CollectionRecords
from generator.model.kinds import kind_for
from generator.model.link import check_record, link
from generator.model.symbols import Symbols
from generator.model.validate import read_model
from generator.problems.diagnostic import Severity, accepted_by
from generator.problems.faults import accept_fault, shorten
from generator.published.content.load import Linked


class Import(Drafts):
    """The import of a table into a collection of a registry.

    `outcomes` has the outcome of each row, `words` the words that the registry writes differently
    or does not know, by field and text, and `changes` the changes to write.  If `problems` has an
    error, nothing may be written.
    """

    def __init__(
        self,
        content: Content,
        linked: Linked,
        table: Sheet,
        asked: ImportSettings,
        left_out: Set[tuple[int, str]] = frozenset(),
    ):
        super().__init__(content, linked, table, asked)
        self.words, self.row_problems = self.reader.found["word"], self.reader.problems
        self.reader.left_out |= left_out
        self._missing = set[tuple[str, str]]()  # placeholders that a check of records refuses
        #: Problem -> the cells with it, for values that are wrong in several rows.
        self._repeated: dict[tuple[str, str, str | None], Cells] = {}
        self.outcomes = list(map(self.draft, table.rows))
        self._unknown = {text for (_, text), w in self.words.items() if w.meant.value is None}
        self._check([outcome for outcome in self.outcomes if outcome.change is not None])
        self._report_words()
        for (code, message, hint), cells in self._repeated.items():
            self._add(cells, code, message + cells.more, hint)
        self._report_placeholders()
        report_fields(self.reader)
        if asked.conflicts != "skip":
            self._report_conflicts()
        self.problems = self.row_problems.found
        self.changes = [
            outcome.change
            for outcome in self.outcomes
            if outcome.change is not None and outcome.verdict != "error"
        ]

    def _add(
        self, cells: Cells, code: str, message: str, hint: str | None, severity: Severity = "error"
    ) -> None:
        self.row_problems.add(cells.rows, cells.name, cells.column, code, message, hint, severity)

    def _check(self, drafts: Sequence[Outcome]) -> None:
        """Report the new problems that `registry check` has with new and changed records."""
        models: dict[str, tuple[Outcome, Any]] = {}
        read_as = self.linked.symbols.model(self.collection)
        for draft in drafts:
            assert draft.change is not None and draft.change.after is not None
            model, faults, _ = read_model(draft.change.after, read_as)
            self._collect(draft, faults)
            if model is not None:
                models[draft.slug] = draft, model
        symbols = self._symbols({slug: model for slug, (_, model) in models.items()})
        kind = kind_for(self.content.kinds[self.collection])
        for draft, model in models.values():
            self._collect(draft, check_record(kind, model, symbols))
        if not models:
            return
        data = {slug: record.data for slug, record in self.existing.items()}
        before = {(slug, fault.code) for slug, fault in self._registry_faults(data)}
        data |= {slug: draft.data for slug, (draft, _) in models.items()}
        first, _ = next(iter(models.values()))
        for slug, fault in self._registry_faults(data):
            if (slug, fault.code) not in before:
                self._collect(models[slug][0] if slug in models else first, [fault])

    def _registry_faults(self, data: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
        """(slug, fault) for the faults between records, like aliases of two records."""
        nested = data if self.content.kinds[self.collection].has_parents else {}
        parents = {slug: fields.get("parent") for slug, fields in nested.items()}
        aliases = {slug: tuple(texts(fields.get("aliases"))) for slug, fields in data.items()}
        known = CollectionRecords(
            self.content.kinds[self.collection],
            data.keys(),
            {slug: parent for slug, parent in parents.items() if isinstance(parent, str)},
            {slug: slugs for slug, slugs in aliases.items() if slugs},
            {},
            removed=self.linked.removed.get(self.collection, {}),
        )
        for check in REGISTRY_CHECKS:
            faults = check({self.collection: known}, lambda _, slug: self.display_name(slug))
            yield from ((found.slug, found.fault) for found in faults)

    def _symbols(self, models: Mapping[str, Any]) -> Symbols:
        if self.collection not in self.content.kinds.referred or not models:
            return self.linked.symbols
        records = {name: dict(self.linked.models[name]) for name in self.content.kinds.referred}
        records[self.collection] |= models
        before = self.linked.symbols
        known = {name: before.targets(name) for name in self.content.kinds.referred}
        return link(self.linked.settings, before.grammar, records, known,
                    before.unread_settings, before.today)  # fmt: skip

    def _collect(self, draft: Outcome, faults: Iterable[Any]) -> None:
        """Report faults of a record at its cells, without words that are reported once."""
        own = accepted_by(draft.data.get("accept"))
        for fault in faults:
            if accept_fault(fault, {**own, **self.linked.symbols.accepted}).severity == "accepted":
                continue
            severity: Severity = "warning" if fault.severity == "warning" else "error"
            draft.verdict = "error" if severity == "error" else draft.verdict
            value: Any = draft.data
            with suppress(LookupError, TypeError):
                for part in fault.loc:
                    value = value[part]
            name = ".".join(part for part in fault.loc if isinstance(part, str))
            text = value if isinstance(value, str) else None
            if text in self._unknown:
                continue
            if (name, text) in self.reader.found["placeholder"]:
                self._missing |= {(name, text or "")} if severity == "error" else set()
                continue
            hint = fault.hint
            made = self.reader.found["prefix"].get((name, text or ""))
            if made is not None and severity == "error":
                line = (
                    f"if this is no address, write {map_values({made.texts[0]: None})} in the map"
                )
                hint = f"{hint}; {line}" if hint else line
            target = target_of(self.asked, tuple(str(part) for part in fault.loc))
            cells = Cells(target.table_column, target.column.name) if target else Cells("", "")
            told = fault.code, fault.message, hint
            if text is not None and text in fault.message and severity == "error":
                self._repeated.setdefault(told, cells).add(draft.row, text)
            else:
                cells.add(draft.row, text or "")
                self._add(cells, *told, severity)

    def _report_words(self) -> None:
        undecided = set[int]()
        for cells, message, hint in undecided_words(self.reader, self._is_used_by_others):
            message = f"{message} ({cells.count})"
            self._add(cells, "unmatched-value", message, hint)
            undecided |= {row.number for row in cells.rows}
        for outcome in self.outcomes:
            if outcome.row.number in undecided and outcome.verdict != "conflict":
                outcome.verdict = "error"

    def _is_used_by_others(self, name: str, slug: str, cells: Cells) -> bool:
        rows = {row.number for row in cells.rows}
        own = {outcome.slug for outcome in self.outcomes if outcome.row.number in rows}
        field, _, key = name.partition(".")
        if field == "tags" and slug in self.tags_elsewhere.get(key, ()):
            return True
        existing = self.existing.items()
        others = (record.data for other, record in existing if other not in own)
        return slug in used_slugs(others, *name.split("."))

    def _report_placeholders(self) -> None:
        """Report words for a missing value: a warning if they would become values."""
        told = {key for key, cells in self.words.items() if cells.meant.value is None}
        written = {o.row.number for o in self.outcomes if o.verdict in ("new", "changed", "error")}
        for (name, text), cells in self.reader.found["placeholder"].items():
            is_wrong = (name, text) in self._missing
            if (name, text) in told:
                continue
            found = Cells(cells.column, cells.name)
            for row in cells.rows:
                if row.number in written:
                    found.add(row, text)
            if found.rows and (is_wrong or "placeholder" not in self.linked.symbols.accepted):
                message = f'{name}: "{text}" says that there is no value{found.more}'
                severity: Severity = "error" if is_wrong else "warning"
                hint = leave_out(self.reader, text)
                self._add(found, "placeholder", message, hint, severity)

    def _report_conflicts(self) -> None:
        column = column_of(self.asked, (self.asked.key[0],))
        for outcome in self.outcomes:
            if outcome.verdict == "conflict":
                message = f'"{shorten(outcome.slug)}": {"; ".join(outcome.notes)}'
                hint = f"{outcome.solution}; --conflicts skip leaves such rows out"
                said = "row-conflict", message, hint
                self.row_problems.add(outcome.row, self.asked.key[0], column, *said)
