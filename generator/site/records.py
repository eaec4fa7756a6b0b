"""The page of a record, and redirects from former slugs.

A page shows every field of the record's document.  The page of a record that others refer to also
shows some of these, read from the lists of the API.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Collection, Slice
from generator.site import cohorts, labels, markdown, meta, paths, rendering, titles
from generator.site.belongings import belongings, cohort_pages, lists_of, of_summaries
from generator.site.feeds import adding, can_be_added
from generator.site.fields import Record, edits, external_link, facts, tags
from generator.site.page_context import Site
from generator.site.record_line import line
from generator.site.together import together
from generator.text.words import index_words

Summary = dict[str, Any]

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
    cohorts: Sequence[cohorts.CohortLink] = ()


def render(site: Site, name: str, document: Mapping[str, Any]) -> Iterator[Artifact]:
    """The page of a record, and further pages of its cohorts; `name` is its collection."""
    collection, record = site.grammar.collections[name], document["data"]
    path = site.grammar.collections[name].record_page(record["slug"])
    known = facts(site, collection, record)
    checked = known.pop("verified", None)
    belongs = list(belongings(site, collection, record))
    # The cohorts of a program, or else who took part, come before its facts on a phone.
    is_main = (n for n, one in enumerate(belongs, 1) if not one.of.declared.timed)
    leading = next(is_main, 0) if collection.declared.series else 0
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
        subject=Subject(collection, record, series),
        around=cohorts.around(series, record["slug"]),
        statuses=cohorts.statuses(site, record) if kind.series else None,
        line=line(site, collection, record, known),
        facts=known.values(),
        tags=tags(site, collection, record),
        together=together(site, collection, record),
        sources=list(map(external_link, record["sources"])),
        description=_description(record),
        citation=_citation(site, record, document),
        changed=_changed(site, collection, record, document),
        checked=checked,
        belongs=belongs,
        leading=leading,
        feed=feed,
        adding=adding(site, record) if is_addable else None,
        place_in_rounds=cohorts.place_in_rounds(site, record) if kind.timed else None,
        rounds=dates,
        next_date=cohorts.next_date(site, record["slug"]) if kind.series else None,
        dates_path=next((part.path for part in belongs if part.of.declared.timed), ""),
        cohorts_page=partial(paths.cohorts_page, path),
        timeline=_timeline(site, record, programs),
        similar=of_summaries(site, collection, site.similar(name, record["slug"])),
        programs=[
            (title, site.url(paths.list_page(part))) for title, part in programs[:PROGRAMS_SHOWN]
        ],
        edits=edits(site, collection, record),
        scripts=site.memo.get_or_make("record.js", _script, site),
    )
    if kind.series:
        yield from cohort_pages(site, record, about)


def _script(site: Site) -> Markup:
    script: Markup = rendering.template_macros(site, "script").of("record")
    return script


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
    status = labels.shown_label(site, site.grammar.counted, "status", record["status"])
    dated.sort(key=lambda moment: moment.when)  # stable: the beginning is before its programs
    return [*dated, Milestone(texts("record.today"), status)]


def _feed(site: Site, collection: Collection, record: Record) -> tuple[str, str] | None:
    """The path of the calendar feed for a record, and whose dates the feed has.

    For an event that is the first of the records that it refers to, else its kind.
    """
    if not collection.declared.timed:
        parts = lists_of(site, collection, record)
        dated = (part.feed for part in parts if part.filter in part.collection.feeds)
        return next(((feed, record["name"]) for feed in dated), None)
    for f in collection.declared.owners:
        if f.filter in collection.feeds and not f.many and (owner := f.value_in(record)):
            return Slice(collection, f.filter, owner["slug"]).feed, owner["name"]
    label = site.theme.texts(f"calendar.kinds.{record['kind']}")
    return Slice(collection, "kind", record["kind"]).feed, label
