"""Whether the whole history is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.features.changes.settings import Publish

if TYPE_CHECKING:
    from generator.published.published import Published


def notes(published: Published) -> Iterator[str]:
    from generator.features.changes.past import past_of

    is_asked = Publish.of(published.settings.publish).changes
    if is_asked and past_of(published.records.history, published.grammar.prefix) is None:
        yield (
            "The changes of the history are not published: this is no git clone with every "
            "commit and file (git fetch --unshallow; in CI fetch-depth: 0)."
        )
