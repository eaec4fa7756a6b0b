"""The sitemap of a registry that has pages for people: these, and not the API that they are made
of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.contract.artifact import Artifact
from generator.contract.sitemap import sitemap
from generator.grammar.grammar import Grammar
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts
from generator.site import paths
from generator.site.reference.openapi_pages import EXPLORER, LAYER, REGISTRY, path_of

#: The pages of the whole registry.
_WHOLE = (
    paths.HOME,
    paths.MAP,
    paths.COMPARE,
    paths.CHANGES,
    paths.AGENTS,
    paths.REFERENCE,
    path_of(REGISTRY),
    path_of(LAYER),
    path_of(EXPLORER),
)


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    slugs: Mapping[str, Sequence[str]],
) -> Iterator[Artifact]:
    return sitemap(pages(symbols.grammar, counts, slugs), settings.origin, symbols.grammar.prefix)


def pages(
    grammar: Grammar, counts: Mapping[str, Counts], slugs: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The pages worth visiting: those of the whole registry, the first page of every list that has
    any record, and the records.
    """
    yield from _WHOLE
    for of in grammar.collections.values():
        yield path_of(of.name)
        for part in counts[of.name].slices():
            if paths.visited(part):
                yield paths.list_page(part)
        if of is grammar.events and "event_pages" in grammar.left_out:
            continue
        for slug in slugs[of.name]:
            yield paths.record_page(of.name, slug)
