"""The problems of a table, with the rows and the fields that have errors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from generator.edit.tables.sheet import Sheet, SheetRow
from generator.problems.diagnostic import Diagnostic, Severity


class RowProblems:
    """Collects problems.  `errors` has (field, message) of each error by the number of its row."""

    def __init__(self, table: Sheet):
        self.table = table
        self.found: list[Diagnostic] = []
        self.errors: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)

    def add(
        self,
        rows: SheetRow | Sequence[SheetRow],
        field: str,
        column: str,
        code: str,
        message: str,
        hint: str | None,
        severity: Severity = "error",
    ) -> None:
        """Add a problem of a field, in a row or in the same cell of several rows."""
        several = [rows] if isinstance(rows, SheetRow) else rows
        problem = self.table.problem(several[0], column, code, message, hint, severity)
        self.found.append(problem)
        if severity == "error":
            for row in several:
                self.errors[row.number].append((field, message))
