"""Runs an import: reads the table and the map, and leaves out what the map or a person says."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from generator.dialect.folder import REGISTRY_FILE, Content, Planned, scan
from generator.edit.changes import FileChange
from generator.edit.tables.columns import column_values, columns, format_cell
from generator.edit.tables.sheet import REASON, Sheet, SheetRow, as_text, value_of
from generator.edit.tables.sources import read
from generator.edit.workspace import check_planned
from generator.features.tables.import_table import Import
from generator.features.tables.map_model import NUMBER, Map, placeholders, read_map
from generator.features.tables.mapping import (
    Conflicts,
    ImportSettings,
    settings_from_columns,
    settings_from_map,
)
from generator.features.tables.matching import Outcome
from generator.features.tables.vocabulary import NewWords, changes, creatable, new_words
from generator.problems.diagnostic import Diagnostic, is_error, sort_diagnostics
from generator.published.content.load import read_and_link
from generator.published.content.read import read_header

#: The file with the rows that were left out.
SKIPPED = "skipped.csv"
_NOT_WRITTEN = ("error", "conflict")


@dataclass
class Done:
    """The end of an import.

    `last` is the import that may be written, `skipped` has the reasons for each row that was left
    out, `outcomes` those of all rows, `added` the changes that create words.
    """

    last: Import
    table: Sheet
    asked: ImportSettings
    problems: list[Diagnostic]
    outcomes: list[Outcome]
    skipped: list[tuple[SheetRow, list[str]]]
    added: list[FileChange]
    failed: bool

    @property
    def by_field(self) -> dict[str, tuple[int, int, int]]:
        """Field -> how many new records have it, in how many records it changes, and how many cells
        are left out.
        """
        new, changed = Counter[str](), Counter[str]()
        for outcome in (o for o in self.last.outcomes if o.verdict in ("new", "changed")):
            after = dict(column_values(outcome.data))
            if outcome.verdict == "new":
                new.update(list(after))
                continue
            before = dict(column_values(self.last.existing[outcome.slug].data))
            names = {**before, **after}
            changed.update(name for name in names if before.get(name) != after.get(name))
        written = {o.row.number for o in self.last.outcomes if o.verdict not in _NOT_WRITTEN}
        left = Counter(n for row, n in self.last.reader.left_out if row in written)
        in_order = (target.column.name for target in self.asked.targets)
        names = dict.fromkeys((*new, *changed, *(name for name in in_order if left[name])))
        return {name: (new[name], changed[name], left[name]) for name in names}

    @property
    def changes(self) -> list[FileChange]:
        return [*self.added, *self.last.changes]

    def skipped_rows(self) -> str:
        """The rows that were left out as CSV with a column of reasons.  The same map reads it."""
        names = [name for name in self.table.columns if name]
        if not self.table.delimiter and not self.asked.exact:
            names = list(dict.fromkeys(_columns_used(self.asked)))
        text = io.StringIO()
        writer = csv.writer(text, delimiter=self.table.delimiter or ",", lineterminator="\n")
        text.write("\n" * (self.asked.header - 1))
        writer.writerow([*(name for name in names if name != REASON), REASON])
        for row, reasons in sorted(self.skipped, key=lambda each: each[0].number):
            cells = [self._cell(row, name) for name in names if name != REASON]
            writer.writerow([*cells, "; ".join(reasons)])
        return text.getvalue()

    def _cell(self, row: SheetRow, name: str) -> str:
        value = value_of(row, name)
        if value is None and name == NUMBER:
            value = row.number  # its slug contains the number
        if isinstance(value, str) and row.file.delimiter:
            return value  # as it is in the table
        sources = [source for _, source in self.asked.targets if name in source.columns_used]
        joint = next((source.split or source.join for source in sources), None)
        if isinstance(value, list) and joint is not None:
            return joint.join(map(as_text, value))
        return format_cell(value, self.asked.number or ".")


def _columns_used(asked: ImportSettings) -> Iterator[str]:
    for target in asked.targets:
        yield from target.source.columns_used
    fields = {target.column.name for target in asked.targets}
    for part in asked.slug:
        yield from (name for name in placeholders(part) or [part] if name not in fields)


@dataclass
class Run:
    """An import of tables into a content folder, as the map and options say.

    `create` has the kinds and fields whose unknown words are created.
    """

    folder: str
    sources: str | Sequence[str]
    form: str = ""
    map_path: str | None = None
    collection: str = ""
    empty: str | None = None
    conflicts: Conflicts = "refuse"
    skip_errors: bool = False
    create: Sequence[str] = ()

    def open(self, planned: Planned) -> list[Diagnostic] | None:
        """Read the registry as it will be after changes, and the map, and the table if it is not
        read yet.  Returns problems that stop the import.
        """
        self.content = scan(self.folder, planned)
        self.header, problems = read_header(self.content)
        problems += [p for p in self.content.problems if p.code == "missing-registry"]
        kinds, given, collection = self.content.kinds, None, self.collection
        if self.map_path is not None:
            given, map_problems = read_map(self.map_path, kinds)
            problems += map_problems
            if given is not None:
                if collection and kinds.collection_of[given.kind] != collection:
                    message = f"the map is for another kind: {given.kind}"
                    hint = "leave out --kind"
                    problems.append(Diagnostic(self.map_path, 1, 1, "invalid-map", message, hint))
                collection = kinds.collection_of[given.kind]
        if errors := [problem for problem in problems if is_error(problem)]:
            return errors
        known = columns(collection, self.header.settings)
        if not planned:
            self.table = self._table(given, known)
        if given is not None and self.map_path is not None:
            asked, problems = settings_from_map(self.map_path, given, known, self.table, kinds)
        else:
            asked, problems = settings_from_columns(known, self.table, kinds)
        if any(map(is_error, problems)):
            return problems
        self.problems, create = problems, (given.create if given else None) or {}
        create = {**dict.fromkeys(self.create), **create}
        self.asked = asked._replace(
            collection=collection,
            kind=kinds[collection].kind,
            empty=self.empty or asked.empty,
            create=creatable(create, self.header.settings, collection),
            conflicts=self.conflicts,
        )
        today = datetime.now(UTC).date().isoformat()
        grammar = self.header.settings.grammar()
        self.linked = read_and_link(self.content, self.header, grammar, today)
        return None

    def _table(self, given: Map | None, known: Iterable[str]) -> Sheet:
        wanted = list(known)
        if given is not None and given.fields is not None:
            wanted = [name for source in given.fields.values() for name in source.columns_used]
        within, first_row = (given.rows or "", given.header) if given else ("", 1)
        return read(self.sources, self.form, within, wanted, first_row)

    def done(self) -> Done | list[Diagnostic]:
        """The import without the cells and rows that may be left out, and with the words that it
        creates; or problems that stop it.

        Others may refer to what is left out or created; then it runs again.  Raises
        NoSource, UnreadableTable, ClientError, Refused and OSError.
        """
        if (stopped := self.open({})) is not None:
            return stopped
        forgiven = {t.column.name for t in self.asked.targets if t.source.leaves_out_errors}
        problems, outcomes = list[Diagnostic](), list[Outcome]()
        skipped = list[tuple[SheetRow, list[str]]]()
        left, cells = self.table, set[tuple[int, str]]()
        content, settings, words = self.content, self.header.settings, dict[str, Set[str]]()
        while True:
            last = Import(self.content, self.linked, left, self.asked, cells)
            if not words:
                words = {name: {*known.labels} for name, known in last.reader.words.items()}
                new = new_words(last, last.outcomes, settings, words)
                if self.asked.create and any(new):
                    planned = self._changes(new, content)
                    del last  # which has all records
                    if (stopped := self.open({c.path: c.after for c in planned})) is not None:
                        return stopped
                    continue
            errors = last.row_problems.errors
            wrong = {(n, name) for n, of in errors.items() for name, _ in of if name in forgiven}
            if wrong - cells:
                cells |= wrong
                del last
                continue
            rows = [row for row in left.rows if row.number in errors] if self.skip_errors else []
            if not rows:
                break
            skipped += [(row, [message for _, message in errors[row.number]]) for row in rows]
            if not any(t.column.of == self.asked.collection for t in self.asked.targets):
                break  # no other row can refer to these
            problems += filter(is_error, last.problems)
            outcomes += (outcome for outcome in last.outcomes if outcome.row.number in errors)
            left = replace(left, rows=[row for row in left.rows if row.number not in errors])
            del last
        good = [of for of in last.outcomes if of.change is not None and of.verdict != "error"]
        added = self._changes(new_words(last, good, settings, words), content)
        created = [*self._check_created(added)]
        failed = bool(created) or (not skipped and any(map(is_error, last.problems)))
        outcomes = sorted([*outcomes, *last.outcomes], key=lambda outcome: outcome.row.number)
        problems = sort_diagnostics([*self.problems, *problems, *last.problems, *created])
        return Done(last, self.table, self.asked, problems, outcomes, skipped, added, failed)

    def _changes(self, new: NewWords, content: Content) -> list[FileChange]:
        raw = content.read_content(REGISTRY_FILE)
        assert isinstance(raw, bytes)  # it was read before
        return changes(content, new, self.asked, raw)

    def _check_created(self, added: Sequence[FileChange]) -> Iterator[Diagnostic]:
        """The errors of created records."""
        paths = [change.path for change in added if change.path != REGISTRY_FILE]
        report = check_planned(self.folder, added, paths) if paths else None
        for problem in report.problems if report is not None else ():
            if is_error(problem):
                hint = "say in the map what new records have, like create: {organizations: {…}}"
                yield replace(problem, hint=f"{problem.hint}; {hint}" if problem.hint else hint)


def write_skipped(text: str, sources: Sequence[str]) -> bool:
    """Write the rows that were left out; False if a file of somebody else has this name."""
    path = Path(SKIPPED)
    if path.exists() and SKIPPED not in sources:
        with path.open(encoding="utf-8", errors="replace") as file:
            if REASON not in file.read(1 << 16):
                return False
    path.write_text(text, "utf-8")
    return True
