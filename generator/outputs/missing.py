"""404.html of a registry that has no pages for people."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract import templates
from generator.contract.artifact import Artifact
from generator.grammar import paths
from generator.grammar.grammar import Query, Slice
from generator.grammar.paths import NOT_FOUND
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols

ADDRESSES = (NOT_FOUND,)


def render(settings: Settings, symbols: Symbols) -> Iterator[Artifact]:
    """Its links begin at the root, because hosts serve it for addresses of any depth."""
    grammar = symbols.grammar
    filled = [c for c in grammar.collections.values() if c.name in grammar.filled]
    lists = [{"of": c, "first": Slice(c).path(), "filters": c.filters_path} for c in filled]
    query = grammar.query_url(Query(next(iter(filled), grammar.projects)))
    page = templates.render_template(
        "404.html", settings=settings, paths=paths, grammar=grammar, lists=lists, asked=query
    )
    yield Artifact(NOT_FOUND, page)
