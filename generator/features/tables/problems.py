"""The problems of a table, with the rows and the fields that have errors, and cells with the same
problem.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from generator.edit.tables.sheet import Sheet, SheetRow
from generator.edit.words import NO_MEANING, Meaning
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


class InvalidRow(Exception):
    """No record can be made of a row; the reason is reported already."""


@dataclass(slots=True)
class Cells:
    """Cells of a column with the same problem, of the field `name`: their texts and rows.

    For a word of the table `meant` is what the registry has for it.
    """

    column: str
    name: str
    meant: Meaning = NO_MEANING
    texts: list[str] = field(default_factory=list)
    rows: list[SheetRow] = field(default_factory=list)

    def add(self, row: SheetRow, text: str) -> None:
        self.texts.append(text)
        self.rows.append(row)

    def only(self, texts: Sequence[str]) -> Cells:
        """Those of the cells that have one of these texts."""
        found = Cells(self.column, self.name, self.meant)
        for row, text in zip(self.rows, self.texts, strict=True):
            if text in texts:
                found.add(row, text)
        return found

    @property
    def count(self) -> str:
        return f"{len(self.texts):,} cells" if len(self.texts) > 1 else "1 cell"

    @property
    def more(self) -> str:
        """The end of a message about the first of these cells."""
        count = len(self.texts) - 1
        return f"; {count:,} more {'cells' if count > 1 else 'cell'} like it" if count else ""
