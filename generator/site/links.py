"""The links from pages of the site to pages that belong to no collection, what else features add to
pages, and the sitemap.

Features have the functions `links` and `panels` in their module `views` (docs/extending.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from generator.contract.artifact import Artifact, output_of
from generator.contract.listing import render_sitemaps
from generator.feature import Hook
from generator.grammar.paths import CHANGES
from generator.grammar.query import Slice
from generator.site import paths
from generator.site.page_context import Site


class Link(NamedTuple):
    """A link in one place, where links are in the order of `order`, then of their features.

    `text` is the key of its text in the catalogue.  Places:

        header            the navigation of every page
        data, agents      the lists at the foot of every page
        home              the last section of the home page; the text below has the same key and
                          "_says"
        world             below the map of the home page
        changes           below the latest changes of the page about the data
        feeds             Atom feeds, in the head of the home page
        sitemap           the sitemap, without a text; an order below 0 is before lists and records
        sitemap/projects  before the lists of a collection with records, such as the projects
    """

    place: str
    order: int
    path: str
    text: str = ""


LINKS: Hook[Callable[[Site], Iterable[Link]]] = Hook("views", "links", "site")


def links(site: Site, place: str) -> list[Link]:
    """The links in a place, in their order."""
    found: list[Link] = site.memo.get_or_make("links", _links, site)
    return [link for link in found if link.place == place]


def _links(site: Site) -> list[Link]:
    found = [Link("sitemap", -100, paths.HOME)]
    if site.fit().collections:
        found.append(Link("sitemap", -95, paths.DATA))
        found.append(Link("data", 5, paths.DATA, "data.title"))
        found.append(Link("home", 50, paths.DATA, "home.ways.about"))
    if site.grammar.kinds.timed in site.fit().collections:
        found.append(Link("feeds", 10, paths.UPCOMING, "feeds.upcoming"))
    for added in LINKS.without(site.grammar.left_out):
        found += added(site)
    return sorted(found, key=lambda link: link.order)


PANELS: Hook[Callable[[Site, str, Any], Iterable[Markup]]] = Hook(
    "views", "panels", "site, place, subject"
)


def panels(site: Site, place: str, subject: Any = None) -> Markup:
    """The panels in a place of a page, in the order of features.  Places:

    head    at the end of what a page says about itself to programs; the subject is the page's
            `generator.site.meta.About`
    home    below the uses of the home page
    cohorts below two cohorts on the home page; the subject is `LeadChart.cohorts` of
            `generator.site.front`
    list    among what else a list can be had as, on its first page; the subject is its
            `generator.site.lists.Shown`
    rows    below rows of records that scripts can choose; the subject is their collection
    record  among the buttons of a record; the subject is its `generator.site.records.Subject`
    cite    below the citation of a record
    """
    added: list[Any] = site.memo.get_or_make("panels", list, PANELS.without(site.grammar.left_out))
    found = [panel for show in added for panel in show(site, place, subject)]
    return Markup("").join(found) if found else Markup()


def render_sitemap(site: Site, slugs: Mapping[str, Sequence[str]]) -> Iterator[Artifact]:
    origin, prefix = site.settings.origin, site.grammar.prefix
    return render_sitemaps(page_paths(site, slugs), origin, prefix, modified_pages(site))


def modified_pages(site: Site) -> dict[str, str]:
    """path -> when what a page is about was last changed, as far as the history is known: the pages
    of records, the lists of all, and the home page.
    """
    found: dict[str, str] = {}
    changes = site.kept_document(CHANGES)["data"]
    times = [(c["collection"], c["slug"], c["at"]) for c in changes if c["change"] != "removed"]
    for name in site.fit().collections:
        is_timed = site.grammar.kinds[name].timed
        for slug in site.tables[name].slugs if is_timed else ():
            if at := site.modified(slug):
                times.append((name, slug, at))
        times += [
            (name, slug, at) for slug, at in (site.symbols.updated or {}).get(name, {}).items()
        ]
    for name, slug, at in times:
        of = site.grammar[name]
        whole = paths.list_page(site.grammar.upcoming if of.declared.timed else Slice(of))
        for path in (of.record_page(slug), whole, paths.HOME):
            found[path] = max(at, found.get(path, ""))
    return found


def page_paths(site: Site, slugs: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The paths of general pages, of the first page of each list with records in its own order, and
    of records.
    """
    more = links(site, "sitemap")
    yield from (link.path for link in more if link.order < 0)
    for collection in site.grammar.collections.values():
        if collection.name not in site.fit().collections:
            continue
        yield from (link.path for link in links(site, f"sitemap/{collection.name}"))
        for part in site.counts(collection.name).slices():
            if paths.visited(part) and not part.sort:
                yield paths.list_page(part)
        if not site.grammar.has_pages(collection.name):
            continue
        for slug in slugs[collection.name]:
            yield collection.record_page(slug)
    yield from (link.path for link in more if link.order >= 0)


OUTPUTS = (output_of("site.sitemap", render_sitemap, "/sitemap"),)
