"""Warns about a city in two spellings: in two languages (Munich and München), with an umlaut in two
letters (Köln and Koeln), or with and without its region.  A warning is at the first record with the
less frequent spelling.

Cities with one name in different regions of a country are different cities.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from generator.grammar.filters import Facet
from generator.kinds.types import COUNTRIES
from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.model.country_names import other_spelling
from generator.problems.faults import Fault
from generator.text.words import slugify

#: Letters that are written as two, by country.
_TWO_LETTERS = dict.fromkeys(("at", "ch", "de", "li", "lu"), "(?<=[aou])e") | dict.fromkeys(
    ("dk", "fi", "no", "se"), "(?<=[ao])e|(?<=a)a"
)
_saint = re.compile("^(?:saint|sankt|sint)-").sub
#: The names of large cities in English, German, French and the languages of their country, as
#: slugs; commas separate the cities.
_NAMES = {
    "at": "vienna wien vienne",
    "be": "brussels bruxelles brussel, antwerp antwerpen anvers, ghent gent gand, bruges brugge, "
    "liege luik luttich, leuven louvain, mechelen malines",
    "bg": "sofia sofiya",
    "ch": "geneva geneve genf, basel basle bale, bern berne, lucerne luzern, st-gallen st-gall",
    "cn": "beijing peking, guangzhou canton, xi-an xian",
    "co": "bogota bogota-d-c",
    "cz": "prague praha prag, brno brunn, plzen pilsen",
    "de": "munich munchen, cologne koln, nuremberg nurnberg, hanover hannover, "
    "brunswick braunschweig, frankfurt frankfurt-am-main",
    "dk": "copenhagen kobenhavn kopenhagen copenhague",
    "eg": "cairo kairo al-qahirah le-caire",
    "es": "seville sevilla, zaragoza saragossa, a-coruna la-coruna, san-sebastian donostia",
    "fi": "helsinki helsingfors, turku abo, tampere tammerfors, espoo esbo",
    "fr": "lyon lyons, marseille marseilles, strasbourg strassburg",
    "gr": "athens athina athen, thessaloniki salonica saloniki",
    "il": "tel-aviv tel-aviv-yafo tel-aviv-jaffa",
    "in": "bangalore bengaluru, mumbai bombay, chennai madras, kolkata calcutta, "
    "gurgaon gurugram, mysore mysuru, pune poona, kochi cochin",
    "it": "rome roma rom, milan milano mailand, turin torino, florence firenze florenz, "
    "venice venezia venedig, naples napoli neapel, genoa genova genua, bolzano bozen",
    "jp": "tokyo tokio, kyoto kioto",
    "kr": "busan pusan, incheon inchon",
    "lu": "luxembourg luxemburg luxembourg-city",
    "ma": "marrakesh marrakech, fez fes, tangier tanger",
    "mx": "mexico-city ciudad-de-mexico cdmx",
    "nl": "the-hague den-haag s-gravenhage",
    "pl": "warsaw warszawa warschau varsovie, krakow cracow krakau, wroclaw breslau, gdansk danzig",
    "pt": "lisbon lisboa lissabon lisbonne, porto oporto",
    "ro": "bucharest bucuresti bukarest bucarest, cluj-napoca cluj",
    "rs": "belgrade beograd belgrad",
    "ru": "moscow moskva moskau moscou, st-petersburg st-peterburg",
    "sa": "riyadh ar-riyad, jeddah jiddah",
    "se": "gothenburg goteborg",
    "ua": "kyiv kiev kiew, lviv lvov lemberg, odesa odessa, kharkiv kharkov",
    "us": "new-york new-york-city nyc, washington washington-d-c washington-dc",
    "vn": "ho-chi-minh-city saigon, hanoi ha-noi",
}


class _Spelling(NamedTuple):
    """A spelling of a city: its slice, its place as a slug without the country, and its name as
    written.  `region` is its region, "" if there is none.
    """

    part: Facet
    place: str
    written: str
    region: str


class _Use(NamedTuple):
    """The use of a spelling: the number of records, and the first collection and slug."""

    records: int
    collection: str
    slug: str


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    order = {name: number for number, name in enumerate(collections)}
    for spellings in _spellings(collections):
        uses = {city: _uses(collections, city) for city in spellings}
        ranked = sorted(
            spellings,
            key=lambda city: (-uses[city].records, order[uses[city].collection], uses[city].slug),
        )
        for city in ranked[1:]:
            fault = _fault(city, ranked[0], uses[ranked[0]].records)
            yield RecordFault(uses[city].collection, uses[city].slug, fault)


def _fault(city: _Spelling, top: _Spelling, count: int) -> Fault:
    records = f"{count:,} record{'s' * (count != 1)}"
    message = f'locations: "{city.written}" looks like the same city as "{top.written}" ({records})'
    hint = (
        "if it is the same city, write it and its region the same everywhere; if not, give both "
        "their region"
    )
    return Fault(
        "city-spelling", message, ("locations",), hint, severity="warning", item_slug=city.place
    )


def _uses(collections: Mapping[str, CollectionRecords], city: _Spelling) -> _Use:
    parts = [
        (name, records.slice_members)
        for name, records in collections.items()
        if len(records.slice_members.members.get(city.part, ()))
    ]
    count = sum(len(uses.members[city.part]) for _, uses in parts)
    name, first = parts[0]
    return _Use(count, name, first.first_slug(city.part))


def _spellings(collections: Mapping[str, CollectionRecords]) -> Iterator[list[_Spelling]]:
    """The spellings of each city that has several."""
    labels: dict[str, str] = {}
    for records in collections.values():
        uses = records.slice_members
        for part, members in uses.members.items():
            key, place = part
            if key == "location" and place[2:3] == "-" and len(members):
                labels.setdefault(place, uses.labels.get(place, ""))
    groups: dict[tuple[str, str], list[_Spelling]] = {}
    regions = set()
    for place, label in labels.items():
        country, label = place[:2], label.removesuffix(f", {COUNTRIES[place[:2].upper()]}")
        city, region = _split(label, place[3:])
        if region:
            regions.add(f"{country}-{slugify(region)}")
        found = _Spelling(Facet("location", place), place[3:], label, region)
        groups.setdefault((country, _city_key(slugify(city), country)), []).append(found)
    for (country, _), cities in groups.items():
        if len(cities) > 1:
            yield from _same([c for c in cities if f"{country}-{c.place}" not in regions])


def _same(cities: list[_Spelling]) -> Iterator[list[_Spelling]]:
    """The lists of spellings that may mean the same city, of a city by its name.

    If the name is in several regions, a spelling without a region may mean any of them.
    """
    by_region: dict[str, list[_Spelling]] = {}
    for city in cities:
        by_region.setdefault(_region_key(city), []).append(city)
    lists: Iterable[list[_Spelling]] = by_region.values()
    if len(by_region) == 2 and "" in by_region:
        lists = [cities]
    yield from (found for found in lists if len(found) > 1)


def _split(label: str, place: str) -> tuple[str, str]:
    """City and region of a label such as "Portland, Oregon"; a name may have a comma too."""
    parts = label.split(", ")
    for i in range(1, len(parts)):
        city, region = ", ".join(parts[:i]), ", ".join(parts[i:])
        if f"{slugify(region)}-{slugify(city)}" == place:
            return city, region
    return label, ""


def _region_key(city: _Spelling) -> str:
    """The slug of a region, the same for its code and its name where addresses give codes."""
    country = city.part.value[:2].upper()
    return slugify(max(city.region, other_spelling(city.region, country) or "", key=len))


def _city_key(slug: str, country: str) -> str:
    slug = _plain(slug, country)
    return _names(country).get(slug, slug)


def _plain(slug: str, country: str) -> str:
    """A slug with its umlauts in one letter, and with one word for saints."""
    pattern = _TWO_LETTERS.get(country)
    return _saint("st-", re.sub(pattern, "", slug) if pattern else slug)


@cache
def _names(country: str) -> dict[str, str]:
    """Name -> first name, of the cities of a country with several names."""
    cities = [city.split() for city in _NAMES.get(country, "").split(",")]
    return {_plain(name, country): names[0] for names in cities if names for name in names}
