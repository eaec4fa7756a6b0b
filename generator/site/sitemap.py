"""The sitemap of a registry with a site: its pages, without the files of the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.contract.artifact import Artifact
from generator.contract.sitemap import render_sitemaps
from generator.site import paths
from generator.site.fit import sorts_with_records
from generator.site.links import links
from generator.site.page_context import Site

ADDRESSES = ("/sitemap",)


def render(site: Site, slugs: Mapping[str, Sequence[str]]) -> Iterator[Artifact]:
    return render_sitemaps(page_paths(site, slugs), site.settings.origin, site.grammar.prefix)


def page_paths(site: Site, slugs: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The paths of general pages, of the first page of each list with records, and of records."""
    more = links(site, "sitemap")
    yield from (link.path for link in more if link.order < 0)
    for collection in site.grammar.collections.values():
        if collection.name not in site.fit().collections:
            continue
        yield from (link.path for link in links(site, f"sitemap/{collection.name}"))
        for part in site.counts(collection.name).slices():
            if paths.visited(part) and part.order in sorts_with_records(collection, site.fit()):
                yield paths.list_page(part)
        if not site.grammar.has_pages(collection.name):
            continue
        for slug in slugs[collection.name]:
            yield paths.record_page(collection.name, slug)
    yield from (link.path for link in more if link.order >= 0)
