"""The sitemap of a registry that has no pages for people: the addresses of its API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.api.artifact import Artifact
from generator.api.grammar import Grammar, Slice
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
        for sort in c.prepared_sorts:
            yield Slice(c, sort=sort).path()
        yield from (part.path() for _, part in c.virtual_slices())
        for name, values in counts[c.name].values.items():
            for value in sorted(values):
                yield Slice(c, name, value).path()
        for slug in slugs[c.name]:
            yield c.record_path(slug)
