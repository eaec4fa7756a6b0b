"""The sitemap of a registry that has pages for people: these, and not the API that they are made
of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.api.artifact import Artifact
from generator.api.grammar import Grammar
from generator.api.sitemap import sitemap
from generator.records.settings import Settings
from generator.records.symbols import Symbols
from generator.site import paths
from generator.site.reference import EXPLORER, LAYER, REGISTRY, path_of
from generator.tables.table import Counts

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
