"""Atom feeds (RFC 4287), made of files of the API as pages are.

An entry has its name and its time from what it tells: a feed is the same in every build of the same
content, and an entry stays the one that it is when the registry moves to another address.
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

UPCOMING, CHANGES = "/calendar/upcoming.atom", "/changes.atom"
#: The media type of both.
TYPE = "application/atom+xml"
#: What no XML holds (XML 1.0 §2.2); control characters no text of a record has.
_NO_XML = re.compile("[\ufffe\uffff]")


class Entry(NamedTuple):
    """`name` tells it from all others of the registry, `path` is that of its page, None where it
    has none; `of` is what the template tells of it.
    """

    name: str
    title: str
    path: str | None
    updated: str
    of: Any


def document(site: Site, path: str) -> dict[str, Any]:
    """A JSON file of the API, with what XML can hold of it.  Raises LookupError."""
    whole: dict[str, Any] = orjson.loads(_NO_XML.sub("", site.read(path).decode()))
    return whole


def twin(site: Site, path: str, title: str) -> Twin:
    """A feed as a page names it; `title` is the key of a text."""
    return Twin(TYPE, site.url(path), site.theme.texts(title, name=site.settings.name))


def feed(
    site: Site, path: str, template: str, page: str, updated: str, entries: Iterable[Entry]
) -> Artifact:
    """The feed at a path, of the page with the same for people."""

    def identity(name: str) -> str:
        return f"urn:uuid:{uid(site.settings.name, name)}"

    return rendering.page(
        site, path, template, page=page, updated=updated, entries=list(entries), identity=identity
    )
