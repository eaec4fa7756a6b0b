"""The settings of guards in registry.yaml: what a publish may lose, and what it must contain."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, ClassVar

from generator.grammar.limits import MAX_LOST
from generator.kinds import Kinds
from generator.kinds.marks import Limits
from generator.kinds.models import Input, of_each_kind, with_parts
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


class Guards(Input):
    """What may be lost since the last publish, as shares, and what there must be in any."""

    kinds: ClassVar[Kinds]

    lost: Share = MAX_LOST
    filled_lost: Share = 0.2
    values_lost: Share = 0.5
    least: Any = None
    filled: Any = None
    countries: Any = None
    tags: Any = None


@cache
def guards_model(kinds: Kinds) -> type[Guards]:
    """The model of the guards of a registry with these kinds."""
    placed = [name for name, kind in kinds.items() if not kind.timed]
    model = with_parts(
        Guards,
        least=of_each_kind("LeastRecords", Number, kinds),
        filled=of_each_kind("LeastFilled", Filled, kinds),
        countries=of_each_kind("CountryBounds", Countries, placed),
        tags=of_each_kind("TagBounds", Tags, placed),
    )
    model.kinds = kinds
    return model
