"""Warns about a city in two spellings, and about a city in another country than expected.

Spellings: in two languages (Munich and München), with an umlaut in two letters (Köln and Koeln), or
with and without its region.  A warning is at the first record with the less frequent spelling.
Cities with one name in different regions of a country are different cities.

Countries: only one record puts the city there, and several other records, or the list of time
zones, put it in one other country.  Many city names exist in several countries, so a record with a
region gets no warning.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from generator.grammar.filters import Facet
from generator.kinds.types import COUNTRIES
from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.model.country_names import other_spelling
from generator.model.kinds.event_times import zone_places
from generator.problems.faults import Fault
from generator.text.words import slugify

#: Letters that are written as two, by country.
_TWO_LETTERS = dict.fromkeys(("at", "ch", "de", "li", "lu"), "(?<=[aou])e") | dict.fromkeys(
    ("dk", "fi", "no", "se"), "(?<=[ao])e|(?<=a)a"
)
_saint = re.compile("^(?:saint|sankt|sint)-").sub
_MIN_RECORDS = 4  # so many records settle the country of a city


class _City(NamedTuple):
    """A place in a country, both as slugs: a city as written, its name and its region, "" if there
    is none; and the number of records with it in a collection, the first if several have it.
    """

    country: str
    place: str
    written: str
    name: str
    region: str
    records: int
    collection: str

    @property
    def slice(self) -> Facet:
        return Facet("location", f"{self.country}-{self.place}")


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    cities = {name: [*_cities(name, records)] for name, records in collections.items()}
    order = {name: number for number, name in enumerate(collections)}

    def first_slug(city: _City) -> str:
        return collections[city.collection].first_slug(city.slice)

    for spellings in _spellings(chain.from_iterable(cities.values())):
        spellings.sort(key=lambda city: (-city.records, order[city.collection], first_slug(city)))
        for city in spellings[1:]:
            yield RecordFault(city.collection, first_slug(city), _spelled(city, spellings[0]))
    for of_collection in cities.values():
        for city, country, count in _elsewhere(of_collection):
            yield RecordFault(city.collection, first_slug(city), _misplaced(city, country, count))


def _cities(collection: str, records: CollectionRecords) -> Iterator[_City]:
    for facet, members in records.members.items():
        country, place = facet.value[:2], facet.value[3:]
        if facet.filter == "location" and facet.value[2:3] == "-" and len(members):
            label = records.labels.get(facet.value, place)
            written = label.removesuffix(f", {COUNTRIES[country.upper()]}")
            name, region = _split(written, place)
            yield _City(country, place, written, name, region, len(members), collection)


def _split(label: str, place: str) -> tuple[str, str]:
    """City and region of a label such as "Portland, Oregon"; a name may have a comma too."""
    parts = label.split(", ")
    for i in range(1, len(parts)):
        city, region = ", ".join(parts[:i]), ", ".join(parts[i:])
        if f"{slugify(region)}-{slugify(city)}" == place:
            return city, region
    return label, ""


def _regions(cities: Iterable[_City]) -> set[tuple[str, str]]:
    """(country, place) of the regions of cities."""
    return {(city.country, slugify(city.region)) for city in cities if city.region}


# --- spellings ------------------------------------------------------------------------------------


def _spelled(city: _City, top: _City) -> Fault:
    records = f"{top.records:,} record{'s' * (top.records != 1)}"
    message = f'locations: "{city.written}" looks like the same city as "{top.written}" ({records})'
    hint = (
        "if it is the same city, write it and its region the same everywhere; if not, give both "
        "their region"
    )
    return Fault(
        "city-spelling", message, ("locations",), hint, severity="warning", item_slug=city.place
    )


def _spellings(cities: Iterable[_City]) -> Iterator[list[_City]]:
    """The spellings of each city that has several."""
    found: dict[tuple[str, str], _City] = {}
    for city in cities:
        known = found.setdefault((city.country, city.place), city)
        if known is not city:
            total = known.records + city.records
            found[city.country, city.place] = known._replace(records=total)
    regions = _regions(found.values())
    groups: dict[tuple[str, str], list[_City]] = {}
    for city in found.values():
        key = city.country, _city_key(slugify(city.name), city.country)
        groups.setdefault(key, []).append(city)
    for group in groups.values():
        if len(group) > 1:
            yield from _same([c for c in group if (c.country, c.place) not in regions])


def _same(cities: list[_City]) -> Iterator[list[_City]]:
    """The lists of spellings that may mean the same city, of a city by its name.

    If the name is in several regions, a spelling without a region may mean any of them.
    """
    by_region: dict[str, list[_City]] = {}
    for city in cities:
        by_region.setdefault(_region_key(city), []).append(city)
    lists: Iterable[list[_City]] = by_region.values()
    if len(by_region) == 2 and "" in by_region:
        lists = [cities]
    yield from (found for found in lists if len(found) > 1)


def _region_key(city: _City) -> str:
    """The slug of a region, the same for its code and its name where addresses give codes."""
    other = other_spelling(city.region, city.country.upper()) or ""
    return slugify(max(city.region, other, key=len))


def _city_key(slug: str, country: str) -> str:
    slug = _plain(slug, country)
    return _names(country).get(slug, slug)


def _plain(slug: str, country: str) -> str:
    """A slug with its umlauts in one letter, and with one word for saints."""
    pattern = _TWO_LETTERS.get(country)
    return _saint("st-", re.sub(pattern, "", slug) if pattern else slug)


@cache
def _large_cities() -> dict[str, list[str]]:
    """Country -> the names of each large city in English, German, French and the languages of the
    country, as slugs.
    """
    cities: dict[str, list[str]] = json.loads(Path(__file__).with_suffix(".json").read_bytes())
    return cities


@cache
def _names(country: str) -> dict[str, str]:
    """Name -> first name, of the cities of a country with several names."""
    cities = [city.split() for city in _large_cities().get(country, ())]
    return {_plain(name, country): names[0] for names in cities for name in names}


# --- countries ------------------------------------------------------------------------------------


def _elsewhere(cities: Sequence[_City]) -> Iterator[tuple[_City, str, int]]:
    """The cities of one collection that only one record puts into their country; with the country
    that is expected, and its number of records; 0 if time zones name it.
    """
    counts: dict[str, Counter[str]] = {}  # of places, and of cities without their region
    for city in cities:
        counts.setdefault(city.place, Counter())[city.country] += city.records
        if city.region:
            counts.setdefault(slugify(city.name), Counter())[city.country] += city.records
    regions = _regions(cities)
    for city in cities:
        if len(city.place) < 4 or (city.country, city.place) in regions:
            continue
        others = Counter(counts[city.place])
        if others.pop(city.country) > 1:
            continue
        country, count = max(others.items(), key=lambda pair: pair[::-1], default=("", 0))
        if count >= _MIN_RECORDS:
            yield city, country, count
        else:
            zones = _zone_cities().get(city.place, set())
            if len(zones) == 1 and city.country not in zones:
                yield city, next(iter(zones)), 0


def _misplaced(city: _City, expected: str, count: int) -> Fault:
    others = f"{count:,} other records put" if count else "the list of time zones puts"
    message = (
        f"locations: only this record puts {city.name} in {COUNTRIES[city.country.upper()]}; "
        f"{others} it in {COUNTRIES[expected.upper()]}"
    )
    hint = (
        f"write country: {expected.upper()}; if another {city.name} is meant, add its region, or "
        "write accept: [city-elsewhere]"
    )
    return Fault(
        "city-elsewhere", message, ("locations",), hint, severity="warning", item_slug=city.place
    )


@cache
def _zone_cities() -> dict[str, set[str]]:
    """City -> countries, for the cities that time zones are named after."""
    cities: dict[str, set[str]] = {}
    for country, city, _ in zone_places():
        cities.setdefault(city, set()).add(country)
    return cities
