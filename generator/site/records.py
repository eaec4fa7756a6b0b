"""The page of a record, and what stands where a record or a list of a former slug was.

A page shows every field of the record's document.  That of a program or an organization also shows
the first of its projects and programs and the last of its dates, of the pages of the API that list
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Collection, Slice
from generator.grammar.query import begun
from generator.site import labels, lists, meta, paths, rendering
from generator.site.fields import Record, elsewhere, facts, kept, tags
from generator.site.page_context import Neighbours, Site
from generator.site.repository import edits

#: Records of a list that the page of a program or of an organization shows.
SHOWN = 8
#: Statuses that stand beside the name of a record, each with the tone of its badge.
_TOLD = {
    "acquired": "",
    "public": "",
    "inactive": "quiet",
    "tentative": "warn",
    "extended": "warn",
    "cancelled": "bad",
}


#: Collections whose records are values of filters: others belong to them.
_OWNERS = ("programs", "organizations")


class Listed(NamedTuple):
    """Records that belong to one: some of their summaries, how many they are, and the path of the
    page that lists them, "" where there is none.
    """

    of: Collection
    title: str
    rows: list[dict[str, Any]]
    total: int
    path: str = ""


def render(site: Site, collection: str, document: Mapping[str, Any]) -> Artifact:
    """The page of a record, of its document."""
    of, record = site.grammar.collections[collection], document["data"]
    path = paths.record_page(collection, record["slug"])
    belongs = list(_belongs(site, of, record)) if of.name in _OWNERS else []
    feed = _feed(site, of, record, belongs)
    before, after = _neighbours(site, of, record)
    return rendering.page(
        site,
        path,
        "record/page",
        about=_about(site, of, record, path, feed),
        of=of,
        record=record,
        kicker=_kicker(site, of, record),
        badge=_badge(site, of, record),
        facts=facts(site, of, record),
        tags=tags(site, of, record),
        kept=kept,
        sources=list(map(elsewhere, record["sources"])),
        paragraphs=_paragraphs(record["description"]),
        belongs=belongs,
        feed=feed,
        before=before,
        after=after,
        edits=edits(site, of, record),
    )


def moved(site: Site, path: str, now: str) -> Artifact:
    """The page at `path`, which leads to that at `now`."""
    return rendering.page(site, path, "moved", now=now)


def _about(
    site: Site, of: Collection, record: Record, path: str, feed: tuple[str, str] | None
) -> meta.About:
    t = site.theme.texts
    twins = [meta.Twin("application/json", record["href"], t("record.json"))]
    if feed is not None:
        twins.append(meta.Twin("text/calendar", site.url(feed[0]), t("record.feed", name=feed[1])))
    if of is site.grammar.events:
        thing = meta.event(site, record, path)
    else:
        thing = meta.organization(site, of.name, record, path)
    return meta.About(
        record["name"],
        meta.clipped(record["summary"] or record["description"] or ""),
        trail=((site.settings.name, paths.HOME), (of.label, f"{paths.ROOTS[of.name]}/")),
        twins=tuple(twins),
        things=(thing,),
    )


def _kicker(site: Site, of: Collection, record: Record) -> str:
    """What sort of record it is: the noun of its collection, or a nearer one."""
    if of.name in ("programs", "events"):
        return labels.value_label(site, of, "kind", record["kind"])
    return begun(of.one)


def _badge(site: Site, of: Collection, record: Record) -> tuple[str, str] | None:
    """A status that has to be told at once, with its tone."""
    status = record.get("status")
    if status not in _TOLD:
        return None
    return labels.value_label(site, of, "status", status), _TOLD[status]


def _neighbours(site: Site, of: Collection, record: Record) -> Neighbours:
    """The projects beside one, in the first program that it names."""
    if of is not site.grammar.projects or not record["programs"]:
        return None, None
    return site.neighbours(record["slug"], record["programs"][0]["slug"])


def _paragraphs(text: str | None) -> list[str]:
    """A text's paragraphs, which blank lines part."""
    return [part.strip() for part in text.split("\n\n") if part.strip()] if text else []


def _feed(
    site: Site, of: Collection, record: Record, belongs: list[Listed]
) -> tuple[str, str] | None:
    """The path of the feed that the dates of a record are in, and whose dates it has; of an event
    the nearest.
    """
    events = site.grammar.events
    if of is not events:
        has_dates = any(one.of is events for one in belongs)
        return (Slice(events, of.kind, record["slug"]).feed, record["name"]) if has_dates else None
    for name in ("program", "organization"):
        if record[name] is not None:
            return Slice(events, name, record[name]["slug"]).feed, record[name]["name"]
    label = labels.value_label(site, of, "kind", record["kind"])
    return Slice(events, "kind", record["kind"]).feed, label


# --- what belongs to a program or an organization -------------------------------------------------


def _belongs(site: Site, of: Collection, record: Record) -> Iterator[Listed]:
    """What belongs to a record: dates, cohorts or programs, projects."""
    parts = {part.collection.name: part for part in site.grammar.lists_of(of, record["slug"])}
    for name, some in (("events", _last), ("programs", _programs), ("projects", _first)):
        part = parts.get(name)
        if name == "programs" and of is site.grammar.programs:
            yield from _cohorts(site, record)
        if part is not None:
            rows, total = some(site, part)
            if total:
                label = part.collection.label
                yield Listed(part.collection, label, rows, total, paths.list_page(part))


def _cohorts(site: Site, program: Record) -> Iterator[Listed]:
    """The programs below one, the newest first."""
    programs = site.grammar.programs
    part = Slice(programs, "organization", program["organization"]["slug"])
    below = [row for row in _newest(site, part) if row["parent"] == program["slug"]]
    if below:
        yield Listed(programs, site.theme.texts("record.cohorts"), below, len(below))


def _programs(site: Site, part: Slice) -> tuple[list[dict[str, Any]], int]:
    """Programs that belong to no other come first."""
    rows = sorted(_newest(site, part), key=lambda row: row["parent"] is not None)
    return rows[:SHOWN], len(rows)


def _newest(site: Site, part: Slice) -> list[dict[str, Any]]:
    """Every program of a list, the newest first."""
    rows = [row for page in _pages(site, part) for row in _rows(lists.lines(page))]
    return sorted(rows, key=lambda row: (row["year"] or 0, row["starts"] or ""), reverse=True)


def _first(site: Site, part: Slice) -> tuple[list[dict[str, Any]], int]:
    page = site.read(part.path())
    return _rows(lists.lines(page)[:SHOWN]), _page(page)["total_items"]


def _last(site: Site, part: Slice) -> tuple[list[dict[str, Any]], int]:
    """The last of a list come first."""
    page = site.read(part.path())
    known = _page(page)
    lines = lists.lines(page)
    if known["total_pages"] > 1:
        lines = [line for number in (known["total_pages"] - 1, known["total_pages"])
                 for line in lists.lines(site.read(part.path(number)))]  # fmt: skip
    return _rows(lines[: -SHOWN - 1 : -1]), known["total_items"]


def _pages(site: Site, part: Slice) -> Iterator[bytes]:
    page = site.read(part.path())
    yield page
    for number in range(2, _page(page)["total_pages"] + 1):
        yield site.read(part.path(number))


def _rows(lines: list[bytes]) -> list[dict[str, Any]]:
    return [orjson.loads(line[:-1]) for line in lines]


def _page(page: bytes) -> dict[str, int]:
    shown: dict[str, int] = lists.head(page)["page"]
    return shown
