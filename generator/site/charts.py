"""The geometry of charts: counts of the API -> position and size of each bar.

Horizontal lengths are percentages, because a drawing is as wide as its page while its text keeps
its size; heights are pixels.  Templates add the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from generator.grammar.grammar import Collection, Slice
from generator.model.tables.programs import largest
from generator.site import labels, paths
from generator.site.page_context import Site

#: Pixels of a chart of years: above the highest line, for its number, and for the bars.
HEAD, PLOT = 20, 160
LEAST = 2  # pixels of the smallest bar
LEAST_WIDTH = 0.8  # percent of the smallest horizontal bar
MOST_SLOTS, MOST_MARKS, MOST_LINES = 240, 10, 4
STEPS = 5  # of colour, in shares of a whole and on a map

#: The keys of a value in documents of the API.
_NAMES = ("value", "tag", "year")


@dataclass(slots=True)
class ChartValue:
    """A value with the number of its records, the URL of their list or None, and its tone."""

    label: str
    count: int
    href: str | None = None
    value: str = ""
    tone: str = ""

    @property
    def key(self) -> tuple[str, str | None]:
        """Identifies the rendered label (`Site.once`)."""
        return self.label, self.href


@dataclass(slots=True)
class YearBar:
    """A bar of a chart of years."""

    label: str
    count: int
    x: str
    width: str
    y: int
    height: int
    #: The layers that have records, from the bottom: each with its number, y and height.
    parts: list[tuple[BarPart, int, int, int]] = field(default_factory=list)


class Mark(NamedTuple):
    """A year below the axis; a `minor` one is hidden on narrow pages."""

    label: str
    at: str
    anchor: str = "middle"
    minor: bool = False


class Years(NamedTuple):
    """A chart of years: `span` years a bar; `first` and `last` have records; `peak` is the tallest
    bar.
    """

    columns: list[YearBar]
    lines: list[tuple[int, int]]  # number, y
    marks: list[Mark]
    span: int
    first: int
    last: int
    peak: YearBar
    height: int = HEAD + PLOT


class BarPart(NamedTuple):
    """A row as a share of a whole, with its tone, else a step: the first is the strongest."""

    row: ChartValue
    share: float
    x: str
    width: str
    tone: str


class Layer(NamedTuple):
    """A part of a whole in a chart of years, with its numbers by year."""

    part: BarPart
    counts: Mapping[str, int]


class Class(NamedTuple):
    """A range of counts with the step of its colour; the highest counts are the strongest."""

    low: int
    high: int
    step: int


def rows(
    site: Site, values: Iterable[Mapping[str, Any]], name: str, collection: str = ""
) -> list[ChartValue]:
    """Rows from the values of one filter in the dashboard, a filter document or a breakdown, of
    the counted records if no `collection` is given.
    """
    counted = site.grammar[collection or site.grammar.kinds.counted]
    tones = counted.declared.tones if name == counted.declared.badge else {}
    found = []
    for item in values:
        value = next(str(item[key]) for key in _NAMES if key in item)
        count, text = item["count"], item.get("label")
        key = counted.name, "named", name, value, text
        label, href = site.memo.get_or_make(key, _label, site, counted, name, value, text)
        href = href if count else None
        found.append(ChartValue(label, count, href, value, tones.get(value, "")))
    return found


def _label(
    site: Site, collection: Collection, name: str, value: str, label: str | None
) -> tuple[str, str | None]:
    """The label of a value and the URL of its list, or None."""
    part = Slice(collection, name, value)
    is_place = name == "location" and name in collection.prepared_filters
    path = paths.place_page(part) if is_place else paths.list_page(part)
    href = site.url(path) if is_place or paths.visited(part) else None
    return labels.shown_label(site, collection, name, value, label), href


def records(site: Site, name: str, most: int) -> list[ChartValue]:
    """Rows of the records of a collection with the most counted records."""
    page = site.grammar[name].record_page
    return [
        ChartValue(row.name, number, site.url(page(row.slug)), row.slug)
        for row, number in largest(name, site.tables, site.symbols, most)
    ]


@lru_cache(1 << 14)
def percent(value: float) -> str:
    """A percentage for SVG, with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"


def by_year(bars: Iterable[ChartValue], layers: Sequence[Layer] = ()) -> Years | None:
    """A chart with a bar for each year from the first to the last, of several parts if there are
    `layers`; None without records.

    If there are more than MOST_SLOTS years, a bar stands for several.
    """
    counts = {int(row.value): row.count for row in bars if row.count}
    if not counts:
        return None
    first, last = min(counts), max(counts)
    span = next(s for s in (1, 5, 10, 25, 50, 100) if last // s - first // s < MOST_SLOTS)
    sums: dict[int, int] = dict.fromkeys(range(first // span, last // span + 1), 0)
    for year, count in counts.items():
        sums[year // span] += count
    lines = _lines(max(sums.values()))
    slot = 100 / len(sums)
    width = min(0.72 * slot, 12)  # a single year is still a narrow bar
    columns = []
    for position, (number, count) in enumerate(sums.items()):
        year = number * span
        height = max(LEAST, round(PLOT * count / lines[-1])) if count else 0
        columns.append(
            YearBar(
                str(year) if span == 1 else f"{year}–{year + span - 1}",
                count,
                percent((position + 0.5) * slot - width / 2),
                percent(width),
                HEAD + PLOT - height,
                height,
                [*_parts_of(count, height, range(year, year + span), layers)],
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


def _parts_of(
    count: int, height: int, years: Iterable[int], layers: Sequence[Layer]
) -> Iterator[tuple[BarPart, int, int, int]]:
    """The layers of a bar, whose heights make up that of the bar."""
    before = top = 0
    for part, counts in layers:
        number = sum(counts.get(str(year), 0) for year in years)
        bottom, before = top, before + number
        top = round(height * before / count) if count else 0
        if number:
            yield part, number, HEAD + PLOT - top, top - bottom


def _lines(most: int) -> list[int]:
    """The round numbers that have a line; the last is at least `most`."""
    size = 1
    while True:
        for digit in (1, 2, 5):
            if most <= MOST_LINES * digit * size:
                step = digit * size
                return [step * i for i in range(1, -(-most // step) + 1)]
        size *= 10


def _marks(years: list[int], span: int, slot: float) -> Iterable[Mark]:
    """Marks of round years; if they are many, every second is minor."""
    step = next(
        n
        for n in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
        if n >= span and len(years) * span / n <= MOST_MARKS
    )
    round_years = [(i, year) for i, year in enumerate(years) if year % step == 0]
    round_years = round_years or [(0, years[0])]
    many = len(round_years) > MOST_MARKS // 2
    for position, year in round_years:
        at = (position + 0.5) * slot
        anchor = "start" if at < 4 else "end" if at > 96 else "middle"
        x = "0%" if anchor == "start" else "100%" if anchor == "end" else percent(at)
        yield Mark(str(year), x, anchor, many and bool(year // step % 2))


def widths(bars: list[ChartValue]) -> list[str]:
    """The width of each row's bar; the largest is 100%."""
    most = max((row.count for row in bars), default=0)
    return [
        percent(max(LEAST_WIDTH, 100 * row.count / most)) if row.count else "0%" for row in bars
    ]


def bars(rows: list[ChartValue]) -> list[tuple[ChartValue, str]]:
    """Each row with the width of its bar."""
    return [*zip(rows, widths(rows), strict=True)]


def parts(bars: list[ChartValue], total: int | None = None) -> list[BarPart]:
    """Rows as shares of a whole: of `total`, or of their sum if that is larger."""
    whole = max(sum(row.count for row in bars), total or 0) or 1
    shares, before = [], 0
    for position, row in enumerate(bars):
        tone = row.tone or f"step{STEPS - min(position, STEPS - 1)}"
        x, width = percent(100 * before / whole), percent(100 * row.count / whole)
        shares.append(BarPart(row, row.count / whole, x, width, tone))
        before += row.count
    return shares


def classes(counts: Iterable[int]) -> list[Class]:
    """At most five disjoint ranges of counts, whose limits grow by a constant factor.

    Many countries have few records and few have many, so equal ranges would be nearly empty.
    """
    ordered = sorted(count for count in counts if count)
    members: dict[int, list[int]] = {}
    for count in ordered:
        number = next(i for i in range(1, STEPS + 1) if count**STEPS <= ordered[-1] ** i)
        members.setdefault(number, []).append(count)
    first = STEPS - len(members) + 1  # fewer classes have the strongest colours
    return [Class(group[0], group[-1], i) for i, group in enumerate(members.values(), first)]
