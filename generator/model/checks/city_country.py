"""Warns about a city in another country than expected: only one record puts it there, and several
other records, or the list of time zones, put it in one other country.

Many city names exist in several countries, so a record with a region gets no warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from generator.grammar.filters import Facet
from generator.kinds.types import COUNTRIES
from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.model.kinds.event_times import zone_places
from generator.problems.faults import Fault
from generator.text.words import slugify

_MIN_RECORDS = 4  # so many records settle the country of a city

#: place (city, or region and city, as a slug) -> country -> number of records
_Counts = dict[str, dict[str, int]]


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    for collection, records in collections.items():
        counts: _Counts = {}
        slices: dict[tuple[str, str], Facet] = {}
        for part, members in records.slice_members.members.items():
            key, slug = part
            country, _, place = slug.partition("-")
            if key == "location" and place and len(country) == 2 and len(members):
                counts.setdefault(place, {})[country] = len(members)
                slices[place, country] = part
        cities, regions = _with_regions(counts, records.slice_members.labels)
        for place, countries in counts.items():
            for country, count in countries.items():
                if count > 1 or len(place) < 4 or (country, place) in regions:
                    continue
                expected = _expected_country(place, country, countries, cities)
                if expected is not None:
                    slug = records.slice_members.first_slug(slices[place, country])
                    label = records.slice_members.labels.get(f"{country}-{place}", place)
                    city = label.partition(", ")[0]
                    yield RecordFault(collection, slug, _fault(place, city, country, *expected))


def _fault(place: str, city: str, country: str, expected: str, count: int) -> Fault:
    """`count` is the number of records with the expected country; 0 if time zones name it."""
    others = f"{count:,} other records put" if count else "the list of time zones puts"
    message = (
        f"locations: only this record puts {city} in {COUNTRIES[country.upper()]}; "
        f"{others} it in {COUNTRIES[expected.upper()]}"
    )
    hint = (
        f"write country: {expected.upper()}; if another {city} is meant, add its region, or write "
        "accept: [city-elsewhere]"
    )
    return Fault(
        "city-elsewhere", message, ("locations",), hint, severity="warning", item_slug=place
    )


def _with_regions(
    counts: _Counts, labels: Mapping[str, str]
) -> tuple[_Counts, set[tuple[str, str]]]:
    """The counts of cities that are written with a region, and the regions as (country, slug)."""
    cities: _Counts = {}
    regions = set()
    for place, countries in counts.items():
        for country, count in countries.items():
            city, *rest = labels.get(f"{country}-{place}", "").split(", ")
            if len(rest) > 1:
                in_city = cities.setdefault(slugify(city), {})
                in_city[country] = in_city.get(country, 0) + count
                regions.add((country, slugify(rest[0])))
    return cities, regions


def _expected_country(
    place: str, country: str, countries: Mapping[str, int], cities: _Counts
) -> tuple[str, int] | None:
    """The other country that a place is probably in, and its number of records; else None."""
    counts = dict(countries)
    for other, count in cities.get(place, {}).items():
        counts[other] = counts.get(other, 0) + count
    if counts.pop(country) > 1:
        return None
    top = max(counts.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    if top[1] >= _MIN_RECORDS:
        return top
    zone_countries = _zone_cities().get(place, set())
    if len(zone_countries) == 1 and country not in zone_countries:
        return next(iter(zone_countries)), 0
    return None


@cache
def _zone_cities() -> dict[str, set[str]]:
    """City -> countries, for the cities that time zones are named after."""
    cities: dict[str, set[str]] = {}
    for country, city, _ in zone_places():
        cities.setdefault(city, set()).add(country)
    return cities
