"""removed.json: the records that were removed for good, the latest first."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact, document_artifact
from generator.grammar.paths import REMOVED
from generator.model.settings.removed import Removed
from generator.model.symbols import Symbols

ADDRESSES = (REMOVED,)


def render(symbols: Symbols, removed: Removed) -> Iterator[Artifact]:
    data = [
        {"date": removal.date, "collection": name, "slug": slug, "reason": removal.reason}
        for name, removals in removed.items()
        for slug, removal in removals.items()
    ]
    data.sort(key=lambda row: (str(row["collection"]), str(row["slug"])))
    data.sort(key=lambda row: str(row["date"]), reverse=True)
    links = {"self": symbols.grammar.url(REMOVED)}
    yield document_artifact(REMOVED, "removed_list", links=links, data=data)
