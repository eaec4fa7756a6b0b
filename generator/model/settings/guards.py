"""The settings of guards in registry.yaml: what a publish may lose, and what it must contain."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from generator.grammar.limits import MAX_LOST
from generator.kinds import KINDS
from generator.kinds.marks import Limits
from generator.kinds.models import Input, of_each_kind
from generator.kinds.types import LOWER_COUNTRY, Family, Slug

Share = Annotated[float, Limits(ge=0, le=1)]
Number = Annotated[int, Limits(ge=0)]


class Bounds(Input):
    """How many records a value has, at least and at most."""

    least: Number | None = None
    most: Number | None = None


class Filled(Input):
    """The share of records that have each thing, at least."""

    website: Share | None = None
    text: Share | None = None
    places: Share | None = None
    tags: Share | None = None
    sources: Share | None = None
    year: Share | None = None


Countries = dict[Annotated[str, Limits(pattern=LOWER_COUNTRY)], Bounds]
Tags = dict[Family, dict[Slug, Bounds]]
_PLACED = [name for name, kind in KINDS.items() if not kind.timed]

LeastRecords: Any = of_each_kind(__name__, "LeastRecords", Number)
LeastFilled: Any = of_each_kind(__name__, "LeastFilled", Filled)
CountryBounds: Any = of_each_kind(__name__, "CountryBounds", Countries, _PLACED)
TagBounds: Any = of_each_kind(__name__, "TagBounds", Tags, _PLACED)


class Guards(Input):
    """What may be lost since the last publish, as shares, and what there must be in any."""

    lost: Share = MAX_LOST
    filled_lost: Share = 0.2
    values_lost: Share = 0.5
    least: LeastRecords = Field(default_factory=LeastRecords)
    filled: LeastFilled = Field(default_factory=LeastFilled)
    countries: CountryBounds = Field(default_factory=CountryBounds)
    tags: TagBounds = Field(default_factory=TagBounds)
