"""Runs an import: reads the table and the map, and leaves out what the map or a person says."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from generator.dialect.folder import Content, scan
from generator.edit.changes import FileChange
from generator.edit.tables.sheet import REASON, Sheet, SheetRow, value_of
from generator.edit.tables.sources import read
from generator.features.tables.columns import columns, format_cell
from generator.features.tables.import_table import Import
from generator.features.tables.mapping import (
    NUMBER,
    ImportSettings,
    placeholders,
    read_map,
    settings_from_columns,
    settings_from_map,
)
from generator.features.tables.matching import Conflicts, Outcome
from generator.problems.diagnostic import Diagnostic, is_error, sort_diagnostics
from generator.published.content.load import Linked, read_and_link
from generator.published.content.read import read_header

#: The file with the rows that were left out.
SKIPPED = "skipped.csv"


@dataclass
class Done:
    """The end of an import.

    `last` is the import that may be written, `skipped` has the reasons for each row that was left
    out, `outcomes` those of all rows.
    """

    last: Import
    table: Sheet
    asked: ImportSettings
    problems: list[Diagnostic]
    outcomes: list[Outcome]
    skipped: list[tuple[SheetRow, list[str]]]

    @property
    def failed(self) -> bool:
        return any(map(is_error, self.last.problems))

    @property
    def changes(self) -> list[FileChange]:
        return self.last.changes

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
            value = row.number  # of which its slug is made
        if isinstance(value, str) and row.file.delimiter:
            return value  # as it is in the table
        split = next((t.source.split for t in self.asked.targets if t.source.column == name), None)
        if isinstance(value, list) and split is not None:
            return split.join(map(str, value))
        return format_cell(value, self.asked.number or ".")


def _columns_used(asked: ImportSettings) -> Iterator[str]:
    for target in asked.targets:
        yield from target.source.columns_used
    fields = {target.column.name for target in asked.targets}
    for part in asked.slug:
        yield from (name for name in placeholders(part) or [part] if name not in fields)


def run_import(
    folder: str,
    sources: str | Sequence[str],
    *,
    form: str,
    map_path: str | None,
    collection: str,
    empty: str | None,
    conflicts: Conflicts,
    skip_errors: bool = False,
) -> Done | list[Diagnostic]:
    """The import of a table into the content folder.

    Returns the errors of registry.yaml, the map or the columns instead, if there are any.  Raises
    NoSource, UnreadableTable, ClientError and OSError.
    """
    content = scan(folder)
    header, problems = read_header(content)
    problems += [p for p in content.problems if p.code == "missing-registry"]
    given = None
    if map_path is not None:
        given, map_problems = read_map(map_path, content.kinds)
        problems += map_problems
        if given is not None:
            if collection and content.kinds.collection_of[given.kind] != collection:
                message = f"the map is for another kind: {given.kind}"
                hint = "leave out --kind"
                problems.append(Diagnostic(map_path, 1, 1, "invalid-map", message, hint))
            collection = content.kinds.collection_of[given.kind]
    if errors := [problem for problem in problems if is_error(problem)]:
        return errors
    known = columns(collection, header.settings)
    wanted = list(known)
    if given is not None and given.fields is not None:
        wanted = [name for source in given.fields.values() for name in source.columns_used]
    within, first_row = (given.rows or "", given.header) if given else ("", 1)
    table = read(sources, form, within, wanted, first_row)
    if given is not None and map_path is not None:
        asked, problems = settings_from_map(map_path, given, known, table, content.kinds)
    else:
        asked, problems = settings_from_columns(known, table, content.kinds)
    if any(map(is_error, problems)):
        return problems
    asked = asked._replace(
        collection=collection, kind=content.kinds[collection].kind, empty=empty or asked.empty
    )
    today = datetime.now(UTC).date().isoformat()
    linked = read_and_link(content, header, header.settings.grammar(), today)
    done = _attempts(content, linked, table, asked, conflicts, skip_errors)
    done.problems = sort_diagnostics([*problems, *done.problems])
    return done


def _attempts(
    content: Content,
    linked: Linked,
    table: Sheet,
    asked: ImportSettings,
    conflicts: Conflicts,
    skip_errors: bool,
) -> Done:
    """The import without the cells and rows that may be left out.

    Other rows may refer to a row that is left out, so it runs again without it.
    """
    forgiven = {t.column.name for t in asked.targets if t.source.leaves_out_errors}
    problems, outcomes = list[Diagnostic](), list[Outcome]()
    skipped = list[tuple[SheetRow, list[str]]]()
    left, rows = table, set[tuple[int, str]]()
    while True:
        last = Import(content, linked, left, asked, conflicts, rows)
        errors = last.row_problems.errors
        cells = {(n, name) for n, found in errors.items() for name, _ in found if name in forgiven}
        if new_cells := cells - rows:
            rows |= new_cells
            del last  # which has all records
            continue
        wrong = [row for row in left.rows if row.number in errors] if skip_errors else []
        if not wrong:
            break
        problems += filter(is_error, last.problems)
        outcomes += (outcome for outcome in last.outcomes if outcome.row.number in errors)
        skipped += [(row, [message for _, message in errors[row.number]]) for row in wrong]
        left = replace(left, rows=[row for row in left.rows if row.number not in errors])
        del last
    outcomes = sorted([*outcomes, *last.outcomes], key=lambda outcome: outcome.row.number)
    return Done(last, table, asked, [*problems, *last.problems], outcomes, skipped)


def write_skipped(text: str, sources: Sequence[str]) -> bool:
    """Write the rows that were left out; False if a file of somebody else has this name."""
    path = Path(SKIPPED)
    if path.exists() and SKIPPED not in sources:
        with path.open(encoding="utf-8", errors="replace") as file:
            if REASON not in file.read(1 << 16):
                return False
    path.write_text(text, "utf-8")
    return True
