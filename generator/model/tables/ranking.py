"""Programs by their projects."""

from __future__ import annotations

from generator.model.symbols import Symbols
from generator.model.tables.table import Counts, Row, Table


def largest_programs(programs: Table, projects: Counts, symbols: Symbols, most: int) -> list[Row]:
    """The first programs by projects, at most `most`.

    A program is left out if a program below it has projects, because these count for both.
    """
    kind = programs.collection.kind
    counted_below = {
        above
        for slug, program in symbols.programs.items()
        if projects.of(kind, slug)
        for above in program.ancestors[1:]
    }
    rows = (programs.rows[position] for position in programs.orders["-projects"])
    return [row for row in rows if row.slug not in counted_below][:most]
