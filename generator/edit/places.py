"""Places of a record, each a country that may have a region and a city."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Place = dict[str, Any]


def agree(one: Mapping[str, Any], two: Mapping[str, Any]) -> bool:
    """Whether two places can be one: no part differs that both have."""
    return all(two.get(name) in (None, part) for name, part in one.items() if part is not None)


def updated(places: Sequence[Any], said: Sequence[Mapping[str, Any]]) -> list[Place]:
    """The places that a table gives a record, with what the table does not speak of.

    A part of `said` that is None is to be empty; a part that is missing stays as it is.
    """
    left = [place for place in places if isinstance(place, dict)]
    found: dict[int, Place] = {}
    for fits in (_says, agree):
        for number, place in enumerate(said):
            same = next((one for one in left if fits(one, place)), None)
            if same is not None and number not in found:
                found[number] = same
                left.remove(same)
    made = []
    for number, place in enumerate(said):
        made.append(_filled({**found.get(number, {}), **place}))
        for other in [one for one in left if _says(one, place)]:
            made.append(_filled(other))  # the table names its country once for both
            left.remove(other)
    return made


def joined(places: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The places of two records: one that names less than another is that place."""
    made = list(places)
    for place in others:
        if not isinstance(place, dict):
            made += [place] if place not in made else []
            continue
        same = next((i for i, one in enumerate(made) if _can_join(one, place)), None)
        if same is None:
            made.append(place)
        else:
            made[same] = _filled({**place, **_filled(made[same])})
    return made


def _can_join(one: Any, other: Place) -> bool:
    if not isinstance(one, dict) or not agree(one, other):
        return False
    mine, theirs = _filled(one), _filled(other)
    return mine.items() <= theirs.items() or theirs.items() <= mine.items()


def _says(one: Mapping[str, Any], place: Mapping[str, Any]) -> bool:
    """Whether a record's place has just the parts that a table names."""
    return all(one.get(name) == part for name, part in place.items())


def _filled(place: Mapping[str, Any]) -> Place:
    return {name: part for name, part in place.items() if part is not None}
