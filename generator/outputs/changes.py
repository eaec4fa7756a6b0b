"""changes.json: the latest new, changed and removed records, from the commits.

It is of the core because the home page and coverage.json refer to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from generator.contract.artifact import Alias, Artifact, History, document_artifact
from generator.grammar.paths import CHANGES
from generator.model.symbols import Symbols

ADDRESSES = (CHANGES,)

#: The notice without a known history.
NO_HISTORY = "This build knows no history, so changes cannot be told."


def render(
    symbols: Symbols,
    slugs: Mapping[str, Sequence[str]],
    aliases: Sequence[Alias],
    history: History,
    last_changes: str | None,
) -> Iterator[Artifact]:
    grammar = symbols.grammar
    renamed = {(alias.collection, alias.former): alias.slug for alias in aliases}

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
    if last_changes:
        links["last"] = grammar.url(last_changes)
    notice = None if history.state == "known" else NO_HISTORY
    yield document_artifact(
        CHANGES, "change_list", links=links, history=history.state, notice=notice, data=data
    )
