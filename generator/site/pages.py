"""Which page is rendered from which file of the API.  Files rendered from several: style sheets,
scripts and pictures, the page about the data, 404.html, the feed of upcoming dates, the values of
the search box, the first rows of frequent words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any, NamedTuple
from zlib import crc32

import orjson

from generator.contract.artifact import Artifact
from generator.contract.listing import ROW_SEPARATOR, total_pages
from generator.contract.vevents import UNKNOWN
from generator.feature import parts
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.paths import CHANGES, COVERAGE, NOT_FOUND
from generator.grammar.refusals import QueryError
from generator.search.frequent import first_rows
from generator.site import (
    calendar,
    feeds,
    finder,
    home,
    lists,
    meta,
    months,
    paths,
    records,
    rendering,
    years,
)
from generator.site.meta import About
from generator.site.page_context import Site, sorts_with_records


class View(NamedTuple):
    """One page of the site, or several that are rendered together; their addresses begin with one
    of `addresses`.
    """

    name: str
    render: Callable[[Site], Iterator[Artifact]]
    addresses: tuple[str, ...]


def render_assets(site: Site) -> Iterator[Artifact]:
    """Style sheets, scripts, pictures and the file of the search box, at paths with a digest."""
    yield from site.theme.assets.values()
    yield finder.artifact(site)


#: The aspects of coverage that the page shows, in this order.
ASPECTS = ("website", "places", "tags", "sources", "text", "year")
#: The number of changes that the page shows.
_CHANGES = 8


def render_data(site: Site) -> Iterator[Artifact]:
    if not site.fit().collections:
        return
    texts, coverage = site.theme.texts, site.document(COVERAGE)
    title, lead = texts("data.title"), texts("data.lead")
    fields = [of["fields"] for of in coverage["data"].values()]
    aspects = [a for a in ASPECTS if any(of.get(a, {}).get("share") for of in fields)]
    yield rendering.render_page(
        site,
        paths.DATA,
        "data",
        about=meta.below_home(site, title, lead),
        title=title,
        lead=lead,
        coverage=coverage,
        aspects=aspects,
        changes=site.kept_document(CHANGES)["data"][:_CHANGES],
    )


def render_missing(site: Site) -> Iterator[Artifact]:
    collections = [site.grammar.collections[name] for name in site.fit().collections]
    yield rendering.render_page(
        site,
        NOT_FOUND,
        "404",
        about=About(site.theme.texts("lost.title"), site.theme.texts("lost.lead"), indexed=False),
        collections=collections,
        told={
            "own": NOT_FOUND,
            "collections": [
                {"root": f"{collection.pages}/", "api": collection.root}
                for collection in collections
            ],
        },
    )


def render_upcoming(site: Site) -> Iterator[Artifact]:
    """The first page of upcoming dates as a feed.

    An entry's `updated` is when its event was last changed, as in the calendar feeds, and never
    later than that of the feed (RFC 4287 4.2.15).  Windows that are always open are no dates.  The
    feed says how many upcoming dates and open windows it leaves out.
    """
    if site.grammar.kinds.timed not in site.fit().collections:
        return
    document = feeds.read_document(site, site.grammar.upcoming.path())
    events = [
        calendar.with_words(site, calendar.with_links(site, event)) for event in document["data"]
    ]
    entries = [
        feeds.FeedEntry(
            f"date {event['slug']}",
            event["name"],
            event["path"],
            site.modified(event["slug"]) or UNKNOWN,
            event,
        )
        for event in events
        if event["ends_at"] or event["starts_at"]
    ]
    page = paths.list_page(site.grammar.upcoming)
    updated = max([f"{document['as_of']}T00:00:00Z", *(entry.updated for entry in entries)])
    left_out = document["page"]["total_items"] - len(entries)
    yield feeds.render_feed(
        site,
        paths.UPCOMING,
        "upcoming-feed",
        page=page,
        updated=updated,
        entries=entries,
        left_out=left_out,
    )


def render_values(site: Site) -> Iterator[Artifact]:
    """The values of filters, which the search box of every page offers."""
    for name in site.fit().collections:
        if not site.grammar.kinds[name].timed:
            yield finder.values(site, site.grammar.collections[name])


def render_words(site: Site) -> Iterator[Artifact]:
    """The first rows of frequent words, which links to a search show before the engine is there: in
    each file by word the document of the list, less what its script does not read.
    """
    size = site.settings.page_size
    for name in site.fit().collections:
        collection = site.grammar.collections[name]
        words, folder = paths.words_ahead(collection, site.counts(name).total)
        if not words:
            continue
        files = [list[bytes]() for _ in range(int(folder.split("/")[-2]))]
        for word, total, rows in first_rows(site.index(name), words):
            page = {"number": 1, "size": size, "count": len(rows), "total_items": total,
                    "total_pages": total_pages(total, size)}  # fmt: skip
            document = b'"%s":{"page":%s,"data":[%s]}'
            data = document % (word.encode(), orjson.dumps(page), ROW_SEPARATOR.join(rows))
            files[crc32(word.encode()) % len(files)].append(data)
        for number, documents in enumerate(files):
            data = b"{%s}\n" % ROW_SEPARATOR.join(documents)
            yield Artifact(f"{folder}{number}.json", data)


VIEWS = (
    View("assets", render_assets, (f"{paths.ASSETS}/",)),
    View("data", render_data, (paths.DATA,)),
    View("home", home.render, home.ADDRESSES),
    View("missing", render_missing, (NOT_FOUND,)),
    View("upcoming", render_upcoming, (paths.UPCOMING,)),
    View("values", render_values, ("{pages}/values.json",)),
    View("words", render_words, ("{pages}/words/",)),
)


_RECORD = re.compile(r"(.+)/slug/([a-z0-9-]+)\.json")


class PageLocation(NamedTuple):
    """The path of a page and what it shows: a record, or a page of a list if `part` is given."""

    path: str
    collection: str
    part: Slice | None = None
    number: int = 1


def may_have_page(path: str) -> bool:
    """Whether a file might have a page, judged by its path alone."""
    return "/slug/" in path or "/page/" in path


def find_page(grammar: Grammar, path: str) -> PageLocation | None:
    """The page of a file of the API, or None if it has no page."""
    if not may_have_page(path):
        return None
    record = _RECORD.fullmatch(path) if "/slug/" in path else None
    if record is not None:
        for name, collection in grammar.collections.items():
            if collection.root == record[1]:
                if not grammar.has_pages(name):
                    return None
                return PageLocation(collection.record_page(record[2]), name)
    try:
        part, number = grammar.parse_path(path)
    except QueryError:
        return None
    if not paths.visited(part):
        return None
    return PageLocation(paths.list_page(part, number), part.collection.name, part, number)


def render(site: Site, path: str) -> Iterator[Artifact]:
    """The pages of a file of the API; none if there is no such file or its list is empty.

    The list of a former slug has pages even if the API has no file for it, because hosts may
    redirect its path by rules.
    """
    page = find_page(site.grammar, path)
    if page is None or not _is_shown(site, page):
        return
    current = _current_slice(site, page.part)
    if page.part is not None and current is None and not page.part.collection.declared.timed:
        yield from lists.render(site, page.part, page.number)
        return
    try:
        raw = site.read(path if current is None else current.path())
    except LookupError:
        return
    if page.part is None:
        document = orjson.loads(raw)
        if document["kind"] == "moved":
            target = site.grammar.collections[page.collection].record_page(
                document["data"]["replaced_by"]
            )
            yield records.render_redirect(site, page.path, target)
        else:
            yield from records.render(site, page.collection, document)
        return
    document = lists.parse_head(raw)
    if current is not None:
        yield from _render_redirect(site, page, current, document)
    elif not _is_empty(page.part, document):
        render_dates = {"month": months.render, "year": years.render}
        render_list = render_dates.get(page.part.filter or "", calendar.render)
        yield from render_list(site, page.part, page.number, document, raw)


def _is_shown(site: Site, page: PageLocation) -> bool:
    """Whether the page is of a collection with records, and in an order that these have."""
    if page.collection not in site.fit().collections:
        return False
    collection = site.grammar.collections[page.collection]
    return page.part is None or page.part.order in sorts_with_records(collection, site.fit())


def _current_slice(site: Site, part: Slice | None) -> Slice | None:
    """The slice of the current slug, if `part` is the slice of a former slug."""
    if part is None or not part.refers:
        return None
    slug = site.symbols.current_slugs.get(part.refers, {}).get(part.value or "")
    return Slice(part.collection, part.filter, slug) if slug is not None else None


def _render_redirect(
    site: Site, page: PageLocation, current: Slice, document: Mapping[str, Any]
) -> Iterator[Artifact]:
    """A redirect from a former slug's list to the current list, or to the record if that is empty.

    `document` is the head of the current list's first page.
    """
    if page.number > document["page"]["total_pages"]:
        return
    target = paths.list_page(current, page.number)
    if _is_empty(current, document):
        target = site.grammar.collections[current.refers].record_page(current.value or "")
    yield records.render_redirect(site, page.path, target)


def _is_empty(part: Slice, document: Mapping[str, Any]) -> bool:
    """Whether a list has no page because its value has no records; whole lists always have one."""
    is_whole = part.filter is None or part.filter in part.collection.virtual
    return not is_whole and not document["page"]["total_items"]


def load_views(left_out: Container[str] = ()) -> dict[str, View]:
    """All views by name.  The module of a feature has one by `render` and `ADDRESSES`, or several
    by `VIEWS`, or only adds to other pages.  `left_out` are features that the registry leaves out.
    """
    found = [*VIEWS]
    for feature, module in parts("views", left_out):
        found += getattr(module, "VIEWS", ())
        if hasattr(module, "render"):
            addresses = getattr(module, "ADDRESSES", ("/",))
            found.append(View(f"features.{feature.name}", module.render, addresses))
    return {view.name: view for view in found}
