"""Atom feeds (RFC 4287), rendered from files of the API.

The id and time of an entry follow from its content, so every build of the same content gives the
same feed, and ids stay when the registry moves to another address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact
from generator.contract.identity import uid
from generator.site import rendering
from generator.site.meta import Twin
from generator.site.page_context import Site

#: The media type of feeds.
TYPE = "application/atom+xml"
#: Characters that XML excludes (XML 1.0 §2.2); texts of records have no control characters.
_NO_XML = re.compile("[\ufffe\uffff]")


class FeedEntry(NamedTuple):
    """An entry: `name` is unique in the registry, `path` is its page or None, `of` is the event or
    change that the template shows.
    """

    name: str
    title: str
    path: str | None
    updated: str
    of: Any


def read_document(site: Site, path: str) -> dict[str, Any]:
    """A JSON file of the API without characters that XML excludes.  Raises LookupError."""
    parsed: dict[str, Any] = orjson.loads(_NO_XML.sub("", site.read(path).decode()))
    return parsed


def feed_link(site: Site, path: str, title: str) -> Twin:
    """The link to a feed in the head of a page; `title` is the key of a text."""
    return Twin(TYPE, site.url(path), site.theme.texts(title, name=site.settings.name))


def render_feed(
    site: Site,
    path: str,
    template: str,
    *,
    page: str,
    updated: str,
    entries: Iterable[FeedEntry],
    left_out: int = 0,
) -> Artifact:
    """The feed at `path`; `page` is the path of the page with the same entries.  `left_out` is the
    number of those that the feed does not have.
    """

    def identity(name: str) -> str:
        return f"urn:uuid:{uid(site.settings.name, name)}"

    return rendering.render_page(
        site,
        path,
        template,
        page=page,
        updated=updated,
        entries=list(entries),
        identity=identity,
        left_out=left_out,
    )
