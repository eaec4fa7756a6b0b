"""changes.json: the latest new, changed and removed records, as the commits tell it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from generator.contract.artifact import Artifact, History, published
from generator.grammar.paths import CHANGES
from generator.model.symbols import Symbols


def render(
    symbols: Symbols,
    slugs: Mapping[str, Sequence[str]],
    aliases: Sequence[tuple[str, str, str]],
    history: History,
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    leading = {(name, alias): slug for name, alias, slug in aliases}

    def href(name: str, slug: str) -> str | None:
        now, live = leading.get((name, slug), slug), slugs.get(name, ())
        place = bisect_left(live, now)
        if place == len(live) or live[place] != now:
            return None
        return grammar.url(grammar.collections[name].record_path(now))

    data = [
        {**change._asdict(), "href": href(change.collection, change.slug)}
        for change in history.changes
    ]
    links = {"self": grammar.url(CHANGES)}
    yield published(CHANGES, "change_list", links=links, history=history.state, data=data)
