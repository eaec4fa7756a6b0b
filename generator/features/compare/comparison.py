"""Several programs side by side: their facts, and the share of each value among their projects.

Without a script the page compares the two programs with the most projects, or organizations if
there are no programs; its script (compare.mjs) does the same for the records, tags or
countries that a visitor chose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from generator.grammar.grammar import TAG_VOCABULARY, Collection
from generator.grammar.paths import DASHBOARD
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.tables.breakdown import MAX_VALUES
from generator.model.tables.table import Counts
from generator.site import fields, paths
from generator.site.drawing import charts
from generator.site.page_context import Site

PREPARED = 2  # records that are compared without a script
MOST = 4
LETTERS = "ABCD"
ROWS = 8  # values of a filter
#: The collections whose records are compared by their facts.
RECORDS = ("projects", "programs", "organizations")


class Subject(NamedTuple):
    """A record that is compared, with the URL of its page and its number of projects."""

    filter: str
    value: str
    label: str
    href: str
    total: int
    breakdown: dict[str, list[dict[str, Any]]]
    facts: list[fields.Fact]


class Cell(NamedTuple):
    """The number of a subject's projects that have a value, and their share of its projects."""

    number: int
    share: float


class Line(NamedTuple):
    """A value with a cell for each subject."""

    row: charts.ChartValue
    cells: list[Cell]

    @property
    def most(self) -> float:
        return max(cell.share for cell in self.cells)


class FactRow(NamedTuple):
    """A field with its values for each subject; a subject without the field has none."""

    label: str
    cells: list[list[fields.FactValue]]


class ComparedYear(NamedTuple):
    """The bar of a year; the year with the most projects has the full height."""

    year: int
    number: int
    x: str
    width: str
    height: str
    y: str


class Timeline(NamedTuple):
    """The years of a subject; `peak` is the year with the most projects, `most` their number."""

    subject: Subject
    bars: list[ComparedYear]
    peak: str
    most: int


def compared(site: Site) -> tuple[str, ...]:
    """The filters whose values can be compared; none if there are fewer than two values."""
    return site.memo.get_or_make("compared", _compared, site.counts(site.grammar.projects.name))


def _compared(projects: Counts) -> tuple[str, ...]:
    found = {name: projects.values[name] for name in _comparable(projects.collection)}
    found["location"] = {v: n for v, n in found["location"].items() if v in COUNTRY_SLUGS}
    names = tuple(name for name, values in found.items() if values)
    return names if sum(map(len, found.values())) > 1 else ()


def _comparable(projects: Collection) -> list[str]:
    """The filters whose values can be compared, if projects have them."""
    filters = projects.filters.values()
    tags = [f.name for f in filters if f.vocabulary.startswith(TAG_VOCABULARY)]
    return ["program", "organization", *tags, "location"]


def prepared(site: Site) -> list[Subject]:
    """The records that are compared without a script: those with the most projects."""
    data = site.kept_document(DASHBOARD)["data"]
    for kind, collection in (("program", "programs"), ("organization", "organizations")):
        top = [record["slug"] for record in data[f"top_{collection}"] if record["projects"]]
        if len(top) >= PREPARED:
            return [_subject(site, kind, collection, slug) for slug in top[:PREPARED]]
    return []


def most_frequent(site: Site) -> list[tuple[str, str]]:
    """(filter, value) of the values that are compared first where no program has projects."""
    counts = site.kept_document(site.grammar.projects.filters_path)["data"]
    values = [(name, v["value"]) for name in compared(site) for v in counts[name]["values"]]
    return values[:PREPARED]


def _subject(site: Site, kind: str, name: str, slug: str) -> Subject:
    collection = site.grammar.collections[name]
    data = site.document(collection.record_path(slug))["data"]
    page = site.url(paths.record_page(name, slug))
    facts = [*fields.facts(site, collection, data), *fields.tags(site, collection, data)]
    return Subject(kind, slug, data["name"], page, data["projects"], data["breakdown"], facts)


def fact_rows(subjects: Sequence[Subject]) -> list[FactRow]:
    """The fields that any subject has, with the values of each."""
    known = [dict(subject.facts) for subject in subjects]
    names = dict.fromkeys(label for facts in known for label in facts)
    return [FactRow(label, [facts.get(label, []) for facts in known]) for label in names]


def sections(site: Site) -> list[str]:
    """The filters with several values, without the year, which is a chart, and without records."""
    counts = site.kept_document(site.grammar.projects.filters_path)["data"]
    names = ["status", *_comparable(site.grammar.projects)[2:]]
    return [name for name in names if counts[name]["total_values"] > 1]


def lines(site: Site, name: str, subjects: Sequence[Subject]) -> list[Line]:
    """The values of a filter with the greatest share in any subject, and their share in each."""
    breakdowns = [{v["value"]: v for v in s.breakdown.get(name, ())} for s in subjects]
    known = {value: v for values in breakdowns for value, v in values.items()}
    found: list[Line] = []
    for row in charts.rows(site, known.values(), name):
        cells = []
        for subject, values in zip(subjects, breakdowns, strict=True):
            # A full breakdown has only the most frequent values: other counts are unknown.
            if row.value not in values and len(values) >= MAX_VALUES:
                break
            count = values[row.value]["count"] if row.value in values else 0
            cells.append(Cell(count, count / (subject.total or 1)))
        else:
            found.append(Line(row, cells))
    return sorted(found, key=lambda line: (-line.most, line.row.value))[:ROWS]


def years(subjects: Sequence[Subject]) -> list[tuple[int, list[int]]]:
    """Each year that a subject has, with the number of projects of every subject."""
    counts = [{int(v["value"]): v["count"] for v in s.breakdown["year"]} for s in subjects]
    found = sorted(set().union(*counts))
    return [(year, [by_year.get(year, 0) for by_year in counts]) for year in found]


def timelines(subjects: Sequence[Subject]) -> list[Timeline]:
    """A timeline for each subject, all over the same years."""
    table = years(subjects)
    if not table:
        return []
    first, slot = table[0][0], 100 / (table[-1][0] - table[0][0] + 1)
    found = []
    for position, subject in enumerate(subjects):
        counts = [(year, numbers[position]) for year, numbers in table if numbers[position]]
        peak, most = max(counts, key=lambda count: count[1], default=("", 0))
        bars = [
            ComparedYear(
                year,
                number,
                charts.percent((year - first) * slot),
                charts.percent(0.8 * slot),
                charts.percent(100 * number / most),
                charts.percent(100 - 100 * number / most),
            )
            for year, number in counts
        ]
        found.append(Timeline(subject, bars, str(peak), most))
    return found
