"""Places of a record: a country, with or without a region and a city."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from generator.kinds.types import COUNTRIES
from generator.model.country_names import Reading, find_country, is_part, read_last_part
from generator.model.kinds.event_times import zone_places
from generator.text.words import slugify

Place = dict[str, Any]


class NotAPlace(ValueError):
    """A text is not a place; the message says why, `hint` what to write."""

    def __init__(self, message: str, hint: str):
        super().__init__(message)
        self.hint = hint


class PlaceText(NamedTuple):
    """A place as a text names it: `country` is a word.

    If this word is not the word of one country alone, `readings` are the places it may be.
    """

    country: str
    region: str | None = None
    city: str | None = None
    readings: tuple[Reading, ...] = ()


def read_place(
    parts: Sequence[str], country: str | None = None, *, sure: bool = False
) -> PlaceText:
    """The place of a text such as "City, Region, Country", by its parts.  Raises NotAPlace.

    If the `country` is known from elsewhere, the text may leave it out.  A last part that is a
    country and a part of another one is a country only if `sure` is set, or if the text also has a
    region that is not in the other country, or a city after which a time zone of the country is
    named.
    """
    names, word = list(parts), country or ""
    readings: tuple[Reading, ...] = ()
    if country is None and names:
        word = names.pop()
        readings = read_last_part(word, alone=not names)
        if readings and not readings[0].region and (sure or _is_country(readings, names)):
            readings = ()
    elif names:
        named = find_country(names[-1])
        if named == country:
            names.pop()
        elif named is not None and len(names) > 1 and not is_part(names[-1], word):
            message = f"it ends with {COUNTRIES[named]}, but its country is {COUNTRIES[word]}"
            raise NotAPlace(message, "correct one of them")
    if len(names) > 2 or not word or not all(names):
        raise NotAPlace("it is not a place", _FORM)
    city, region = (*names, None, None)[:2]
    return PlaceText(word, region, city, readings)


def _is_country(readings: Sequence[Reading], names: Sequence[str]) -> bool:
    country, *others = (reading.country for reading in readings)
    if not others or len(names) > 2:
        return True
    if len(names) > 1:
        region = names[-1]
        return is_part(region, country) or not any(is_part(region, other) for other in others)
    return bool(names) and (country.lower(), slugify(names[0])) in _zone_cities()


@cache
def _zone_cities() -> frozenset[tuple[str, str]]:
    return frozenset((country, city) for country, city, _ in zone_places())


_FORM = "write City, Country or City, Region, Country"


def can_be_same(place: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two places may be the same: no part that both have differs."""
    return all(other.get(name) in (None, part) for name, part in place.items() if part is not None)


def update_places(places: Sequence[Any], given: Sequence[Mapping[str, Any]]) -> list[Place]:
    """A record's places after an import; None removes a part, and a missing part stays."""
    left = [place for place in places if isinstance(place, dict)]
    matches: dict[int, Place] = {}
    for is_match in (_has_parts, can_be_same):
        for number, place in enumerate(given):
            match = next((candidate for candidate in left if is_match(candidate, place)), None)
            if match is not None and number not in matches:
                matches[number] = match
                left.remove(match)
    result = []
    for number, place in enumerate(given):
        result.append(filled({**matches.get(number, {}), **place}))
        for other in [candidate for candidate in left if _has_parts(candidate, place)]:
            result.append(filled(other))  # a country in the table stands for all its places
            left.remove(other)
    return result


def join_places(places: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The places of two records.  A place with fewer parts is joined with one that has more."""
    result = list(places)
    for place in others:
        if not isinstance(place, dict):
            result += [place] if place not in result else []
            continue
        number = next((i for i, known in enumerate(result) if _can_join(known, place)), None)
        if number is None:
            result.append(place)
        else:
            result[number] = filled({**place, **filled(result[number])})
    return result


def _can_join(place: Any, other: Place) -> bool:
    if not isinstance(place, dict) or not can_be_same(place, other):
        return False
    parts, other_parts = filled(place).items(), filled(other).items()
    return parts <= other_parts or other_parts <= parts


def _has_parts(place: Mapping[str, Any], parts: Mapping[str, Any]) -> bool:
    return all(place.get(name) == part for name, part in parts.items())


def filled(place: Mapping[str, Any]) -> Place:
    """A place without its empty parts."""
    return {name: part for name, part in place.items() if part is not None}
