"""The links from pages of the site to pages that belong to no collection.

Features add theirs by the function `links` of their module `views` (docs/extending.md).
"""

from __future__ import annotations

from typing import NamedTuple

from generator.feature import hooks
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
        sitemap           the sitemap, without a text; an order below 0 is before lists and records
        sitemap/projects  before the lists of a collection with records, such as the projects
    """

    place: str
    order: int
    path: str
    text: str = ""


#: The links to pages of the core.
_OWN = (
    Link("sitemap", -100, paths.HOME),
    Link("sitemap", -90, paths.CHANGES),
    Link("data", 20, paths.CHANGES, "changes.title"),
)


def links(site: Site, place: str) -> list[Link]:
    """The links in a place, in their order."""
    found: list[Link] = site.memo.get_or_make("links", _links, site)
    return [link for link in found if link.place == place]


def _links(site: Site) -> list[Link]:
    found = [*_OWN]
    for added in hooks("views", "links"):
        found += added(site)
    return sorted(found, key=lambda link: link.order)
