"""Rounds: money for a project, of one investor that leads and of others."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Listed, Ranged, Refers, Sorted, Words
from generator.kinds.record import Record
from generator.kinds.types import Count, Slug, Slugs


# fmt: off
class Round(Record):
    """A round with every field."""

    project: Annotated[Slug, Refers("projects"), Filtered(), Listed(), Words("Who gets it.")]
    lead: Annotated[Slug | None, Refers("investors"), Filtered(), Listed(),
        Words("Who leads it.")] = None
    investors: Annotated[Slugs | None, Refers("investors"), Filtered("investor"), Listed(),
        Words("Who takes part.")] = None
    amount: Annotated[Count | None, Ranged(), Sorted("-amount"), Listed(),
        Words("How much money it is.")] = None
# fmt: on


KIND = Declared(Round, "rounds", "round", contexts=True)
