"""The sitemap of a registry that has no pages for people: the addresses of its API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.contract.artifact import Artifact
from generator.contract.sitemap import render_sitemaps
from generator.grammar.grammar import Grammar
from generator.grammar.paths import DASHBOARD, INDEX, LLMS, SKILL
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts

ADDRESSES = ("/sitemap",)


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    slugs: Mapping[str, Sequence[str]],
) -> Iterator[Artifact]:
    return render_sitemaps(
        addresses(symbols.grammar, counts, slugs), settings.origin, symbols.grammar.prefix
    )


def addresses(
    grammar: Grammar, counts: Mapping[str, Counts], slugs: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The paths of the descriptions, of the first page of every list with records, and of every
    record.
    """
    yield from (INDEX, DASHBOARD, SKILL, LLMS)
    for c in grammar.collections.values():
        yield from (part.path() for part in counts[c.name].slices())
        yield from map(c.record_path, slugs[c.name])
