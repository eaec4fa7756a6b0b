"""Deals, which no record refers to."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Listed, Refers, Words
from generator.kinds.record import Record
from generator.kinds.types import Slug


# fmt: off
class Deal(Record):
    """A deal with every field."""

    investor: Annotated[Slug, Refers("investors"), Filtered(), Listed(), Words("Who invests.")]
    round: Annotated[Slug | None, Refers("rounds"), Filtered(), Listed(),
        Words("The round it belongs to.")] = None
    event: Annotated[Slug | None, Refers("events"), Filtered(), Listed(),
        Words("Where it was made.")] = None
# fmt: on


KIND = Declared(Deal, "deals", "deal")
