"""removed.json: the records that were taken out for good."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact, published
from generator.grammar.paths import REMOVED
from generator.model.settings.removed import Removed
from generator.model.symbols import Symbols


def render(symbols: Symbols, removed: Removed) -> Iterator[Artifact]:
    data = [
        {"date": one.date, "collection": name, "slug": slug, "reason": one.reason}
        for name, of in removed.items()
        for slug, one in of.items()
    ]
    data.sort(key=lambda one: (str(one["collection"]), str(one["slug"])))
    data.sort(key=lambda one: str(one["date"]), reverse=True)
    links = {"self": symbols.grammar.url(REMOVED)}
    yield published(REMOVED, "removed_list", links=links, data=data)
