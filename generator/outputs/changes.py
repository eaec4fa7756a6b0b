"""changes.json: the latest new, changed and removed records, from the commits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from generator.contract.artifact import Artifact, History, document_artifact
from generator.grammar.paths import CHANGES
from generator.model.symbols import Symbols


def render(
    symbols: Symbols,
    slugs: Mapping[str, Sequence[str]],
    aliases: Sequence[tuple[str, str, str]],
    history: History,
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    renamed = {(name, alias): slug for name, alias, slug in aliases}

    def href(name: str, slug: str) -> str | None:
        slug = renamed.get((name, slug), slug)
        present = slugs.get(name, ())
        position = bisect_left(present, slug)
        if position == len(present) or present[position] != slug:
            return None
        return grammar.url(grammar.collections[name].record_path(slug))

    data = [
        {**change._asdict(), "href": href(change.collection, change.slug)}
        for change in history.changes
    ]
    links = {"self": grammar.url(CHANGES)}
    yield document_artifact(CHANGES, "change_list", links=links, history=history.state, data=data)
