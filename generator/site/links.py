"""The links from pages of the site to pages that belong to no collection.

Features add theirs by the function `links` of their module `views` (docs/extending.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from generator.feature import Hook
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
    if "events" in site.fit().collections:
        found.append(Link("feeds", 10, paths.UPCOMING, "feeds.upcoming"))
    for added in LINKS.without(site.grammar.left_out):
        found += added(site)
    return sorted(found, key=lambda link: link.order)
