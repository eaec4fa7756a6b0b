"""changes.json: the latest new, changed and removed records, as the commits tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.api.artifact import Artifact, History, document, encode
from generator.api.paths import CHANGES
from generator.records.symbols import Symbols


def render(
    symbols: Symbols,
    slugs: Mapping[str, Sequence[str]],
    aliases: Sequence[tuple[str, str, str]],
    history: History,
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    live = {(name, slug): slug for name, of in slugs.items() for slug in of}
    live |= {(name, alias): slug for name, alias, slug in aliases}

    def href(name: str, slug: str) -> str | None:
        now = live.get((name, slug))
        return grammar.url(grammar.collections[name].record_path(now)) if now else None

    data = [
        {
            "at": change.at,
            "change": change.change,
            "collection": change.collection,
            "slug": change.slug,
            "name": change.name,
            "former": change.former,
            "href": href(change.collection, change.slug),
        }
        for change in history.changes
    ]
    links = {"self": grammar.url(CHANGES)}
    yield Artifact(
        CHANGES, encode(document("change_list", links=links, history=history.state, data=data))
    )
