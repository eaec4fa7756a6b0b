"""Which page is rendered from which file of the API."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from generator.contract.artifact import Artifact, load_module, module_names
from generator.feature import parts
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.refusals import QueryError
from generator.site import calendar, lists, months, paths, records
from generator.site import views as all_views
from generator.site.fit import sorts_with_records
from generator.site.page_context import Site
from generator.site.views import View

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
                return PageLocation(paths.record_page(name, record[2]), name)
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
    try:
        raw = site.read(path if current is None else current.path())
    except LookupError:
        return
    if page.part is None:
        document = orjson.loads(raw)
        if document["kind"] == "moved":
            target = paths.record_page(page.collection, document["data"]["replaced_by"])
            yield records.render_redirect(site, page.path, target)
        else:
            yield from records.render(site, page.collection, document)
        return
    document = lists.parse_head(raw)
    if current is not None:
        yield from _render_redirect(site, page, current, document)
    elif not _is_empty(page.part, document):
        render_list = lists.render
        if page.part.filter == "month":
            render_list = months.render
        elif page.part.collection.declared.timed:
            render_list = calendar.render
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
        target = paths.record_page(current.refers, current.value or "")
    yield records.render_redirect(site, page.path, target)


def _is_empty(part: Slice, document: Mapping[str, Any]) -> bool:
    """Whether a list has no page because its value has no records; whole lists always have one."""
    is_whole = part.filter is None or part.filter in part.collection.virtual
    return not is_whole and not document["page"]["total_items"]


def load_views(left_out: Container[str] = ()) -> dict[str, View]:
    """All views by name.  A module defines one by `render` and `ADDRESSES`, or several by `VIEWS`;
    that of a feature may have neither, and only add to other pages.  `left_out` are features that
    the registry leaves out.
    """
    modules = {name: load_module(all_views, name) for name in module_names(all_views)}
    modules |= {f"features.{feature.name}": module for feature, module in parts("views", left_out)}
    found: dict[str, View] = {}
    for name, view_module in modules.items():
        views = list(getattr(view_module, "VIEWS", ()))
        if hasattr(view_module, "render"):
            views.append(View(name, view_module.render, getattr(view_module, "ADDRESSES", ("/",))))
        found.update((view.name, view) for view in views)
    return found
