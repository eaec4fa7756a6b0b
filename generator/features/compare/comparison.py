"""Several programs side by side: their facts, and the share of each value among their projects.

Without a script the page compares the two latest cohorts, or if these are small the two programs or
organizations with the most projects; its script (compare.mjs) does the same for the records, tags
or countries that a visitor chose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from generator.grammar.grammar import TAG_VOCABULARY, Collection
from generator.grammar.paths import DASHBOARD
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.tables.breakdown import MAX_VALUES
from generator.model.tables.table import Counts
from generator.site import cohorts, fields, paths
from generator.site.drawing import charts
from generator.site.page_context import Site

PREPARED = 2  # records that are compared without a script
MOST = 4
#: The fewest projects of a cohort that is compared without a script: a number, and a share of those
#: of the largest cohort of its program.
LEAST, LEAST_SHARE = 5, 0.1
ROWS = 8  # values of a filter
#: The collections whose records are compared by their facts.
RECORDS = ("projects", "programs", "organizations")


class Compared(NamedTuple):
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


class ComparedValue(NamedTuple):
    """A value with a cell for each subject."""

    row: charts.ChartValue
    cells: list[Cell]

    @property
    def most(self) -> float:
        return max(cell.share for cell in self.cells)

    @property
    def difference(self) -> float:
        """The share of the second subject less that of the first."""
        return self.cells[1].share - self.cells[0].share


class FactRow(NamedTuple):
    """A field with its values for each subject; a subject without the field has none."""

    label: str
    cells: list[list[fields.FactValue]]

    @property
    def is_same(self) -> bool:
        return all(cell == self.cells[0] for cell in self.cells)


class ComparedYear(NamedTuple):
    """The bar of a year; the year with the greatest share of any subject has the full height."""

    year: int
    number: int
    x: str
    width: str
    height: str
    y: str


class ComparedYears(NamedTuple):
    """The years of a subject; `peak` is the year with the most projects, `most` their number."""

    subject: Compared
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


def prepared(site: Site) -> list[Compared]:
    """The records that are compared without a script."""
    data = site.kept_document(DASHBOARD)["data"]
    top_programs = [record["slug"] for record in data["top_programs"]]
    if latest := _latest_cohorts(site, top_programs):
        return [_subject(site, "program", "programs", slug) for slug in latest]
    for kind, collection in (("program", "programs"), ("organization", "organizations")):
        top = [record["slug"] for record in data[f"top_{collection}"] if record["projects"]]
        if len(top) >= PREPARED:
            return [_subject(site, kind, collection, slug) for slug in top[:PREPARED]]
    return []


def _latest_cohorts(site: Site, programs: Sequence[str]) -> list[str]:
    """The two latest cohorts of the first program that has two with enough projects."""
    targets = site.symbols.programs
    known = (other for slug in programs for other in targets[slug].ancestors)
    for program in dict.fromkeys(known):
        series = cohorts.of_program(site, program)
        least = max([LEAST, *(LEAST_SHARE * one.projects for one in series)])
        latest = [one.slug for one in series if one.projects >= least][:PREPARED]
        if len(latest) == PREPARED:
            return latest[::-1]
    return []


def points(site: Site, difference: float) -> str:
    """A difference of shares from -1 to 1 in percentage points, with its sign."""
    texts = site.theme.texts
    template: str = texts.known["format"]["percent"]
    before, _, after = template.partition("{number}")
    digits = texts.percent(abs(difference)).removeprefix(before).removesuffix(after)
    return digits if digits == "0" else ("+" if difference > 0 else "\u2212") + digits


def most_frequent(site: Site) -> list[tuple[str, str]]:
    """(filter, value) of the values that are compared first where no program has projects."""
    counts = site.kept_document(site.grammar.projects.filters_path)["data"]
    values = [(name, v["value"]) for name in compared(site) for v in counts[name]["values"]]
    return values[:PREPARED]


def _subject(site: Site, kind: str, name: str, slug: str) -> Compared:
    collection = site.grammar.collections[name]
    data = site.document(collection.record_path(slug))["data"]
    page = site.url(paths.record_page(name, slug))
    facts = [*fields.facts(site, collection, data), *fields.tags(site, collection, data)]
    return Compared(kind, slug, data["name"], page, data["projects"], data["breakdown"], facts)


def fact_rows(subjects: Sequence[Compared]) -> list[FactRow]:
    """The fields that any subject has, with the values of each."""
    known = [dict(subject.facts) for subject in subjects]
    names = dict.fromkeys(label for facts in known for label in facts)
    return [FactRow(label, [facts.get(label, []) for facts in known]) for label in names]


def sections(site: Site) -> list[str]:
    """The filters with several values, without the year, which is a chart, and without records."""
    counts = site.kept_document(site.grammar.projects.filters_path)["data"]
    names = ["status", *_comparable(site.grammar.projects)[2:]]
    return [name for name in names if counts[name]["total_values"] > 1]


def lines(site: Site, name: str, subjects: Sequence[Compared]) -> list[ComparedValue]:
    """The values of a filter with the greatest share in any subject, and their share in each."""
    breakdowns = [{v["value"]: v for v in s.breakdown.get(name, ())} for s in subjects]
    known = {value: v for values in breakdowns for value, v in values.items()}
    found: list[ComparedValue] = []
    for row in charts.rows(site, known.values(), name):
        cells = []
        for subject, values in zip(subjects, breakdowns, strict=True):
            # A full breakdown has only the most frequent values: other counts are unknown.
            if row.value not in values and len(values) >= MAX_VALUES:
                break
            count = values[row.value]["count"] if row.value in values else 0
            cells.append(Cell(count, count / (subject.total or 1)))
        else:
            found.append(ComparedValue(row, cells))
    return sorted(found, key=lambda line: (-line.most, line.row.value))[:ROWS]


def years(subjects: Sequence[Compared]) -> list[tuple[int, list[int]]]:
    """Each year that a subject has, with the number of projects of every subject."""
    counts = [{int(v["value"]): v["count"] for v in s.breakdown["year"]} for s in subjects]
    found = sorted(set().union(*counts))
    return [(year, [by_year.get(year, 0) for by_year in counts]) for year in found]


def has_years(subjects: Sequence[Compared]) -> bool:
    """Whether any subject has projects of several years; those of a cohort often have one year."""
    return any(len(subject.breakdown["year"]) > 1 for subject in subjects)


def timelines(subjects: Sequence[Compared]) -> list[ComparedYears]:
    """A timeline for each subject, all over the same years and on the same scale: the share of the
    subject's projects.
    """
    table = years(subjects)
    if not table:
        return []
    first, slot = table[0][0], 100 / (table[-1][0] - table[0][0] + 1)
    totals = [subject.total or 1 for subject in subjects]
    top = max(n / total for _, row in table for n, total in zip(row, totals, strict=True)) or 1
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
                charts.percent(100 * number / totals[position] / top),
                charts.percent(100 - 100 * number / totals[position] / top),
            )
            for year, number in counts
        ]
        found.append(ComparedYears(subject, bars, str(peak), most))
    return found
