"""What came of records, put together as it comes from those who read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.build.output.write import Written
from generator.build.read import PartRows, Seen
from generator.model.checks import Mark
from generator.model.tables.table import Batch, TableBuilder


@dataclass(slots=True)
class Gathered:
    """What came of the records of one collection: their rows, the terms of each by its slug, what
    duplicates are found by, and the files that were read and written.
    """

    rows: TableBuilder = field(default_factory=TableBuilder)
    terms: dict[str, str] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)

    def add(self, rows: Batch, terms: Iterable[str]) -> None:
        """Take in rows with their terms."""
        self.terms.update(zip(self.rows.add(rows), terms, strict=True))

    def add_part(self, part: PartRows) -> None:
        """Take in what came of a part."""
        rows = Batch(*part.rows)
        self.add(rows, part.terms)
        self.marks.update(zip(rows.slugs, part.marks, strict=True))
