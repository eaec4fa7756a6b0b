"""Investors: who puts money into projects."""

from __future__ import annotations

from typing import Annotated, Literal

from generator.kinds.declare import (
    Declared,
    Filtered,
    Labels,
    Listed,
    Ranged,
    Refers,
    Sorted,
    Words,
)
from generator.kinds.record import Record
from generator.kinds.types import Date, Slug, Slugs

FOCUSES = {"seed": "Seed money", "growth": "Growth money"}


# fmt: off
class Investor(Record):
    """An investor with every field."""

    organization: Annotated[Slug, Refers("organizations"), Filtered(), Listed(),
        Words("The organization that invests.")]
    since: Annotated[Date | None, Ranged(), Sorted("-since", "since"), Listed(),
        Words("The day of the first investment.")] = None
    focus: Annotated[Literal["seed", "growth"] | None, Filtered(), Labels(FOCUSES), Listed(),
        Words("What is invested in.")] = None
    portfolio: Annotated[Slugs | None, Refers("projects"), Filtered("project"), Listed(),
        Words("What is invested in.")] = None
# fmt: on


KIND = Declared(
    Investor, "investors", "investor", nouns={"de": ("Geldgeber", "Geldgeber")}, contexts=True
)
