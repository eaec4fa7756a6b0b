"""Projects of several programs side by side: of each value, which part of them has it.

What is compared without a script are the two programs of most projects; the script of the page
(source/compare.mjs) does the same with whatever is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from generator.grammar.grammar import TAGS
from generator.grammar.paths import DASHBOARD
from generator.model.tables.breakdown import MOST_FREQUENT
from generator.site import paths
from generator.site.drawing import charts
from generator.site.page_context import Site

PREPARED = 2  # programs that are compared without a script
MOST = 4
LETTERS = "ABCD"
ROWS = 8  # values of a filter


class Subject(NamedTuple):
    """What is compared: the value of a filter, the page about it, and how many projects have it."""

    filter: str
    value: str
    label: str
    href: str
    total: int
    breakdown: dict[str, list[dict[str, Any]]]


class Cell(NamedTuple):
    """How many projects of a subject have a value, and which part of them that is."""

    number: int
    share: float


class Line(NamedTuple):
    """A value with a cell for each subject."""

    row: charts.Row
    cells: list[Cell]

    @property
    def most(self) -> float:
        return max(cell.share for cell in self.cells)


class Bar(NamedTuple):
    """A year of a subject, as it is drawn: that of most projects is as tall as there is room."""

    year: int
    number: int
    x: str
    width: str
    height: str
    y: str


class Timeline(NamedTuple):
    """The years of a subject; `peak` is the one of most projects, which are `most`."""

    subject: Subject
    bars: list[Bar]
    peak: str
    most: int


def chosen(site: Site) -> list[str]:
    """The slugs of the programs that are compared without a script."""
    top = site.document(DASHBOARD)["data"]["top_programs"]
    return [program["slug"] for program in top if program["projects"]][:PREPARED]


def program(site: Site, slug: str) -> Subject:
    """A program."""
    data = site.document(site.grammar.programs.record_path(slug))["data"]
    page = site.url(paths.record_page("programs", slug))
    return Subject("program", slug, data["name"], page, data["projects"], data["breakdown"])


def sections(site: Site) -> list[str]:
    """The filters that projects are compared by, but for years, which are drawn."""
    filters = site.grammar.projects.filters
    tags = [name for name, known in filters.items() if known.vocabulary.startswith(TAGS)]
    return ["status", *tags, "location"]


def kinds(site: Site) -> list[str]:
    """The filters of which a reader chooses values to compare."""
    return ["program", *sections(site)[1:]]


def lines(site: Site, name: str, subjects: Sequence[Subject]) -> list[Line]:
    """The values of a filter that are the greatest part of any subject, with their part of each."""
    counted = [{v["value"]: v for v in s.breakdown.get(name, ())} for s in subjects]
    known = {value: v for values in counted for value, v in values.items()}
    out: list[Line] = []
    for row in charts.rows(site, known.values(), name):
        held = [values.get(row.value) for values in counted]
        # A breakdown has the most frequent values: what a full one is without is not known.
        if all(v or len(values) < MOST_FREQUENT for v, values in zip(held, counted, strict=True)):
            counts = [v["count"] if v else 0 for v in held]
            parts = [n / (s.total or 1) for n, s in zip(counts, subjects, strict=True)]
            out.append(Line(row, [Cell(*cell) for cell in zip(counts, parts, strict=True)]))
    return sorted(out, key=lambda line: (-line.most, line.row.value))[:ROWS]


def years(subjects: Sequence[Subject]) -> list[tuple[int, list[int]]]:
    """How many projects of each subject have a year, of each year that any has."""
    counted = [{int(v["value"]): v["count"] for v in s.breakdown["year"]} for s in subjects]
    every = sorted({year for of in counted for year in of})
    return [(year, [of.get(year, 0) for of in counted]) for year in every]


def timelines(subjects: Sequence[Subject]) -> list[Timeline]:
    """The years of each subject, all from the first to the last that any has."""
    table = years(subjects)
    if not table:
        return []
    first, slot = table[0][0], 100 / (table[-1][0] - table[0][0] + 1)
    out = []
    for position, subject in enumerate(subjects):
        held = [(year, numbers[position]) for year, numbers in table if numbers[position]]
        peak, most = max(held, key=lambda one: one[1], default=("", 0))
        bars = [
            Bar(
                year,
                number,
                charts.percent((year - first) * slot),
                charts.percent(0.8 * slot),
                charts.percent(100 * number / most),
                charts.percent(100 - 100 * number / most),
            )
            for year, number in held
        ]
        out.append(Timeline(subject, bars, str(peak), most))
    return out
