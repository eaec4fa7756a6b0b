"""The sitemap of a registry with a site: its pages, without the files of the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.contract.artifact import Artifact
from generator.contract.sitemap import render_sitemaps
from generator.grammar.paths import CHANGES
from generator.grammar.query import Slice
from generator.site import paths
from generator.site.links import links
from generator.site.page_context import Site

ADDRESSES = ("/sitemap",)


def render(site: Site, slugs: Mapping[str, Sequence[str]]) -> Iterator[Artifact]:
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
        events = site.grammar.collections[name].declared.timed
        for slug in site.tables[name].slugs if events else ():
            if at := site.modified(slug):
                times.append((name, slug, at))
        times += [
            (name, slug, at) for slug, at in (site.symbols.updated or {}).get(name, {}).items()
        ]
    for name, slug, at in times:
        whole = paths.list_page(
            site.grammar.upcoming if name == "events" else Slice(site.grammar.collections[name])
        )
        for path in (paths.record_page(name, slug), whole, paths.HOME):
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
            yield paths.record_page(collection.name, slug)
    yield from (link.path for link in more if link.order >= 0)
