"""A city in another country than said: one that stands there once, and that many records, or the
time zones' own list of cities, have in one other country.

There are two of many a name, so this only warns, and not where a region tells them apart.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from generator.grammar.text import slugify
from generator.model.checks import Known, Where
from generator.model.fields import COUNTRIES
from generator.problems.faults import Fault

_MANY = 4  # records that say where a city is


def check_registry(known: Mapping[str, Known], where: Where) -> Iterator[tuple[str, str, Fault]]:
    for collection, names in known.items():
        there: dict[str, dict[str, int]] = {}  # city, or region and city -> country -> records
        slices: dict[tuple[str, str], str] = {}
        for slice_, members in names.uses.members.items():
            key, _, slug = slice_.partition("/")
            country, _, place = slug.partition("-")
            if key == "location" and place and len(country) == 2 and len(members):
                there.setdefault(place, {})[country] = len(members)
                slices[place, country] = slice_
        cities, regions = _with_regions(there, names.uses.labels)
        for place, countries in there.items():
            for country, count in countries.items():
                if count > 1 or len(place) < 4 or (country, place) in regions:
                    continue
                other = _elsewhere(place, country, countries, cities)
                if other is not None:
                    slug = names.uses.first(slices[place, country])
                    label = names.uses.labels.get(f"{country}-{place}", place).partition(", ")[0]
                    yield collection, slug, _fault(place, label, country, *other)


def _fault(place: str, label: str, country: str, other: str, count: int) -> Fault:
    there, here = COUNTRIES[other.upper()], COUNTRIES[country.upper()]
    others = f"{count:,} other records" if count else "the list of time zones"
    what = f"locations: only this record puts {label} in {here}; {others} put it in {there}"
    what = what if count else what.replace("zones put", "zones puts")
    hint = f"write country: {other.upper()}; if another {label} is meant, add its region"
    return Fault("city-elsewhere", what, ("locations",), hint, severity="warning", item=place)


def _with_regions(
    there: Mapping[str, Mapping[str, int]], labels: Mapping[str, str]
) -> tuple[dict[str, dict[str, int]], set[tuple[str, str]]]:
    """city -> country -> records, of cities that stand with their region; and the regions."""
    cities: dict[str, dict[str, int]] = {}
    regions = set()
    for place, countries in there.items():
        for country, count in countries.items():
            city, *rest = labels.get(f"{country}-{place}", "").split(", ")
            if len(rest) > 1:
                held = cities.setdefault(slugify(city), {})
                held[country] = held.get(country, 0) + count
                regions.add((country, slugify(rest[0])))
    return cities, regions


def _elsewhere(
    place: str, country: str, countries: Mapping[str, int], cities: Mapping[str, Mapping[str, int]]
) -> tuple[str, int] | None:
    """The country that a place is in, and how many records say so; None where nothing says that it
    is in another than said.
    """
    counts = dict(countries)
    for other, count in cities.get(place, {}).items():
        counts[other] = counts.get(other, 0) + count
    if counts.pop(country) > 1:
        return None
    most = max(counts.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    if most[1] >= _MANY:
        return most
    zones = _cities().get(place, set())
    if len(zones) == 1 and country not in zones:
        return next(iter(zones)), 0
    return None


@cache
def _cities() -> dict[str, set[str]]:
    """The cities that time zones are named after, with their countries."""
    package = importlib.util.find_spec("tzdata")
    assert package is not None and package.origin is not None
    table = (Path(package.origin).parent / "zoneinfo" / "zone.tab").read_text("utf-8")
    cities: dict[str, set[str]] = {}
    for line in table.splitlines():
        if line[:1] != "#":
            country, _, zone, *_ = line.split("\t")
            cities.setdefault(slugify(zone.rpartition("/")[2]), set()).add(country.lower())
    return cities
