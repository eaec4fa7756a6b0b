"""A table -> what it would change in a registry: records that are new, records that say something
else, rows in conflict with records, and every fault on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import starmap
from typing import Any

from generator.build.load import Linked, read_and_link, read_header
from generator.dialect import values
from generator.dialect.folder import REFERRED, Content, scan
from generator.edit.changes import Change
from generator.edit.exchange.cells import Fault, Word
from generator.edit.exchange.columns import columns
from generator.edit.exchange.drafts import Conflicts, Draft, Drafts, Outcome, column_of
from generator.edit.exchange.existing import Held, texts
from generator.edit.exchange.sheet import Table, read
from generator.edit.exchange.spreadsheet import Cells, formats, in_words
from generator.edit.exchange.targets import Asked, of_columns, of_map, read_map
from generator.grammar.names import COLLECTION_OF
from generator.model.checks import REGISTRY_CHECKS, Known
from generator.model.kinds import KINDS
from generator.model.link import check_record, link
from generator.model.symbols import Symbols
from generator.model.validate import read_model
from generator.problems.diagnostic import Diagnostic, is_error, ordered, printable
from generator.problems.faults import cut


@dataclass(slots=True)
class Result:
    """What an import would do; `problems` has errors where it cannot be done."""

    outcomes: list[Outcome]
    words: Mapping[tuple[str, str], Word]
    changes: list[Change]
    problems: list[Diagnostic]

    @property
    def failed(self) -> bool:
        return any(map(is_error, self.problems))


class Import:
    """One import into one collection of a registry, which has been read."""

    def __init__(
        self,
        content: Content,
        linked: Linked,
        collection: str,
        table: Table,
        asked: Asked,
        conflicts: Conflicts,
    ):
        self.linked, self.collection, self.table, self.asked = linked, collection, table, asked
        self.conflicts, self.kind = conflicts, KINDS[collection]
        self.held = Held(content, linked, collection)
        self.reader = self.held.reader(table, asked)
        self.problems: list[Diagnostic] = []
        self._unknown: set[str] = set()

    def result(self) -> Result:
        """What the import would do."""
        making = Drafts(self.held, self.asked, self.reader, self.conflicts)
        drafts, outcomes = [], []
        for row in self.table.rows:
            said = self.reader.fields(row)
            outcome = Outcome(row)
            outcomes.append(outcome)
            if said is None:
                outcome.what = "error"
                continue
            draft = making.draft(outcome, said)
            if draft is not None:
                drafts.append(draft)
        self._unknown = {text for (_, text), word in self.reader.seen.items()
                         if word.meant.value is None}  # fmt: skip
        self._check(drafts)
        self.problems += map(self._of_cell, self.reader.faults)
        self.problems += self._of_words()
        self.problems += starmap(self._of_formulas, self.reader.formulas.items())
        self.problems += starmap(self._of_dates, self.reader.undated.items())
        refused = [one for one in outcomes if one.what == "conflict"]
        if self.conflicts != "skip":
            self.problems += map(self._of_conflict, refused)
        changes = [draft.change for draft in drafts if draft.outcome.what in ("new", "changed")]
        return Result(outcomes, self.reader.seen, changes, ordered(self.problems))

    def _check(self, drafts: Iterable[Draft]) -> None:
        """Hold the records as they will be against all that records are held against."""
        models: dict[str, tuple[Draft, Any]] = {}
        for draft in drafts:
            assert draft.change.after is not None
            model, faults, _ = read_model(
                draft.change.after, self.linked.settings.models()[self.collection]
            )
            self._take(draft, faults)
            if model is not None:
                models[draft.outcome.slug] = draft, model
        symbols = self._symbols({slug: model for slug, (_, model) in models.items()})
        for draft, model in models.values():
            self._take(draft, check_record(self.kind, model, symbols))
        data = {slug: one.data for slug, one in self.held.existing.items()}
        before = {(slug, fault.code) for slug, fault in self._across(data)}
        data |= {draft.outcome.slug: draft.data for draft, _ in models.values()}
        for slug, fault in self._across(data):
            if models and (slug, fault.code) not in before:
                self._take(models.get(slug, next(iter(models.values())))[0], [fault])

    def _across(self, data: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
        """The faults that only several records together show, each with its slug."""
        parents = {slug: one.get("parent") for slug, one in data.items()}
        former = {slug: tuple(texts(one.get("aliases"))) for slug, one in data.items()}
        known = Known(
            data.keys(),
            {slug: parent for slug, parent in parents.items() if isinstance(parent, str)},
            {slug: aliases for slug, aliases in former.items() if aliases},
            {},
            removed=self.linked.removed.get(self.collection, {}),
        )
        for check in REGISTRY_CHECKS:
            found = check({self.collection: known}, lambda _, slug: self.held.shown(slug))
            yield from ((slug, fault) for _, slug, fault in found)

    def _symbols(self, models: Mapping[str, Any]) -> Symbols:
        """What records refer to, with what the import adds to it."""
        if self.collection not in REFERRED or not models:
            return self.linked.symbols
        held = {name: dict(self.linked.referred[name].models) for name in REFERRED}
        held[self.collection] |= models
        before = self.linked.symbols
        broken = {name: self.linked.referred[name].broken for name in REFERRED}
        return link(self.linked.settings, before.grammar, held["organizations"],
                    held["programs"], broken, before.unknown, before.today)  # fmt: skip

    def _take(self, draft: Draft, faults: Iterable[Any]) -> None:
        """Tell the faults of a record at the cells that they come from; a word that nobody knows is
        told of once, whatever it is at fault for.
        """
        unknown = self._unknown
        for fault in faults:
            severe = fault.severity != "warning"
            if severe:
                draft.outcome.what = "error"
            value: Any = draft.data
            for part in fault.loc:
                try:
                    value = value[part]
                except (LookupError, TypeError):
                    value = None
                    break
            if isinstance(value, str) and value in unknown:
                continue
            column = column_of(self.asked, tuple(str(part) for part in fault.loc))
            of = Fault(draft.outcome.row, column, fault.code, fault.message, fault.hint)
            told = self._of_cell(of)
            if not severe:
                told = replace(told, severity="warning")
            self.problems.append(told)

    def _of_cell(self, fault: Fault) -> Diagnostic:
        line, column = self.table.place(fault.row, fault.column)
        message = f"row {fault.row.number}: {fault.message}"
        hint = fault.hint and printable(fault.hint)
        return Diagnostic(self.table.path, line, column, fault.code, printable(message), hint)

    def _of_words(self) -> Iterator[Diagnostic]:
        """The words that mean nothing, each once."""
        where = {t.column.name: t.column.where for t in self.asked.targets}
        for (name, text), word in self.reader.seen.items():
            if word.meant.value is not None:
                continue
            place = where.get(name) or "the countries of ISO 3166-1"
            cells = f"{word.count:,} cells" if word.count > 1 else "1 cell"
            message = f'{name}: "{cut(text)}" is not among {place} ({cells})'
            near = word.meant.nearest
            hint = f"say in the map what is meant: values: {{{values.scalar(text)}: …}}"
            if near:
                hint = (
                    f"{word.meant.near}; if that is meant, write values: "
                    f"{{{values.scalar(text)}: {values.scalar(near)}}} in the map"
                )
            elif any(mark in text for mark in ",;/"):
                hint = f"if these are several words, write split in the map; if not, {hint}"
            yield self._of_cell(Fault(word.row, word.column, "unmatched-value", message, hint))

    def _of_formulas(self, name: str, cells: Cells) -> Diagnostic:
        """The cells of a column that look like formulas, once."""
        text = cells.texts[0]
        message = f'{name}: "{cut(text)}" looks like a formula{_more(cells)}'
        hint = (
            "in the spreadsheet, replace formulas by their values and save again; if the text is "
            f"right, write an apostrophe before it: '{cut(text)}"
        )
        told = self._of_cell(Fault(cells.row, cells.column, "formula", message, hint))
        return replace(told, severity="warning")

    def _of_dates(self, name: str, cells: Cells) -> Diagnostic:
        """The dates of a column that the map does not describe, once, with what to write."""
        text = cut(cells.texts[0])
        message = f'{name}: "{text}" is a date; the map must say how it is written{_more(cells)}'
        forms = formats(set(cells.texts))
        lines = " or ".join(f"{self._line(name, form)} ({in_words(form)})" for form in forms)
        hint = f"in the map, write {lines}"
        if self.asked.exact:
            hint = f"import with a map (--map) that contains {lines}"
        if not forms:
            hint = (
                "this column writes dates in several ways: write all of them the same way, and "
                "say in the map how, with date"
            )
        return self._of_cell(Fault(cells.row, cells.column, "invalid-date", message, hint))

    def _line(self, name: str, form: str) -> str:
        """The line of the map that says how the dates of a field are written."""
        source = next(t.source for t in self.asked.targets if t.column.name == name)
        held = {key: value for key, value in source.model_dump(exclude_none=True).items() if value}
        return f"{name}: {values.flow({**held, 'date': form})}"

    def _of_conflict(self, outcome: Outcome) -> Diagnostic:
        message = f'"{cut(outcome.slug)}": {"; ".join(outcome.why)}'
        hint = f"{outcome.mend}; --conflicts skip leaves such rows out"
        column = column_of(self.asked, (self.asked.key,))
        return self._of_cell(Fault(outcome.row, column, "row-conflict", message, hint))


def _more(cells: Cells) -> str:
    count = len(cells.texts) - 1
    if not count:
        return ""
    return f"; {count:,} more {'cells' if count > 1 else 'cell'} like it"


def imported(
    folder: str,
    path: str,
    form: str,
    map_path: str | None,
    collection: str,
    empty: str | None,
    conflicts: Conflicts,
) -> tuple[Table, str, Result] | list[Diagnostic]:
    """What the import of a table would do in a registry, with the table and its collection; or
    problems for which that cannot be told.  Raises Unreadable, OSError.
    """
    content = scan(folder)
    header, problems = read_header(content)
    problems += [one for one in content.problems if one.code == "missing-registry"]
    said = None
    if map_path is not None:
        said, wrong = read_map(map_path)
        problems += wrong
        if said is not None:
            if collection and COLLECTION_OF[said.kind] != collection:
                what = f"the map is for another kind: {said.kind}"
                problems.append(Diagnostic(map_path, 1, 1, "invalid-map", what, "leave out --kind"))
            collection = COLLECTION_OF[said.kind]
    if any(map(is_error, problems)):
        return [problem for problem in problems if is_error(problem)]
    known = columns(collection, header.settings)
    names = [source.column or "" for source in said.fields.values()] if said else list(known)
    table = read(path, form, (said.rows or "") if said else "", names)
    if said is not None and map_path is not None:
        asked, wrong = of_map(map_path, said, known, table)
    else:
        asked, wrong = of_columns(known, table, "keep")
    if wrong:
        return wrong
    if empty is not None:
        asked = asked._replace(empty=empty)
    today = datetime.now(UTC).date().isoformat()
    linked, _ = read_and_link(content, header, header.settings.grammar(), today)
    return table, collection, Import(content, linked, collection, table, asked, conflicts).result()
