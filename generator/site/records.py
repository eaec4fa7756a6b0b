"""The page of a record, and redirects from former slugs.

A page shows every field of the record's document.  The page of a program or an organization also
shows some of its projects, programs and events, read from the lists of the API.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nlargest
from itertools import islice
from typing import Any, NamedTuple

import orjson
from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Collection, Slice
from generator.grammar.query import capitalized
from generator.kinds.every import REFERRED
from generator.model.tables.programs import beginning
from generator.site import (
    cohorts,
    descriptions,
    labels,
    lists,
    meta,
    paths,
    rendering,
    rounds,
    titles,
)
from generator.site.adding import adding, can_be_added
from generator.site.fields import Record, external_link, facts, tags
from generator.site.page_context import Site
from generator.site.repository import edits
from generator.site.templating import markdown
from generator.text.commonmark import plain_text
from generator.text.words import index_words

Summary = dict[str, Any]

#: The number of records that a page shows of each list.
ROWS_SHOWN = 8
#: The number of a project's programs whose lists are linked below similar projects.
PROGRAMS_SHOWN = 2
#: The statuses that have a badge beside the name of the record, with the tone of the badge.
_BADGES = {
    "acquired": "",
    "public": "",
    "inactive": "quiet",
    "tentative": "warn",
    "extended": "warn",
    "cancelled": "bad",
}


class Subject(NamedTuple):
    """The record of a page, for what features add to it; `cohorts` are those of its program, newest
    first, if it is one of several.
    """

    collection: Collection
    record: Record
    cohorts: Sequence[cohorts.Named] = ()


class OwnedRecords(NamedTuple):
    """Records that belong to a record: some summaries, the total, and the path of their list
    or "".  Cohorts with projects have a table, and many cohorts several pages.
    """

    of: Collection
    title: str
    rows: list[Summary]
    total: int
    path: str = ""
    table: cohorts.Cohorts | None = None
    pages: int = 1


def render(site: Site, name: str, document: Mapping[str, Any]) -> Iterator[Artifact]:
    """The page of a record, and further pages of its cohorts; `name` is its collection."""
    collection, record = site.grammar.collections[name], document["data"]
    path = paths.record_page(name, record["slug"])
    belongs = list(_belongings(site, collection, record)) if name in REFERRED else []
    feed = _feed(site, collection, record, belongs)
    kind = collection.declared
    dates = rounds.timelines(site, record["slug"]) if kind.series else []
    series = cohorts.siblings(site, record) if kind.series else ()
    about = _about(site, collection, record, path, feed, dates)
    is_addable = kind.timed and feed and can_be_added(record, site.as_of.isoformat())
    yield rendering.render_page(
        site,
        path,
        "record/page",
        about=about,
        of=collection,
        record=record,
        kicker=_kicker(site, collection, record),
        subject=Subject(collection, record, series),
        around=cohorts.around(series, record["slug"]),
        statuses=cohorts.statuses(site, record) if kind.series else None,
        badge=_badge(site, collection, record),
        facts=facts(site, collection, record),
        tags=tags(site, collection, record),
        sources=list(map(external_link, record["sources"])),
        description=_description(record),
        citation=_citation(site, record, document),
        changed=_changed(site, collection, record, document),
        belongs=belongs,
        feed=feed,
        adding=adding(site, record, feed) if is_addable and feed else None,
        rounds=dates,
        next_date=rounds.next_date(site, record["slug"]) if kind.series else None,
        dates_path=paths.list_page(Slice(site.grammar.events, "program", record["slug"])),
        cohorts_page=partial(paths.cohorts_page, record["slug"]),
        timeline=_timeline(site, record) if "programs" in kind.references else [],
        similar=[
            site.memo.get_or_make(("tile", name, summary), _tile, site, name, summary)
            for summary in site.similar(name, record["slug"])
        ],
        programs=_program_lists(site, record) if "programs" in kind.references else [],
        edits=edits(site, collection, record),
    )
    if kind.series:
        yield from _cohort_pages(site, record, about)


def render_redirect(site: Site, path: str, target: str) -> Artifact:
    """A page at `path` that redirects to `target`."""
    title = f"{path} – {site.theme.texts('record.moved')}"
    return rendering.render_page(site, path, "moved", now=target, title=title)


def _about(
    site: Site,
    collection: Collection,
    record: Record,
    path: str,
    feed: tuple[str, str] | None,
    dates: Iterable[rounds.RoundDates],
) -> meta.About:
    t = site.theme.texts
    twins = [meta.Twin("application/json", record["href"], t("record.json"))]
    if feed is not None:
        twins.append(meta.Twin("text/calendar", site.url(feed[0]), t("record.feed", name=feed[1])))
    if collection.declared.timed:
        thing = meta.date_object(site, record, path)
    else:
        thing = meta.organization_object(site, collection.declared, record, path)
        ahead = [
            date
            for round_ in dates
            for date in round_.dates
            if date["kind"] == "event" and date["state"] != "over"
        ]
        if ahead:
            nobody = {"description": None, "organization": None, "program": None}
            thing["event"] = [
                meta.event_object(
                    site,
                    date | nobody | {"locations": meta.places_of_event(date, record)},
                    date["path"] or path,
                )
                for date in ahead
            ]
    return meta.About(
        titles.record_title(site, collection, record),
        descriptions.of_record(site, collection, record),
        trail=(
            meta.home_breadcrumb(site),
            meta.Breadcrumb(collection.label, f"{paths.ROOTS[collection.name]}/"),
        ),
        twins=tuple(twins),
        things=(thing,),
    )


def _description(record: Record) -> Markup:
    """The description as HTML; empty if it says no more than the summary."""
    text = record["description"] or ""
    if set(index_words(plain_text(text))) <= set(index_words(record["summary"] or "")):
        return Markup()
    return markdown.description_html(text)


def _citation(site: Site, record: Record, document: Mapping[str, Any]) -> str:
    """How to cite a record, without its address: its name, the registry, and the day of its last
    change or check, if known.  The day of the build would change every page every day.
    """
    texts, name = site.theme.texts, record["name"]
    day = (document.get("meta", {}).get("updated_at") or record.get("verified") or "")[:10]
    if not day:
        return texts("record.citation", name=name, registry=site.settings.name)
    when = labels.day(site, day)
    return texts("record.citation_of", name=name, registry=site.settings.name, date=when)


def _changed(
    site: Site, collection: Collection, record: Record, document: Mapping[str, Any]
) -> str:
    """The day of the last change of a record as YYYY-MM-DD, or "" if the history is not known."""
    changed = document.get("meta", {}).get("updated_at")
    if changed is None and collection.declared.timed:
        changed = site.modified(record["slug"])
    return (changed or "")[:10]


def _kicker(site: Site, collection: Collection, record: Record) -> str:
    """The word above the name: the kind of a program or event, else the collection's noun."""
    if "kind" in collection.declared.fields:
        return labels.value_label(site, collection, "kind", record["kind"])
    return capitalized(collection.one)


def _badge(site: Site, collection: Collection, record: Record) -> tuple[str, str] | None:
    """The badge beside the name, as (label, tone)."""
    status = record.get("status")
    if status not in _BADGES:
        return None
    return labels.value_label(site, collection, "status", status), _BADGES[status]


class Milestone(NamedTuple):
    """A point in the life of a project: the year or "", the words, and a link or ""."""

    when: str
    text: str
    href: str = ""


def _timeline(site: Site, record: Record) -> list[Milestone]:
    """How a project began, its programs with a year, and its status today.

    It is empty if its years are among the facts: that of the beginning, and of a program with its
    year in its name.
    """
    texts = site.theme.texts
    dated = []
    for program in record["programs"]:
        target = site.symbols.targets("programs").get(program["slug"])
        if target is not None and target.year is not None:
            url = site.url(paths.record_page("programs", program["slug"]))
            dated.append(Milestone(str(target.year), program["name"], url))
    if len(dated) < 2 and all(moment.when in moment.text for moment in dated):
        return []
    if record["year"] is not None:
        dated.insert(0, Milestone(str(record["year"]), texts("record.began")))
    status = labels.value_label(site, site.grammar.projects, "status", record["status"])
    dated.sort(key=lambda moment: moment.when)  # stable: the beginning is before its programs
    return [*dated, Milestone(texts("record.today"), status)]


def _tile(site: Site, name: str, summary: bytes) -> Markup:
    """The tile of a similar record from its summary, which many pages show."""
    row, macros = orjson.loads(summary), rendering.template_macros(site, "record/tile")
    place = next(iter(row["locations"]), None)
    where = place and (place["city"] or place["region"] or labels.country(site, place["country"]))
    when = row.get("ends_local") or row.get("starts_local") or row.get("year")
    notes = [where, labels.day(site, when[:10]) if isinstance(when, str) else when]
    tile: Markup = macros.tile(row, site.record_page(name, row["slug"]), list(filter(None, notes)))
    return tile


def _program_lists(site: Site, record: Record) -> list[tuple[str, str]]:
    """The names of a project's programs, and the URLs of their lists of projects."""
    projects = site.grammar.projects
    return [
        (program["name"], site.url(paths.list_page(Slice(projects, "program", program["slug"]))))
        for program in record["programs"][:PROGRAMS_SHOWN]
    ]


def _feed(
    site: Site, collection: Collection, record: Record, belongs: list[OwnedRecords]
) -> tuple[str, str] | None:
    """The path of the calendar feed for a record, and whose dates the feed has.

    For an event that is its program, else its organization, else its kind.
    """
    events = site.grammar.events
    if not collection.declared.timed:
        if not any(listed.of is events for listed in belongs):
            return None
        return Slice(events, collection.kind, record["slug"]).feed, record["name"]
    for name in ("program", "organization"):
        if record[name] is not None:
            return Slice(events, name, record[name]["slug"]).feed, record[name]["name"]
    label = labels.value_label(site, collection, "kind", record["kind"])
    return Slice(events, "kind", record["kind"]).feed, label


# --- records that belong to a program or an organization ------------------------------------------


def _belongings(site: Site, collection: Collection, record: Record) -> Iterator[OwnedRecords]:
    """The cohorts or programs, projects and events of a record; events first if one is not over."""
    parts = {
        part.collection.name: part
        for part in site.grammar.slices_for_value(collection, record["slug"])
    }
    order = list(_ROWS) + [name for name in parts if name not in _ROWS]
    if "events" in parts and (dates := _last(site, parts["events"])[0]):
        ends = [row["ends_at"] for row in dates]  # None without an end
        is_over = None not in ends and max(ends) < f"{site.as_of}T00:00:00Z"
        order.remove("events")
        order.insert(len(order) if is_over else 0, "events")
    for name in order:
        part, rows_of = parts.get(name), _ROWS.get(name, _first)
        if name == collection.name and collection.declared.series:
            yield from islice(_cohorts_by_page(site, record), 1)
        if part is not None:
            rows, total = rows_of(site, part)
            if total:
                label = part.collection.label
                yield OwnedRecords(part.collection, label, rows, total, paths.list_page(part))


def _cohorts_by_page(site: Site, program: Record) -> Iterator[OwnedRecords]:
    """The programs whose parent is `program`, newest first, page by page."""
    rows = list(map(orjson.loads, site.cohorts(program["slug"])))
    pages, title = -(-len(rows) // cohorts.MAX_ROWS), site.theme.texts("record.cohorts")
    have_projects = any(row["projects"] for row in rows)
    for start in range(0, len(rows), cohorts.MAX_ROWS):
        some = rows[start : start + cohorts.MAX_ROWS]
        table = cohorts.table(site, some) if have_projects else None
        yield OwnedRecords(site.grammar.programs, title, some, len(rows), table=table, pages=pages)


def _cohort_pages(site: Site, program: Record, about: meta.About) -> Iterator[Artifact]:
    """The pages of the cohorts of a program after the first, which is on the program's own page."""
    pages, texts = _cohorts_by_page(site, program), site.theme.texts
    for number, listed in islice(enumerate(pages, 1), 1, None):
        title = f"{listed.title} – {texts('list.page', number=number)}"
        path = paths.record_page("programs", program["slug"])
        trail = (*about.trail, meta.Breadcrumb(program["name"], path))
        yield rendering.render_page(
            site,
            paths.cohorts_page(program["slug"], number),
            "record/cohorts",
            about=meta.About(
                f"{title} – {about.title}",
                descriptions.of_list(
                    site, about.title, listed.total, [row["name"] for row in listed.rows]
                ),
                trail=trail,
            ),
            heading=title,
            listed=listed,
            number=number,
            cohorts_page=partial(paths.cohorts_page, program["slug"]),
        )


def _programs(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The programs of a list, those without a parent first, then newest first."""
    first = site.document(part.path())
    rows = [*first["data"], *lists.later_rows(site, part, first["page"]["total_pages"])]
    rows.sort(key=beginning, reverse=True)
    rows.sort(key=lambda row: row["parent"] is not None)
    return rows[:ROWS_SHOWN], len(rows)


def _first(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The first records of a list, and its length."""
    first = site.document(part.path())
    return first["data"][:ROWS_SHOWN], first["page"]["total_items"]


def _newest(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The newest records of a list by their year, and its length."""
    table = site.tables[part.collection.name]
    positions, column = table.positions(part), part.collection.numbers.index("year")
    newest = nlargest(ROWS_SHOWN, positions, key=lambda n: table.numbers[n][column] or 0)
    return [orjson.loads(table.summaries[n]) for n in newest], len(positions)


def _last(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The last records of a list in reverse order, and its length."""
    first = site.document(part.path())
    rows, last = first["data"], first["page"]["total_pages"]
    if last > 1:  # the last page may have only a few records
        rows = [row for n in (last - 1, last) for row in site.document(part.path(n))["data"]]
    return rows[: -ROWS_SHOWN - 1 : -1], first["page"]["total_items"]


#: Collection -> which of its records a page shows of those that belong to a record.
_ROWS = {"events": _last, "programs": _programs, "projects": _newest}
