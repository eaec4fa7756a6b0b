"""Records by how much they have of what the registry counts, or how many others refer to them;
programs by when they begin: the year,
then the start, else the season in the name.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from generator.model.symbols import Symbols
from generator.model.tables.table import Row, Table
from generator.text.words import split_words

#: The seasons in names of cohorts, each with its first month and day.
SEASONS = {
    "winter": "01-01",
    "spring": "04-01",
    "summer": "07-01",
    "fall": "10-01",
    "autumn": "10-01",
}


def most_referred(table: Table, key: str) -> list[tuple[Row, int]]:
    """The records that others refer to, by how many do so (`Declared.counters`), each with this
    number.
    """
    column = table.collection.numbers.index(key)
    rows = [(row, row.numbers[column]) for row in table.rows if row.numbers[column]]
    return sorted(rows, key=lambda item: -item[1])


def beginning(program: Mapping[str, Any]) -> tuple[int, str]:
    """The year of a program's summary and the day on which it begins, for sorting.

    Without `starts` the day is the first of the last season that the name has; "" without either.
    """
    year, starts = program["year"] or 0, program["starts"]
    if not starts:
        seasons = [word for word in split_words(program["name"]) if word in SEASONS]
        starts = f"{year:04}-{SEASONS[seasons[-1]]}" if seasons else ""
    return year, starts


def has_seasons(programs: Table) -> bool:
    """Whether the name of some program has a season."""
    return any(word in SEASONS for row in programs.rows for word in split_words(row.name))


def largest(
    name: str,
    tables: Mapping[str, Table],
    symbols: Symbols,
    most: int | None = None,
    *,
    cohorts: bool = False,
) -> list[tuple[Row, int]]:
    """The first records of a collection, at most `most`, by how much of what the registry counts
    they have, each with this number; none if the registry counts nothing.

    With `cohorts` a program is left out if a program below it has some, because these count for
    both.
    """
    counted = symbols.grammar.kinds.counted
    table, order = tables.get(name), f"-{counted}"
    if table is None or order not in table.orders or not tables[counted]:
        return []
    column = table.collection.numbers.index(counted)
    targets = symbols.targets(name)
    above = {
        slug
        for row in (table.rows if cohorts else ())
        if row.numbers[column]
        for slug in targets[row.slug].ancestors[1:]
    }
    rows = (table.rows[position] for position in table.orders[order])
    return [*islice(((row, row.numbers[column]) for row in rows if row.slug not in above), most)]
