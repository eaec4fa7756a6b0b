"""The sitemap of a registry with a site: its pages, without the files of the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.contract.artifact import Artifact
from generator.contract.sitemap import render_sitemaps
from generator.grammar.grammar import Grammar
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts
from generator.site import paths
from generator.site.fit import Fit, fit_of, sorts_with_records
from generator.site.links import links
from generator.site.reference.openapi_pages import EXPLORER, LAYER, REGISTRY, reference_path

ADDRESSES = ("/sitemap",)

#: The pages that every registry has and that belong to no collection.
_GENERAL = (
    paths.HOME,
    paths.CHANGES,
    paths.AGENTS,
    paths.REFERENCE,
    reference_path(REGISTRY),
    reference_path(LAYER),
    reference_path(EXPLORER),
)


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    slugs: Mapping[str, Sequence[str]],
) -> Iterator[Artifact]:
    fit = fit_of(settings.site, counts)
    more = links("sitemap", settings, fit)
    pages = [
        *_GENERAL,
        *(link.path for link in more if link.order < 0),
        *page_paths(symbols.grammar, fit, counts, slugs),
        *(link.path for link in more if link.order >= 0),
    ]
    return render_sitemaps(pages, settings.origin, symbols.grammar.prefix)


def page_paths(
    grammar: Grammar, fit: Fit, counts: Mapping[str, Counts], slugs: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The paths of landscapes, of the first page of each list with records, and of records."""
    projects = counts[grammar.projects.name].values
    families = [family for family in grammar.tag_families if projects.get(f"tag_{family}")]
    for family in families:
        yield paths.landscape(family, families)
    for collection in grammar.collections.values():
        if collection.name not in fit.collections:
            continue
        yield reference_path(collection.name)
        for part in counts[collection.name].slices():
            if paths.visited(part) and part.order in sorts_with_records(collection, fit):
                yield paths.list_page(part)
        if not grammar.has_pages(collection.name):
            continue
        for slug in slugs[collection.name]:
            yield paths.record_page(collection.name, slug)
