"""The pages of all changes."""

from __future__ import annotations

from collections.abc import Iterator

from generator.features.changes.addresses import change_page
from generator.features.changes.past import past_of
from generator.features.changes.settings import Publish
from generator.published.families import Family, KnownFiles
from generator.published.published import Published

ADDRESSES = (change_page("@").partition("@")[0],)


def families(published: Published) -> Iterator[Family]:
    if Publish.of(published.settings.publish).changes:
        past = past_of(published.records.history, published.grammar.prefix)
        if past is not None:
            yield KnownFiles(ADDRESSES[0], "changes", past.pages)
