"""What the home page shows first: a line of values to browse, a chart with what it says,
and records to begin with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from unicodedata import east_asian_width

import orjson

from generator.grammar.filters import Facet
from generator.grammar.grammar import TAG_VOCABULARY, Slice
from generator.grammar.paths import CHANGES
from generator.model.tables.table import Table
from generator.site import charts, cohorts, lists, paths
from generator.site.counted import CountedCollection, counted_collection
from generator.site.page_context import UNIFORM, Site, several, sorts_with_records, telling
from generator.site.rows import ListRow
from generator.site.world import countries

#: The number of records beside the chart, and from which the page does not show all.
ROWS, MANY = 8, 60
#: The most values of a filter to browse, and what fits into their line: letters, and of each value
#: what is around it, as letters.
_BROWSED, _LINE, _AROUND = 6, 160, 5
#: The fewest records that a sentence is about.
_ENOUGH = 10
#: Shares above are rounded to 100 %.
_ALL = 0.995


class LeadChart(NamedTuple):
    """A chart with what it says as its title: the records by year, `parts` the whole by status if
    there are several, `layers` these by year; and two cohorts, each with its statuses.
    """

    title: str
    years: Sequence[charts.ChartValue]
    parts: Sequence[charts.BarPart]
    layers: Sequence[charts.Layer]
    cohorts: Sequence[tuple[cohorts.CohortLink, cohorts.Statuses]]


class First(NamedTuple):
    """Records to begin with, those beside the chart and those below it: all if they are few; and
    the path of their list.
    """

    title: str
    rows: Sequence[ListRow]
    rest: Sequence[ListRow]
    path: str = ""


def browsed(lead: CountedCollection, others: Sequence[str]) -> list[charts.ChartValue]:
    """The most frequent tags of the first family, and the countries with most records, each of the
    first collection that has them: what fits into a line beside the `others`.
    """
    site = lead.site
    every = [lead, *(counted_collection(site, name) for name in site.fit().collections[1:])]
    tags = (
        of.values(f.name, _BROWSED)
        for of in every
        for f in of.collection.prepared_filters.values()
        if f.vocabulary.startswith(TAG_VOCABULARY)
    )
    places = (several(countries(of.all_rows("location")))[:_BROWSED] for of in every)
    found, second = (next(filter(None, values), []) for values in (tags, places))
    room = _LINE - sum(map(_room, others))
    first = [*_fitting(found, room * 2 // 3 if second else room)]
    return [*first, *_fitting(second, room - sum(map(_room_of, first)))]


def _fitting(values: Sequence[charts.ChartValue], room: int) -> Iterator[charts.ChartValue]:
    for value in values:
        room -= _room_of(value)
        if room < 0:
            return
        yield value


def _room_of(value: charts.ChartValue) -> int:
    return _room(f"{value.label}{value.count}")


def _room(text: str) -> int:
    return _AROUND + sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def lead_chart(lead: CountedCollection, years: Sequence[charts.ChartValue]) -> LeadChart | None:
    """How many records are still active, else the year with the most, but not of dates; None if
    neither statuses nor years say something.
    """
    site, collection, years = lead.site, lead.collection, telling(years)
    texts, many = site.theme.texts, collection.many
    parts = _statuses(lead)
    if not parts and not years:
        return None
    title = texts("home.by_year", things=collection.label)
    most, second, *_ = sorted((year.count for year in years), reverse=True) or (0, 0)
    if parts:
        title = texts("home.active", share=texts.percent(parts[0].share), things=many)
    elif most > max(second, _ENOUGH - 1) and not collection.declared.timed:
        peak = next(year.label for year in years if year.count == most)
        title = texts("home.peak", year=peak, count=most, things=many)
    if not parts:
        return LeadChart(title, years, (), (), ())
    status_of = _status_of(site.tables[collection.name])

    def by_status(name: str, value: str) -> Counter[str]:
        positions = site.tables[collection.name].members.get(Facet(name, value), ())
        return Counter(map(status_of.__getitem__, positions))

    by_year = {year.value: by_status("year", year.value) for year in years}
    layers = [
        charts.Layer(part, {year: counts[part.row.value] for year, counts in by_year.items()})
        for part in parts
    ]
    return LeadChart(title, years, parts, layers, _cohorts(site, by_status))


def _statuses(lead: CountedCollection) -> list[charts.BarPart]:
    """The statuses of the records, if some but not all are active; none if the records are few."""
    known = lead.site.counts(lead.collection.name).values.get("status", {})
    if not lead.collection.declared.counted or sum(known.values()) < _ENOUGH:
        return []
    parts = cohorts.parts(lead.site, known)
    return parts if 0 < parts[0].share < _ALL else []


def _status_of(table: Table) -> dict[int, str]:
    """The status of each record by its position."""
    return {
        position: facet.value
        for facet, positions in table.members.items()
        if facet.filter == "status"
        for position in positions
    }


def _cohorts(
    site: Site, by_status: Callable[[str, str], Mapping[str, int]]
) -> list[tuple[cohorts.CohortLink, cohorts.Statuses]]:
    """The two latest cohorts whose projects do not nearly all have the same status."""
    name = site.grammar.kinds.kind_of.get(site.grammar.kinds.series, "")

    def is_mixed(cohort: cohorts.CohortLink) -> bool:
        counts = by_status(name, cohort.slug).values()
        return 100 * max(counts, default=0) < UNIFORM * sum(counts)

    return [
        (cohort, cohorts.statuses_of(site, by_status(name, cohort.slug)))
        for cohort in cohorts.latest(site, is_mixed)
    ]


def first(lead: CountedCollection, is_beside: bool) -> First | None:
    """The records to begin with: all if they are few, else those added last, else those with the
    most of what lists are sorted by, such as the latest years; twice as many if nothing `is_beside`
    them.  None of dates, which come in time.
    """
    site, collection = lead.site, lead.collection
    if not lead.total or collection.declared.timed:
        return None
    table, texts = site.tables[collection.name], site.theme.texts
    if lead.total < MANY:
        shown = _rows(site, table, range(lead.total))
        beside = ROWS if is_beside else MANY
        return First(collection.label, shown[:beside], shown[beside:])
    title, sort, positions = texts("home.added", things=collection.many), "", _added(site, table)
    if not positions:
        sort = next(filter(partial(_tells, table), sorts_with_records(collection, site.fit())), "")
        title = lists.sort_label(site, collection, sort) if sort else collection.label
        if sort == "-year":
            title = texts("home.newest", things=collection.many)
        positions = table.orders[sort or collection.sorts[0]]
    shown = _rows(site, table, positions[: ROWS if is_beside else 2 * ROWS])
    return First(title, shown, [], paths.list_page(Slice(collection, sort=sort)))


def _tells(table: Table, sort: str) -> bool:
    """Whether a list can begin with the records that have the most of a number."""
    of = table.collection
    if sort[0] != "-" or sort not in of.prepared_sorts:
        return False
    return bool(table.numbers[table.orders[sort][0]][of.numbers.index(sort[1:])])


def _added(site: Site, table: Table) -> Sequence[int]:
    """The positions of the records that were added last, if the history has more than their first
    import.
    """
    changes = site.kept_document(CHANGES)["data"]
    added = [c for c in changes if c["change"] == "added" and c["href"]]
    if len({c["at"] for c in added}) < 2:
        return []
    slugs = [c["slug"] for c in added if c["collection"] == table.collection.name]
    position_of = {slug: position for position, slug in enumerate(table.slugs)}
    return [position_of[slug] for slug in slugs if slug in position_of]


def _rows(site: Site, table: Table, positions: Iterable[int]) -> list[ListRow]:
    row = lists.row_renderer(site, table.collection).row
    return [row(orjson.loads(table.summaries[position])) for position in positions]
