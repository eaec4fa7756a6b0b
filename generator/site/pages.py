"""Which page is made of which file of the API, and how."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact, module, modules
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.refusals import QueryError
from generator.site import calendar, lists, paths, records
from generator.site import views as all_views
from generator.site.page_context import Site
from generator.site.views import View

_RECORD = re.compile(r"(.+)/slug/([a-z0-9-]+)\.json")


class Made(NamedTuple):
    """Where a page lies, and what it is of: a record by its slug, or a page of a list."""

    path: str
    collection: str
    part: Slice | None = None
    number: int = 1


def may(path: str) -> bool:
    """Whether a page may be made of a file, by a look at its path."""
    return "/slug/" in path or "/page/" in path


def made(grammar: Grammar, path: str) -> Made | None:
    """The page that is made of a file; None where there is none, or where nobody visits it."""
    if not may(path):
        return None
    record = _RECORD.fullmatch(path) if "/slug/" in path else None
    if record is not None:
        for name, collection in grammar.collections.items():
            if collection.root == record[1]:
                if name == "events" and "event_pages" in grammar.left_out:
                    return None
                return Made(paths.record_page(name, record[2]), name)
    try:
        part, number = grammar.parse_path(path)
    except QueryError:
        return None
    if not paths.visited(part):
        return None
    return Made(paths.list_page(part, number), part.collection.name, part, number)


def render(site: Site, path: str) -> Artifact | None:
    """The page that is made of a file; None where there is no such file, or its list is empty.  A
    list of a former slug has pages without one, too: there may be rules of hosts in its place.
    """
    page = made(site.grammar, path)
    if page is None:
        return None
    now = _now(site, page.part)
    try:
        raw = site.read(path if now is None else now.path())
    except LookupError:
        return None
    if page.part is None:
        document = orjson.loads(raw)
        if document["kind"] == "moved":
            to = paths.record_page(page.collection, document["data"]["replaced_by"])
            return records.moved(site, page.path, to)
        return records.render(site, page.collection, document)
    document = lists.head(raw)
    if now is not None:
        return _moved(site, page, now, document)
    if _is_empty(page.part, document):
        return None
    if page.part.collection is site.grammar.events:
        return calendar.render(site, page.part, page.number, document, raw)
    return lists.render(site, page.part, page.number, document, raw)


def _now(site: Site, part: Slice | None) -> Slice | None:
    """The present slug's list, of one of a former slug."""
    if part is None or not part.refers:
        return None
    slug = site.symbols.renamed.get(part.refers, {}).get(part.value or "")
    return Slice(part.collection, part.filter, slug) if slug is not None else None


def _moved(site: Site, page: Made, now: Slice, document: Mapping[str, Any]) -> Artifact | None:
    """What leads from a page of a former slug's list to that of the present one, or to the record
    where that is empty; `document` is the head of its first page.
    """
    if page.number > document["page"]["total_pages"]:
        return None
    if _is_empty(now, document):
        return records.moved(site, page.path, paths.record_page(now.refers, now.value or ""))
    return records.moved(site, page.path, paths.list_page(now, page.number))


def _is_empty(part: Slice, document: Mapping[str, Any]) -> bool:
    """Whether there is no page because a value has no record; a whole list has one all the same."""
    whole = part.filter is None or part.filter in part.collection.virtual
    return not whole and not document["page"]["total_items"]


def views() -> dict[str, View]:
    """Every view, by its name.  A module that has several has them in `VIEWS`."""
    every = [module(all_views, name) for name in modules(all_views)]
    known = (getattr(of, "VIEWS", None) or [_view(of)] for of in every)
    return {view.name: view for some in known for view in some}


def _view(of: ModuleType) -> View:
    return View(of.__name__.rpartition(".")[2], of.render)
