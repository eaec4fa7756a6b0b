"""The geometry of charts: numbers of the API → where each bar stands, and how tall and wide it is.

Widths and places across are percentages of a drawing that is as wide as its page has room, so that
its words keep their size; heights are pixels.  The words themselves are the template's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from generator.grammar.grammar import Collection, Slice
from generator.site import labels, paths
from generator.site.page_context import Site

#: Pixels of a chart of years: the room above the highest line, for its number, and of the bars.
HEAD, PLOT = 20, 160
LEAST = 2  # pixels of a bar that stands for anything
LEAST_WIDTH = 0.8  # percent, the same across
MOST_SLOTS, MOST_MARKS, MOST_LINES = 240, 10, 4
STEPS = 5  # of colour: of parts of a whole, and of countries on a map

#: What a value of the API calls itself, and how many records it stands for.
_NAMES = ("value", "tag", "slug", "year")
_COUNTS = ("count", "projects", "programs", "organizations")


@dataclass(slots=True)
class Row:
    """A value with how many records have it, and the page of these, None where there is none."""

    label: str
    count: int
    href: str | None = None
    value: str = ""

    @property
    def key(self) -> tuple[str, str | None]:
        """What its label is made of."""
        return self.label, self.href


@dataclass(slots=True)
class Column:
    """A bar of a chart of years."""

    label: str
    count: int
    x: str
    width: str
    y: int
    height: int


class Mark(NamedTuple):
    """A year or a number beside an axis; a `minor` one is left out where there is little room."""

    label: str
    at: str
    anchor: str = "middle"
    minor: bool = False


class Years(NamedTuple):
    """A chart of years; `span` is how many of them a bar stands for, `first` and `last` those
    that have a record, `peak` the tallest bar.
    """

    columns: list[Column]
    lines: list[tuple[int, int]]  # number, y
    marks: list[Mark]
    span: int
    first: int
    last: int
    peak: Column
    height: int = HEAD + PLOT


class Part(NamedTuple):
    """A row as a part of a whole, with the step of its colour: the first has the strongest."""

    row: Row
    share: float
    x: str
    width: str
    step: int


class Class(NamedTuple):
    """Countries of about as many records, with the step of their colour, of most the strongest."""

    low: int
    high: int
    step: int


def rows(
    site: Site, values: Iterable[Mapping[str, Any]], name: str, collection: str = "projects"
) -> list[Row]:
    """Values of one filter, as the dashboard, filters and breakdowns have them."""
    asked = site.grammar.collections[collection]
    out = []
    named = counted = ""
    for given in values:
        if named not in given or counted not in given:
            named = next(key for key in _NAMES if key in given)
            counted = next(key for key in _COUNTS if key in given)
        value, count = str(given[named]), given[counted]
        label, href = _named(site, asked, name, value, given.get("label"))
        out.append(Row(label, count, href if count else None, value))
    return out


def _named(
    site: Site, asked: Collection, name: str, value: str, label: str | None
) -> tuple[str, str | None]:
    """What a value is called, and the page of its list, None where there is none."""
    key = asked.name, "named", name, value, label
    known: tuple[str, str | None] | None = site.memo.get(key)
    if known is None:
        part = Slice(asked, name, value)
        href = site.url(paths.list_page(part)) if paths.visited(part) else None
        known = site.memo[key] = labels.value_label(site, asked, name, value, label), href
    return known


def records(site: Site, values: Iterable[Mapping[str, Any]], collection: str) -> list[Row]:
    """Programs or organizations with how many projects each has, as the dashboard has them."""
    return [
        Row(v["name"], v["projects"], site.url(paths.record_page(collection, v["slug"])), v["slug"])
        for v in values
    ]


@lru_cache(1 << 14)
def percent(value: float) -> str:
    """A number of percent as SVG takes it: at most two digits behind the point."""
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"


def by_year(bars: Iterable[Row]) -> Years | None:
    """A bar for each year from the first to the last that has a record, None where none has.

    Of more years than there is room for, a bar stands for several.
    """
    counted = {int(row.value): row.count for row in bars if row.count}
    if not counted:
        return None
    first, last = min(counted), max(counted)
    span = next(s for s in (1, 5, 10, 25, 50, 100) if last // s - first // s < MOST_SLOTS)
    sums: dict[int, int] = dict.fromkeys(range(first // span, last // span + 1), 0)
    for year, count in counted.items():
        sums[year // span] += count
    lines = _lines(max(sums.values()))
    slot = 100 / len(sums)
    room = min(0.72 * slot, 12)  # one year alone is a bar, not a wall
    columns = []
    for position, (number, count) in enumerate(sums.items()):
        year = number * span
        tall = max(LEAST, round(PLOT * count / lines[-1])) if count else 0
        columns.append(
            Column(
                str(year) if span == 1 else f"{year}–{year + span - 1}",
                count,
                percent((position + 0.5) * slot - room / 2),
                percent(room),
                HEAD + PLOT - tall,
                tall,
            )
        )
    return Years(
        columns,
        [(number, HEAD + PLOT - round(PLOT * number / lines[-1])) for number in lines],
        list(_marks([number * span for number in sums], span, slot)),
        span,
        first,
        last,
        max(columns, key=lambda column: column.count),
    )


def _lines(most: int) -> list[int]:
    """The numbers that have a line: round ones, the last at least as high as any bar."""
    size = 1
    while True:
        for digit in (1, 2, 5):
            if most <= MOST_LINES * digit * size:
                apart = digit * size
                return [apart * i for i in range(1, -(-most // apart) + 1)]
        size *= 10


def _marks(years: list[int], span: int, slot: float) -> Iterable[Mark]:
    """Round years under the bars, every second of them minor where they are many."""
    apart = next(
        a
        for a in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
        if a >= span and len(years) * span / a <= MOST_MARKS
    )
    round_years = [(i, year) for i, year in enumerate(years) if year % apart == 0]
    if not round_years:
        round_years = [(0, years[0])]
    many = len(round_years) > MOST_MARKS // 2
    for position, year in round_years:
        at = (position + 0.5) * slot
        anchor = "start" if at < 4 else "end" if at > 96 else "middle"
        place = "0%" if anchor == "start" else "100%" if anchor == "end" else percent(at)
        yield Mark(str(year), place, anchor, many and bool(year // apart % 2))


def widths(bars: list[Row]) -> list[str]:
    """How wide the bar of each row is, the largest 100%."""
    most = max((row.count for row in bars), default=0)
    return [
        percent(max(LEAST_WIDTH, 100 * row.count / most)) if row.count else "0%" for row in bars
    ]


def bars(some: list[Row]) -> list[tuple[Row, str]]:
    """Each row with how wide its bar is."""
    return [*zip(some, widths(some), strict=True)]


def parts(bars: list[Row], total: int | None = None) -> list[Part]:
    """Rows as parts of a whole, which is `total` where it is more than their sum."""
    whole = max(sum(row.count for row in bars), total or 0) or 1
    out, before = [], 0
    for position, row in enumerate(bars):
        step = STEPS - min(position, STEPS - 1)
        x, width = percent(100 * before / whole), percent(100 * row.count / whole)
        out.append(Part(row, row.count / whole, x, width, step))
        before += row.count
    return out


def classes(counts: Iterable[int]) -> list[Class]:
    """At most five classes, each begun by a number as many times that of the one before: few have
    many records, and most few.  No number is in two of them.
    """
    ordered = sorted(count for count in counts if count)
    members: dict[int, list[int]] = {}
    for count in ordered:
        number = next(i for i in range(1, STEPS + 1) if count**STEPS <= ordered[-1] ** i)
        members.setdefault(number, []).append(count)
    first = STEPS - len(members) + 1  # of few classes, those that are seen best
    return [Class(held[0], held[-1], i) for i, held in enumerate(members.values(), first)]
