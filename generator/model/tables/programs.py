"""Programs in order: the largest by their projects, and by when they begin: the year, then the
start, else the season in the name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.model.symbols import Symbols
from generator.model.tables.table import Counts, Row, Table
from generator.text.words import split_words

#: The seasons in names of cohorts, each with its first month and day.
SEASONS = {
    "winter": "01-01",
    "spring": "04-01",
    "summer": "07-01",
    "fall": "10-01",
    "autumn": "10-01",
}


def beginning(program: Mapping[str, Any]) -> tuple[int, str]:
    """The year of a program's summary and the day on which it begins, for sorting.

    Without `starts` the day is the first of the last season that the name has; "" without either.
    """
    year, starts = program["year"] or 0, program["starts"]
    if not starts:
        seasons = [word for word in split_words(program["name"]) if word in SEASONS]
        starts = f"{year:04}-{SEASONS[seasons[-1]]}" if seasons else ""
    return year, starts


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
