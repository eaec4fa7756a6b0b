"""The sitemap of a registry that has no pages for people: the addresses of its API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.api.artifact import Artifact
from generator.api.grammar import Grammar
from generator.api.paths import DASHBOARD, INDEX, LLMS, SKILL
from generator.api.sitemap import sitemap
from generator.records.settings import Settings
from generator.records.symbols import Symbols
from generator.tables.table import Counts


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    slugs: Mapping[str, Sequence[str]],
) -> Iterator[Artifact]:
    return sitemap(
        addresses(symbols.grammar, counts, slugs), settings.origin, symbols.grammar.prefix
    )


def addresses(
    grammar: Grammar, counts: Mapping[str, Counts], slugs: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The paths worth visiting: descriptions, the first page of every list that has records, and
    the records.
    """
    yield from (INDEX, DASHBOARD, SKILL, LLMS)
    for c in grammar.collections.values():
        yield from (part.path() for part in counts[c.name].slices())
        yield from map(c.record_path, slugs[c.name])
