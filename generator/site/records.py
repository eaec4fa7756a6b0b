"""The page of a record, and redirects from former slugs.

A page shows every field of the record's document.  The page of a record that others refer to also
shows some of these, read from the lists of the API.
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
from generator.kinds.declare import Field
from generator.model.tables.programs import beginning
from generator.site import cohorts, labels, lists, markdown, meta, paths, rendering, titles
from generator.site.feeds import adding, can_be_added
from generator.site.fields import Record, edits, external_link, facts, tags
from generator.site.page_context import Site
from generator.site.together import together
from generator.text.words import index_words

Summary = dict[str, Any]

#: The number of records that a page shows of each list.
ROWS_SHOWN = 8
#: The same of those that refer to it by a relation that the registry declares.
RELATED_SHOWN = 10
#: The number of a project's programs whose lists are linked below similar projects.
PROGRAMS_SHOWN = 2
#: The characters at the end of a description whose words are looked at first.
_END = 100


class Subject(NamedTuple):
    """The record of a page, for what features add to it; `cohorts` are those of its program, newest
    first, if it is one of several.
    """

    collection: Collection
    record: Record
    cohorts: Sequence[cohorts.Named] = ()


class OwnedRecords(NamedTuple):
    """Records that refer to a record: some summaries, the total, and the path of their list
    or "".  Cohorts with projects have a table, and many cohorts several pages; `entries` has the
    rows of lists as HTML instead of summaries.
    """

    of: Collection
    title: str
    rows: list[Summary]
    total: int
    path: str = ""
    table: cohorts.Cohorts | None = None
    pages: int = 1
    entries: Markup = Markup()


def render(site: Site, name: str, document: Mapping[str, Any]) -> Iterator[Artifact]:
    """The page of a record, and further pages of its cohorts; `name` is its collection."""
    collection, record = site.grammar.collections[name], document["data"]
    path = site.grammar.collections[name].record_page(record["slug"])
    belongs = list(_belongings(site, collection, record))
    feed = _feed(site, collection, record)
    kind = collection.declared
    dates = cohorts.timelines(site, record["slug"]) if kind.series else []
    series = cohorts.siblings(site, record) if kind.series else ()
    programs = list(_programs_of(collection, site.grammar.kinds.series, record))
    about = _about(site, collection, record, path, feed, dates)
    is_addable = kind.timed and can_be_added(record, site.as_of.isoformat())
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
        together=together(site, collection, record),
        sources=list(map(external_link, record["sources"])),
        description=_description(record),
        citation=_citation(site, record, document),
        changed=_changed(site, collection, record, document),
        belongs=belongs,
        feed=feed,
        adding=adding(site, record) if is_addable else None,
        place_in_rounds=cohorts.place_in_rounds(site, record) if kind.timed else None,
        rounds=dates,
        next_date=cohorts.next_date(site, record["slug"]) if kind.series else None,
        dates_path=next((part.path for part in belongs if part.of.declared.timed), ""),
        cohorts_page=partial(paths.cohorts_page, path),
        timeline=_timeline(site, record, programs),
        similar=[
            site.memo.get_or_make(("tile", name, summary), _tile, site, name, summary)
            for summary in site.similar(name, record["slug"])
        ],
        programs=[
            (title, site.url(paths.list_page(part))) for title, part in programs[:PROGRAMS_SHOWN]
        ],
        edits=edits(site, collection, record),
    )
    if kind.series:
        yield from _cohort_pages(site, record, about)


def render_redirect(site: Site, path: str, target: str) -> Artifact:
    title = f"{path} – {site.theme.texts('record.moved')}"
    return rendering.render_page(site, path, "moved", now=target, title=title)


def _about(
    site: Site,
    collection: Collection,
    record: Record,
    path: str,
    feed: tuple[str, str] | None,
    dates: Iterable[cohorts.RoundDates],
) -> meta.About:
    t = site.theme.texts
    twins = [meta.Twin("application/json", record["href"], t("record.json"))]
    if feed is not None:
        twins.append(meta.Twin("text/calendar", site.url(feed[0]), t("record.feed", name=feed[1])))
    if collection.declared.timed:
        thing = meta.date_object(site, record, path)
    else:
        thing = meta.record_object(site, collection.declared, record, path)
        ahead = [
            date
            for round_ in dates
            for date in round_.dates
            if date["kind"] == "event" and date["state"] != "over"
        ]
        if ahead:
            nobody = dict.fromkeys(("description", *site.grammar.timed.declared.references))
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
        titles.of_record(site, collection, record),
        trail=(
            meta.home_breadcrumb(site),
            meta.Breadcrumb(collection.label, f"{collection.pages}/"),
        ),
        twins=tuple(twins),
        things=(thing,),
    )


def _description(record: Record) -> Markup:
    """The description as HTML; empty if it says no more than the summary."""
    text = record["description"] or ""
    tokens = markdown.parse(text)
    if not _says_more(markdown.plain_words(text, tokens), record["summary"] or ""):
        return Markup()
    return markdown.description_html(text, tokens)


def _says_more(text: str, summary: str) -> bool:
    """Whether a text has words that its summary has not; most have one at their end."""
    known = {*index_words(summary)}
    end = text[-_END:].partition(" ")[2]
    return not (known.issuperset(index_words(end)) and known.issuperset(index_words(text)))


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
    if collection.declared.is_own:
        badge = lists.row_renderer(site, collection).badge(record)
        return badge if badge[0] else None
    status = record.get("status")
    tone = collection.declared.tones.get(status or "", "usual")
    if not status or "usual" in tone:
        return None
    return labels.value_label(site, collection, "status", status), tone


def _programs_of(
    collection: Collection, series: str, record: Record
) -> Iterator[tuple[str, Slice]]:
    """The names of a project's programs, and their lists of projects."""
    for f in collection.declared.owners if collection.declared.counted else ():
        if f.refers == series and f.many and f.filter:
            for program in f.values_in(record):
                yield program["name"], Slice(collection, f.filter, program["slug"])


class Milestone(NamedTuple):
    """A point in the life of a project: the year or "", the words, and a link or ""."""

    when: str
    text: str
    href: str = ""


def _timeline(site: Site, record: Record, programs: Iterable[tuple[str, Slice]]) -> list[Milestone]:
    """How a project began, its programs with a year, and its status today.

    It is empty if its years are among the facts: that of the beginning, and of a program with its
    year in its name.
    """
    texts = site.theme.texts
    dated = []
    for name, part in programs:
        slug = part.value or ""
        target = site.symbols.targets(part.refers).get(slug)
        if target is not None and target.year is not None:
            url = site.url(site.grammar.series.record_page(slug))
            dated.append(Milestone(str(target.year), name, url))
    if len(dated) < 2 and all(moment.when in moment.text for moment in dated):
        return []
    if record.get("year") is not None:
        counted = site.grammar.counted.declared
        began = site.settings.label(counted, "year") or texts("record.began")
        dated.insert(0, Milestone(str(record["year"]), began))
    status = labels.value_label(site, site.grammar.counted, "status", record["status"])
    dated.sort(key=lambda moment: moment.when)  # stable: the beginning is before its programs
    return [*dated, Milestone(texts("record.today"), status)]


def _tile(site: Site, name: str, summary: bytes) -> Markup:
    """The tile of a similar record from its summary, which many pages show."""
    row, macros = orjson.loads(summary), rendering.template_macros(site, "record/tile")
    place = next(iter(row.get("locations", ())), None)
    where = place and (place["city"] or place["region"] or labels.country(site, place["country"]))
    when = row.get("ends_local") or row.get("starts_local") or row.get("year")
    notes = [where, labels.day(site, when[:10]) if isinstance(when, str) else when]
    tile: Markup = macros.tile(row, site.record_page(name, row["slug"]), list(filter(None, notes)))
    return tile


def _feed(site: Site, collection: Collection, record: Record) -> tuple[str, str] | None:
    """The path of the calendar feed for a record, and whose dates the feed has.

    For an event that is the first of the records that it refers to, else its kind.
    """
    if not collection.declared.timed:
        parts = _lists_of(site, collection, record)
        dated = (part.feed for part in parts if part.filter in part.collection.feeds)
        return next(((feed, record["name"]) for feed in dated), None)
    for f in collection.declared.owners:
        if f.filter in collection.feeds and not f.many and (owner := f.value_in(record)):
            return Slice(collection, f.filter, owner["slug"]).feed, owner["name"]
    label = site.theme.texts(f"calendar.kinds.{record['kind']}")
    return Slice(collection, "kind", record["kind"]).feed, label


# --- records that refer to a record ---------------------------------------------------------------


def _lists_of(site: Site, collection: Collection, record: Record) -> Iterator[Slice]:
    """The lists of the records that refer to a record, if they have any."""
    for part in site.grammar.slices_for_value(collection, record["slug"]):
        if len(site.tables[part.collection.name].positions(part)):
            yield part


def _belongings(site: Site, collection: Collection, record: Record) -> Iterator[OwnedRecords]:
    """The events, cohorts or programs, projects and others of a record; events last if all are
    over.
    """
    kinds, parts = site.grammar.kinds, dict[str, list[Slice]]()
    for part in _lists_of(site, collection, record):
        parts.setdefault(part.collection.name, []).append(part)
    dated = {part: _last(site, part) for part in parts.get(kinds.timed, ())}
    ends = [row["ends_at"] for rows, _ in dated.values() for row in rows]  # None without an end
    is_over = ends and None not in ends and max(ends) < f"{site.as_of}T00:00:00Z"
    others = (n for n in (kinds.series, kinds.counted, *kinds) if n != kinds.timed)
    for name in dict.fromkeys((*others, kinds.timed) if is_over else (kinds.timed, *others)):
        if name == collection.name and collection.declared.series:
            yield from islice(_cohorts_by_page(site, record), 1)
        for part in parts.get(name, ()):
            kind, relation = part.collection.declared, _relation(part)
            if relation and not kind.timed:
                yield _related(site, part, relation)
                continue
            rows_of = _programs if kind.series else _newest
            rows, total = dated[part] if kind.timed else rows_of(site, part)
            label = part.collection.label
            if part.filter != collection.kind:
                label += f" ({labels.filter_label(site, part.collection, str(part.filter))})"
            yield OwnedRecords(part.collection, label, rows, total, paths.list_page(part))


def _relation(part: Slice) -> Field | None:
    """The relation of registry.yaml that a list is of."""
    return next((f for f in part.collection.declared.own if f.filter == part.filter), None)


def _related(site: Site, part: Slice, relation: Field) -> OwnedRecords:
    """The first records that refer to a record by a relation, under the label of its other side."""
    of, table = part.collection, site.tables[part.collection.name]
    positions, title = table.positions(part), labels.reverse_label(site, relation, of)
    encoded = [table.summaries[position] for position in positions[:RELATED_SHOWN]]
    entries = b"".join(lists.row_renderer(site, of).html.all(encoded)).decode()
    path = paths.list_page(part)
    return OwnedRecords(of, title, [], len(positions), path, entries=Markup(entries))


def _cohorts_by_page(site: Site, program: Record) -> Iterator[OwnedRecords]:
    """The programs whose parent is `program`, newest first, page by page."""
    rows = list(map(orjson.loads, site.cohorts(program["slug"])))
    pages, title = -(-len(rows) // cohorts.MAX_ROWS), site.theme.texts("record.cohorts")
    have_projects = any(row.get(site.grammar.kinds.counted) for row in rows)
    for start in range(0, len(rows), cohorts.MAX_ROWS):
        some = rows[start : start + cohorts.MAX_ROWS]
        table = cohorts.table(site, some) if have_projects else None
        yield OwnedRecords(site.grammar.series, title, some, len(rows), table=table, pages=pages)


def _cohort_pages(site: Site, program: Record, about: meta.About) -> Iterator[Artifact]:
    """The pages of the cohorts of a program after the first, which is on the program's own page."""
    pages, texts = _cohorts_by_page(site, program), site.theme.texts
    for number, listed in islice(enumerate(pages, 1), 1, None):
        title = f"{listed.title} – {texts('list.page', number=number)}"
        path = site.grammar.series.record_page(program["slug"])
        trail = (*about.trail, meta.Breadcrumb(program["name"], path))
        yield rendering.render_page(
            site,
            paths.cohorts_page(path, number),
            "record/cohorts",
            about=meta.About(
                f"{title} – {about.title}",
                titles.of_list(
                    site, about.title, listed.total, [row["name"] for row in listed.rows]
                ),
                trail=trail,
            ),
            heading=title,
            listed=listed,
            number=number,
            cohorts_page=partial(paths.cohorts_page, path),
        )


def _programs(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The programs of a list, those without a parent first, then newest first."""
    first = site.document(part.path())
    rows = [*first["data"], *lists.later_rows(site, part, first["page"]["total_pages"])]
    rows.sort(key=beginning, reverse=True)
    rows.sort(key=lambda row: row["parent"] is not None)
    return rows[:ROWS_SHOWN], len(rows)


def _newest(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The newest records of a list by their year, else its first, and its length."""
    table, names = site.tables[part.collection.name], part.collection.numbers
    shown = positions = table.positions(part)
    if "year" in names:
        column = names.index("year")
        shown = nlargest(ROWS_SHOWN, positions, key=lambda n: table.numbers[n][column] or 0)
    return [orjson.loads(table.summaries[n]) for n in shown[:ROWS_SHOWN]], len(positions)


def _last(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The last records of a list in reverse order, and its length."""
    first = site.document(part.path())
    rows, last = first["data"], first["page"]["total_pages"]
    if last > 1:  # the last page may have only a few records
        rows = [row for n in (last - 1, last) for row in site.document(part.path(n))["data"]]
    return rows[: -ROWS_SHOWN - 1 : -1], first["page"]["total_items"]
