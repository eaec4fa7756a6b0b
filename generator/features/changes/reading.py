"""When each record was last changed, which is in its file."""

from __future__ import annotations

from dataclasses import replace

from generator.features.changes.settings import Publish
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.published.history.git import GitHistory


def extend(symbols: Symbols, settings: Settings, history: GitHistory) -> Symbols:
    """The symbols with the times, if git knows them. Raises OutputError if git fails."""
    if not Publish.of(settings.publish).changes:
        return symbols
    from generator.features.changes.past import past_of

    past = past_of(history, symbols.grammar.prefix)
    return replace(symbols, updated=past.updated if past is not None else {})
