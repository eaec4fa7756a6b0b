"""A region or city has a spelling that gives a slug of at most `MAX_SLUG` characters.  Warns about
a city with its country, its region or its postcode, and about "online" as a city.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from generator.kinds.declare import Declared
from generator.kinds.types import Location
from generator.model.kind import Kind
from generator.model.online import online_field, without_online
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault
from generator.text.words import MAX_SLUG, fold, slugify

_HINT = "write it in Latin letters, like Tokyo"


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for i, place in enumerate(record.locations or ()):
        if not _is_plain(place.region, place.city):
            yield from _check_spellings(kind.declared, place, i)
        if place.city and _is_odd(place.city) and without_online(place.city) is None:
            city = _city_alone(place.city, place.region, place.country)
            if city is not None:
                yield _check_city(city, place.city, i)


#: The name of a city that includes its region.
_WHOLE = ("washington, d.c.", "washington, dc")
_is_odd = re.compile(r"[^,]*[,\d(]").match
_postcode = re.compile(
    r"(?:(?:[A-Z]{1,3}[- ])?\d{4,6}(?:-\d{3})?(?: [A-Z]{2}\b)?|\d{3} \d{2}) (?P<city>[^\W\d]\D+)"
    r"|(?P<first>[^\W\d]\D+?),? (?:\d{5,6}(?:-\d{3,4})?|\d{4} [A-Z]{2})"
).fullmatch


#: A street with a house number, and the city behind it.
_street = re.compile(
    r"[^\W\d][^\d,]+ \d{1,4} ?[a-z]?, *(?:\d{4,6} )?(?P<city>[^\W\d][^\d,]+)(?P<first>)"
).fullmatch


class _CityName(NamedTuple):
    """A city without its postcode and the names of places around it, and the region and the country
    of another location that these name.
    """

    name: str
    region: str = ""
    country: str = ""


@lru_cache(maxsize=1024)
def _city_alone(text: str, region: str | None, country: str) -> _CityName | None:
    """The city in a text that has more than its name; else None."""
    from generator.model.country_names import find_country, is_part

    match = _street(text)
    if match is None or find_country(match["city"]) or is_part(match["city"], country):
        match = _postcode(text)
    city = _CityName(match["city"] or match["first"] if match is not None else text)
    while parts := _with_more(city.name):
        name, around = parts["name"], parts["around"]
        if find_country(around) == country or (region and fold(region) == fold(around)):
            city = city._replace(name=name)
        elif is_part(around, country) and fold(text) not in _WHOLE:
            city = city._replace(name=name, region=around)
        elif len(around) > 3 and (other := find_country(around)):
            city = city._replace(name=name, country=other)
        else:
            break
    return city if city.name != text else None


_with_more = re.compile(r"(?P<name>.+?)\s*(?:,\s*|\((?=.*\)$))(?P<around>[^,()]+)\)?").fullmatch


def _check_city(city: _CityName, text: str, number: int) -> Fault:
    loc = ("locations", number, "city")
    message = f'locations[{number}].city: "{text}" is more than the name of a city'
    more = [f"{name}: {value}" for name, value in city._asdict().items() if value][1:]
    hint = ", ".join([f'write "{city.name}"', *more])
    fix = None if more else Fix("value", city.name, loc)
    return Fault("odd-city", message, loc, hint, severity="warning", fix=fix)


@lru_cache(maxsize=65536)
def _is_plain(region: str | None, city: str | None) -> bool:
    parts = [part for part in (region, city) if part is not None]
    have_slugs = all(0 < len(slugify(part)) <= MAX_SLUG for part in parts)
    return have_slugs and without_online(city or "") is None


def _check_spellings(declared: Declared, place: Location, i: int) -> Iterator[Fault]:
    rest = without_online(place.city or "")
    if rest is not None:
        field = online_field(declared)
        hint = f'write "{rest}"' if rest else "leave this location out"
        hint += f", and write {field}: true" if field else ""
        message = f'locations[{i}].city: "{place.city}" is not a city'
        yield Fault("odd-city", message, ("locations", i, "city"), hint, severity="warning")
        return
    for part in ("region", "city"):
        text, loc = getattr(place, part), ("locations", i, part)
        slug = slugify(text) if text is not None else part
        if not slug:
            message = f'locations[{i}].{part}: "{text}" has no letter a-z and no digit'
            yield Fault("latin-spelling", message, loc, _HINT)
        elif len(slug) > MAX_SLUG:
            # NFKD can turn one character into several letters, such as U+33AF.
            message = (
                f"locations[{i}].{part} makes a slug of {len(slug)} characters; at most {MAX_SLUG} "
                "are allowed"
            )
            yield Fault("invalid-length", message, loc, _HINT)
