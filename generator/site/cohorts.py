"""The cohorts of a program: in order, and as a table with the statuses of the projects of each.
Its dates in order: a timeline for each round of its editions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import orjson

from generator.model.timelines import TimelineStep, editions, step_of
from generator.site import charts, labels, lists
from generator.site.page_context import Site

Summary = dict[str, Any]

#: The most cohorts on a page.
MAX_ROWS = 400


class CohortLink(NamedTuple):
    """A cohort by its slug and name, with the number of its projects and the path of its page."""

    slug: str
    name: str
    total: int
    path: str


def of_program(site: Site, program: str) -> list[CohortLink]:
    """The cohorts of a program, newest first."""
    return site.memo.get_or_make(("cohorts", program), _of_program, site, program)


def _of_program(site: Site, program: str) -> list[CohortLink]:
    rows = map(orjson.loads, site.cohorts(program))
    page, counted = site.grammar.series.record_page, site.grammar.kinds.counted
    return [
        CohortLink(row["slug"], row["name"], row.get(counted, 0), page(row["slug"])) for row in rows
    ]


def siblings(site: Site, record: Mapping[str, Any]) -> list[CohortLink]:
    """The cohorts of the program of a cohort, newest first; none if the record is no cohort."""
    is_cohort = record["kind"] == "cohort" and record["parent"] is not None
    return of_program(site, record["parent"]["slug"]) if is_cohort else []


def around(series: Sequence[CohortLink], slug: str) -> tuple[CohortLink | None, CohortLink | None]:
    """The previous and the next cohort of a series, which is newest first."""
    place = next((n for n, one in enumerate(series) if one.slug == slug), None)
    if place is None:
        return None, None
    return (
        series[place + 1] if place + 1 < len(series) else None,
        series[place - 1] if place else None,
    )


#: The fewest projects of a cohort to compare: a number, and a share of those of the largest cohort
#: of its program; how many programs are looked at.
_LEAST, _LEAST_SHARE, _LARGEST = 5, 0.1, 10
#: How many cohorts are compared.
COMPARED = 2


def latest(
    site: Site, is_wanted: Callable[[CohortLink], bool] = lambda cohort: True
) -> list[CohortLink]:
    """The two latest cohorts of the first program that has two with enough projects."""
    name = site.grammar.kinds.series
    largest = charts.records(site, name, _LARGEST) if name else []
    known = (other for row in largest for other in site.symbols.series[row.value].ancestors)
    for program in dict.fromkeys(known):
        series = of_program(site, program)
        least = max([_LEAST, *(_LEAST_SHARE * one.total for one in series)])
        enough = (one for one in series if one.total >= least and is_wanted(one))
        if len(found := [*islice(enough, COMPARED)]) == COMPARED:
            return found
    return []


class Statuses(NamedTuple):
    """The projects of a program by status: the share of active ones from 0 to 1, and a part of a
    bar for each status in the order of the schema.
    """

    active: float
    parts: list[charts.BarPart]


def statuses(site: Site, record: Mapping[str, Any]) -> Statuses | None:
    """The statuses of the projects of a program; None without projects."""
    if not record.get(site.grammar.kinds.counted):
        return None
    counts = {value["value"]: value["count"] for value in record["breakdown"].get("status", ())}
    return statuses_of(site, counts)


def statuses_of(site: Site, counts: Mapping[str, int]) -> Statuses:
    """Projects by status."""
    found = parts(site, counts)
    return Statuses(found[0].share, found)


def parts(site: Site, counts: Mapping[str, int]) -> list[charts.BarPart]:
    """A part of a bar for each status, in the order of the schema."""
    statuses = site.grammar.counted.declared.fixed_labels["status"]
    values = [{"value": name, "count": counts.get(name, 0)} for name in statuses]
    return charts.parts(charts.rows(site, values, "status"))


class Cohort(NamedTuple):
    """A row of the table: a cohort with its path, and its year or None."""

    name: str
    path: str
    year: int | None
    total: int
    statuses: Statuses | None


class Cohorts(NamedTuple):
    """The cohorts of a program, newest first, and a part of no size for each status."""

    key: list[charts.BarPart]
    rows: list[Cohort]


def table(site: Site, summaries: Sequence[Summary]) -> Cohorts:
    return Cohorts(parts(site, {}), [_cohort(site, row) for row in summaries])


def _cohort(site: Site, summary: Summary) -> Cohort:
    record = site.document(site.grammar.series.record_path(summary["slug"]))["data"]
    return Cohort(
        summary["name"],
        site.grammar.series.record_page(summary["slug"]),
        summary["year"],
        summary[site.grammar.kinds.counted],
        statuses(site, record),
    )


#: The most dates of all timelines of a program.
MAX_DATES = 60


class RoundDates(NamedTuple):
    """The dates of one round, each a summary with its `day`, its `label` and its `state`: `over`,
    `open`, `next` or "".

    `left_out` is the number of dates, of this and later timelines, for which there is no room.
    """

    title: str
    dates: list[Summary]
    left_out: int = 0


def timelines(site: Site, program: str) -> list[RoundDates]:
    """The timelines with several dates of the editions of a program that are not over, else of the
    last edition.
    """
    events, now = _events(site, program)
    if not events:
        return []
    found = editions(filter(None, map(step_of, events.values())), site.symbols.vocabulary("stages"))

    def is_current(edition: Mapping[int, list[TimelineStep]]) -> bool:
        last = max(step for steps in edition.values() for step in steps)
        return bool(events[last.slug]["ends_at"] >= now)

    shown = [
        (number, steps)
        for edition in [*filter(is_current, found)] or found[-1:]
        for number, steps in sorted(edition.items(), key=lambda pair: pair[0] or 99)
        if len(steps) > 1
    ]
    result, room = list[RoundDates](), MAX_DATES
    for number, steps in shown:
        kept = _nearest(steps, events, now, room)
        room -= len(kept)
        if kept:
            result.append(_timeline(site, number, kept, events, now))
    left_out = sum(len(steps) for _, steps in shown) - sum(len(one.dates) for one in result)
    return [*result[:-1], *(last._replace(left_out=left_out) for last in result[-1:])]


def place_in_rounds(site: Site, event: Mapping[str, Any]) -> tuple[int, int] | None:
    """The round of an event, and how many rounds its edition has if it has several."""
    series = site.grammar.kinds.series
    owners = (f for f in site.grammar.timed.declared.owners if f.refers == series and not f.many)
    program = next((owner["slug"] for f in owners if (owner := f.value_in(event))), None)
    if program is None or not event["round"]:
        return None
    for edition in site.memo.get_or_make(("rounds", program), _rounds, site, program):
        if event["slug"] in edition.get(event["round"], ()):
            return (event["round"], max(edition)) if max(edition) > 1 else None
    return None


def _rounds(site: Site, program: str) -> list[dict[int, set[str]]]:
    """The slugs of the dates of each edition of a program, by round."""
    steps = filter(None, map(step_of, _events(site, program)[0].values()))
    found = editions(steps, site.symbols.vocabulary("stages"))
    return [{n: {step.slug for step in of} for n, of in edition.items()} for edition in found]


def next_date(site: Site, program: str) -> Summary | None:
    """The date of a program that ends next, with its `day`, its `label` and its `path`, or None."""
    events, now = _events(site, program)
    ahead = [e for e in events.values() if e["ends_at"] and e["status"] != "cancelled"]
    event = min(
        (e for e in ahead if e["ends_at"] >= now),
        key=lambda e: (e["ends_at"], e["slug"]),
        default=None,
    )
    if event is None:
        return None
    local = event["starts_local"] if event["kind"] == "event" else None
    return _labelled(site, event, (local or event["ends_local"])[:10])


def _events(site: Site, program: str) -> tuple[dict[str, Summary], str]:
    """The dates of a program by slug, and the beginning of the day of the build."""
    found = dict[str, Summary]()
    for part in site.grammar.slices_for_value(site.grammar.series, program):
        if part.collection.declared.timed:
            first = site.document(part.path())
            later = lists.later_rows(site, part, first["page"]["total_pages"])
            found |= {event["slug"]: event for event in (*first["data"], *later)}
    return found, f"{site.as_of}T00:00:00Z"


def _labelled(site: Site, event: Summary, day: str) -> Summary:
    collection = site.grammar.timed
    name, value = ("stage", event["stage"]) if event["stage"] else ("kind", event["kind"])
    return event | {
        "day": day,
        "label": labels.shown_label(site, collection, name, value),
        "path": site.record_page(collection.name, event["slug"]),
    }


def _nearest(
    steps: list[TimelineStep], events: Mapping[str, Summary], now: str, room: int
) -> list[TimelineStep]:
    """At most `room` of the steps, from the first that is not over."""
    ahead = (i for i, step in enumerate(steps) if events[step.slug]["ends_at"] >= now)
    start = min(next(ahead, len(steps)), max(len(steps) - room, 0))
    return steps[start : start + room]


def _timeline(
    site: Site, number: int, steps: list[TimelineStep], events: Mapping[str, Summary], now: str
) -> RoundDates:
    texts = site.theme.texts
    dates: list[Summary] = []
    waiting = True
    for step in steps:
        event = events[step.slug]
        starts, ends = event["starts_at"], event["ends_at"]
        is_open = starts and starts != ends and starts[:10] <= now[:10]
        state = "over" if ends < now else "open" if is_open else ""
        if not state and waiting and event["status"] != "cancelled":
            state, waiting = "next", False
        shown = "" if event["status"] == "cancelled" else state
        dates.append(_labelled(site, event, step.day) | {"state": shown})
    years = "–".join(dict.fromkeys((steps[0].day[:4], steps[-1].day[:4])))
    title = f"{texts('record.in_round', number=number)}, {years}" if number else years
    return RoundDates(title, dates)
