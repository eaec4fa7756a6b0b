"""Places of a record: a country, with or without a region and a city."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Place = dict[str, Any]


def can_be_same(place: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two places may be the same: no part that both have differs."""
    return all(other.get(name) in (None, part) for name, part in place.items() if part is not None)


def update_places(places: Sequence[Any], given: Sequence[Mapping[str, Any]]) -> list[Place]:
    """A record's places after an import of the places that a table gives.

    If a part of a given place is None, it is removed; if a part is missing, the record keeps its
    own.
    """
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
