"""Which page is made of which file of the API, and how."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import orjson

from generator.api.artifact import Artifact
from generator.api.grammar import Grammar, Slice
from generator.api.problems import QueryError
from generator.site import calendar, lists, paths, records
from generator.site.frame import Site

_RECORD = re.compile(r"(.+)/slug/([a-z0-9-]+)\.json")


class Made(NamedTuple):
    """Where a page lies, and what it is of: a record by its slug, or a page of a list."""

    path: str
    collection: str
    part: Slice | None = None
    number: int = 1


def made(grammar: Grammar, path: str) -> Made | None:
    """The page that is made of a file; None where there is none, or where nobody visits it."""
    record = _RECORD.fullmatch(path)
    if record is not None:
        for name, collection in grammar.collections.items():
            if collection.root == record[1]:
                return Made(paths.record_page(name, record[2]), name)
    if "/page/" not in path:
        return None
    try:
        part, number = grammar.parse_path(path)
    except QueryError:
        return None
    if not paths.visited(part):
        return None
    return Made(paths.list_page(part, number), part.collection.name, part, number)


def following(site: Site, path: str) -> Iterator[str]:
    """The other files whose pages show something of this one: the first page of a whole list has
    the filters, a program or an organization shows some of its lists, and what stands for a former
    slug's list tells whether the present one has any.
    """
    for collection in site.grammar.collections.values():
        if path == collection.filters_path:
            yield Slice(collection).path()
    page = made(site.grammar, path)
    if page is not None and page.part is not None:
        yield from records.following(site, page.part)
        yield from calendar.following(site, page.part, page.number)
    elif path.startswith(site.grammar.events.root):
        yield from calendar.showing(site, path)
    if page is not None and page.part is not None and page.part.refers and page.number == 1:
        for former, slug in site.symbols.renamed.get(page.part.refers, {}).items():
            if slug == page.part.value:
                yield Slice(page.part.collection, page.part.filter, former).path()


def render(site: Site, path: str) -> Artifact | None:
    """The page that is made of a file; None where there is no such file, or its list is empty."""
    page = made(site.grammar, path)
    try:
        raw = site.read(path)
    except LookupError:
        return None
    if page is None:
        return None
    document = orjson.loads(raw) if page.part is None else lists.head(raw)
    if document["kind"] == "moved":
        return records.moved(site, page.path, _now(site, page, document["data"]["replaced_by"]))
    if page.part is None:
        return records.render(site, page.collection, document)
    if _is_empty(page.part, document):
        return None
    if page.part.collection is site.grammar.events:
        return calendar.render(site, page.part, page.number, document, raw)
    return lists.render(site, page.part, page.number, document, raw)


def _now(site: Site, page: Made, slug: str) -> str:
    """Where a page of a former slug leads: of a list that is empty, to the record."""
    if page.part is None:
        return paths.record_page(page.collection, slug)
    now = Slice(page.part.collection, page.part.filter, slug)
    if _is_empty(now, lists.head(site.read(now.path()))):
        return paths.record_page(now.refers, slug)
    return paths.list_page(now, page.number)


def _is_empty(part: Slice, document: dict[str, object]) -> bool:
    """Whether there is no page because a value has no record; a whole list has one all the same."""
    whole = part.filter is None or part.filter in part.collection.virtual
    return not whole and not document["page"]["total_items"]  # type: ignore[index]
