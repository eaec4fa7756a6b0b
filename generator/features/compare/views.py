"""`/compare/`: two to four records, tags or countries side by side: their facts, and the share of
each value among their projects.

Without a script the page compares the two latest cohorts, or if these are small the two programs or
organizations with the most projects; its script (compare.mjs) does the same for the records, tags
or countries that a visitor chose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.features.compare import COMPARE
from generator.features.compare.settings import Settings, compared_collection
from generator.grammar.grammar import TAG_VOCABULARY, Collection
from generator.grammar.query import capitalized
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.tables.breakdown import MAX_VALUES
from generator.site import charts, cohorts, fields, labels, record_line, rendering
from generator.site.links import Link
from generator.site.meta import below_home
from generator.site.page_context import Site

PREPARED = cohorts.COMPARED  # records that are compared without a script
MOST = 4
ROWS = 8  # values of a filter


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


def _name(site: Site) -> str:
    """The collection of the comparison, "" if there is none."""
    return compared_collection(site.grammar.kinds, Settings.of(site.settings).compare)


def _counted(site: Site) -> Collection:
    """The collection whose records are counted, if there is one."""
    return site.grammar[_name(site)]


def compared(site: Site) -> tuple[str, ...]:
    """The filters whose values can be compared; none if there are fewer than two values, or no
    collection to compare.
    """
    return site.memo.get_or_make("compared", _compared, site)


def _compared(site: Site) -> tuple[str, ...]:
    if not _name(site):
        return ()
    known = site.counts(_name(site)).values
    found = {name: known.get(name, {}) for name in (*_of_records(site), *_of_values(site))}
    if "location" in found:
        found["location"] = {v: n for v, n in found["location"].items() if v in COUNTRY_SLUGS}
    names = tuple(name for name, values in found.items() if values)
    return names if sum(map(len, found.values())) > 1 else ()


def _of_records(site: Site) -> dict[str, Collection]:
    """The filters by records with the collections of these: those that count the projects, and own
    relations.
    """
    counted, kinds = _counted(site), site.grammar.kinds
    counting = kinds.counting if counted.declared.counted else ()
    of_counting = {site.grammar[name].kind: site.grammar[name] for name in counting}
    found = {kind: of for kind, of in of_counting.items() if kind in counted.filters}
    related = {f.filter: f.refers for f in counted.declared.own if f.refers and f.filter}
    return found | {name: site.grammar[of] for name, of in related.items()}


def _of_values(site: Site) -> list[str]:
    """The other filters whose values can be compared: tags and places."""
    filters = _counted(site).prepared_filters.values()
    tags = [f.name for f in filters if f.vocabulary.startswith(TAG_VOCABULARY)]
    return [*tags, *(["location"] if "location" in _counted(site).filters else [])]


def _of_choices(site: Site) -> list[str]:
    """The filters by words: the status, and the choices of an own kind."""
    kind = _counted(site).declared
    own = [f.filter for f in kind.own if f.filter and f.type in ("choice", "boolean")]
    return own if kind.is_own else ["status"]


def prepared(site: Site) -> list[Compared]:
    """The records that are compared without a script."""
    kinds = site.grammar.kinds
    if not _counted(site).declared.counted:
        return []
    of_records = [of for of in _of_records(site).values() if of.name in kinds.counting]
    if latest := cohorts.latest(site) if kinds.series in kinds.counting else ():
        return [_subject(site, site.grammar.series, one.slug) for one in reversed(latest)]
    for of in of_records:
        slugs = [row.value for row in charts.records(site, of.name, PREPARED) if row.count]
        if len(slugs) == PREPARED:
            return [_subject(site, of, slug) for slug in slugs]
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
    counts = site.kept_document(_counted(site).filters_path)["data"]
    values = [(name, v["value"]) for name in compared(site) for v in counts[name]["values"]]
    return values[:PREPARED]


def _subject(site: Site, of: Collection, slug: str) -> Compared:
    data, page = site.document(of.record_path(slug))["data"], site.url(of.record_page(slug))
    total = data[site.grammar.kinds.counted]
    return Compared(
        of.kind, slug, data["name"], page, total, data["breakdown"], _facts(site, of, data)
    )


def _facts(site: Site, of: Collection, data: fields.Record) -> list[fields.Fact]:
    """What the page of a record says: its line, then its facts, which have again what the line has
    in part.
    """
    known = fields.facts(site, of, data)
    parts = record_line.line(site, of, data, known)
    said = [fields.Fact(part.label, part.values) for part in parts]
    return [*said, *known.values(), *fields.tags(site, of, data)]


def fact_rows(subjects: Sequence[Compared]) -> list[FactRow]:
    """The fields that any subject has, with the values of each."""
    known = [dict(subject.facts) for subject in subjects]
    names = dict.fromkeys(label for facts in known for label in facts)
    return [FactRow(label, [facts.get(label, []) for facts in known]) for label in names]


def section_filters(site: Site) -> list[str]:
    """The filters with several values, without the year, which is a chart, and without records."""
    counts = site.kept_document(_counted(site).filters_path)["data"]
    names = [*_of_choices(site), *_of_values(site)]
    return [name for name in names if name in counts and counts[name]["total_values"] > 1]


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


ADDRESSES = (COMPARE,)
#: The most cohorts that the page of a cohort offers to compare it with.
MOST_OFFERED = 6
#: Functions that the template calls.
_COMPARE = {f.__name__: f for f in (fact_rows, has_years, lines, points, timelines, years)}


def links(site: Site) -> Iterator[Link]:
    if compared(site):
        yield Link("home", 40, COMPARE, "home.ways.compare")
        yield Link("header", 30, COMPARE, "site.compare")
        yield Link("sitemap", -50, COMPARE)


def panels(site: Site, place: str, subject: Any) -> Iterator[Markup]:
    """A link to compare a record, on its page; beside a cohort, those of its program.  Below rows,
    the tray of those that are chosen.  On the home page a link to compare its two cohorts.
    """
    if place not in ("record", "rows", "cohorts") or not compared(site):
        return
    macros = rendering.template_macros(site, "compare-with")
    if place == "cohorts":
        slugs, label = [cohort.slug for cohort, _ in subject], site.theme.texts("site.compare")
        yield macros.link(COMPARE, site.grammar.series.kind, *slugs, label)
        return
    collection = subject if place == "rows" else subject.collection
    key = "compare", collection.name
    name = site.memo.get_or_make(key, _filter_by, site, collection)
    if name and place == "rows" and site.counts(collection.name).total > 1:
        yield macros.tray(COMPARE, name, collection, MOST)
    elif name and place == "record":
        slug = subject.record["slug"]
        others = _offered(subject.cohorts, slug)
        parent = subject.record["parent"] if others else None
        yield macros.button(COMPARE, name, slug, others, parent)


def _filter_by(site: Site, collection: Collection) -> str:
    """The parameter of the page with a record of a collection; "" if there is none."""
    if collection.name == _name(site):
        return collection.kind
    return next((name for name, of in _of_records(site).items() if of is collection), "")


def _offered(series: Sequence[cohorts.CohortLink], slug: str) -> list[cohorts.CohortLink]:
    """The cohorts of a series that are nearest to one of them, in the order of the series."""
    slugs = [one.slug for one in series]
    place = slugs.index(slug) if slug in slugs else 0
    known = [n for n, one in enumerate(series) if one.slug != slug and one.total]
    nearest = sorted(known, key=lambda n: abs(n - place))[:MOST_OFFERED]
    return [series[n] for n in sorted(nearest)]


def render(site: Site) -> Iterator[Artifact]:
    filters = compared(site)
    if not filters:
        return
    subjects, texts = prepared(site), site.theme.texts
    sections = section_filters(site)
    counted, kinds = _counted(site), site.grammar.kinds
    has_series = kinds.kind_of.get(kinds.series) in filters
    lead = "compare.lead" if has_series else "compare.lead_values"
    lead = "compare.lead_own" if counted.declared.is_own else lead
    formats, nouns = texts.known["format"], counted.many
    names = {name: labels.filter_label(site, counted, name) for name in sections}
    titles = {"facts": texts("compare.facts"), **names}
    if "year" in counted.filters:
        titles["year"] = labels.filter_label(site, counted, "year")
    of_records = {name: of.pages for name, of in _of_records(site).items()}
    script_data = {
        "api": counted.root,
        "kind": counted.kind,
        "subjects": [(s.filter, s.value) for s in subjects] or most_frequent(site),
        "sections": sections,
        "titles": titles,
        "kinds": {name: labels.filter_label(site, counted, name) for name in filters}
        | {counted.kind: capitalized(counted.one)},
        "roots": of_records | {counted.kind: counted.pages},
        "status": texts.known["words"]["status"],
        "tones": dict(counted.declared.tones),
        "what": nouns,
        "most": MOST,
        "decimal": formats["decimal"],
        "percent": formats["percent"],
    }
    yield rendering.render_page(
        site,
        COMPARE,
        "compare",
        about=below_home(site, texts("site.compare"), texts(lead, what=nouns)),
        lead=lead,
        compare=_COMPARE,
        of=counted,
        subjects=subjects,
        sections=sections,
        titles=titles,
        most=MOST,
        told=script_data,
    )
