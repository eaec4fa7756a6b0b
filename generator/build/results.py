"""Results of the read stage, collected from the workers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.build.output.write import Written
from generator.build.read import PartRows, Seen
from generator.model.checks import DuplicateKeys
from generator.model.tables.table import Batch, TableBuilder


@dataclass(slots=True)
class CollectionResults:
    """The results of one collection: rows, search terms and duplicate keys by slug, the files read
    and written, and the logos that records name.
    """

    rows: TableBuilder = field(default_factory=TableBuilder)
    terms: dict[str, str] = field(default_factory=dict)
    marks: dict[str, DuplicateKeys] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    logos: set[str] = field(default_factory=set)

    def add(self, rows: Batch, terms: Iterable[str]) -> None:
        """Add rows and their terms."""
        self.terms.update(zip(self.rows.add(rows), terms, strict=True))

    def add_part(self, part: PartRows) -> None:
        """Add the result of a part."""
        rows = Batch(*part.rows)
        self.add(rows, part.terms)
        self.logos.update(part.logos)
        self.marks.update(zip(rows.slugs, part.marks, strict=True))
