"""The settings of guards in registry.yaml: what a publish may lose, and what it must contain."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generator.grammar.limits import MAX_LOST
from generator.kinds.marks import Limits
from generator.kinds.models import Input
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


class LeastRecords(Input):
    projects: Number | None = None
    programs: Number | None = None
    organizations: Number | None = None
    events: Number | None = None


class LeastFilled(Input):
    projects: Filled | None = None
    programs: Filled | None = None
    organizations: Filled | None = None
    events: Filled | None = None


Countries = dict[Annotated[str, Limits(pattern=LOWER_COUNTRY)], Bounds]
Tags = dict[Family, dict[Slug, Bounds]]


class CountryBounds(Input):
    projects: Countries | None = None
    programs: Countries | None = None
    organizations: Countries | None = None


class TagBounds(Input):
    projects: Tags | None = None
    programs: Tags | None = None
    organizations: Tags | None = None


class Guards(Input):
    """What may be lost since the last publish, as shares, and what there must be in any."""

    lost: Share = MAX_LOST
    filled_lost: Share = 0.2
    values_lost: Share = 0.5
    least: LeastRecords = Field(default_factory=LeastRecords)
    filled: LeastFilled = Field(default_factory=LeastFilled)
    countries: CountryBounds = Field(default_factory=CountryBounds)
    tags: TagBounds = Field(default_factory=TagBounds)
