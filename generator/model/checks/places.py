"""Regions and cities have a spelling that a slug can be made of."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from generator.grammar.text import MAX_SLUG, slugify
from generator.model.fields import Location
from generator.model.symbols import Kind, Symbols
from generator.problems.faults import Fault


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    if record.locations is not None:
        for place in record.locations:
            if not _spelled(place.region, place.city):
                return _told(record.locations)
    return ()


@lru_cache(maxsize=65536)
def _spelled(*parts: str | None) -> bool:
    return all(0 < len(slugify(part)) <= MAX_SLUG for part in parts if part is not None)


def _told(locations: list[Location]) -> Iterator[Fault]:
    for i, where in enumerate(locations):
        for part in ("region", "city"):
            text = getattr(where, part)
            slug = slugify(text) if text is not None else part
            if not slug:
                what = f'locations[{i}].{part}: "{text}" has no letter a-z and no digit'
                yield Fault(
                    "latin-spelling",
                    what,
                    ("locations", i, part),
                    "write it in Latin letters, like Tokyo",
                )
            elif len(slug) > MAX_SLUG:
                # NFKD makes several letters of one character, as of U+33AF: more than the name of a
                # file may have.
                what = (
                    f"locations[{i}].{part} makes a slug of {len(slug)} characters; at most "
                    f"{MAX_SLUG} are allowed"
                )
                yield Fault(
                    "invalid-length",
                    what,
                    ("locations", i, part),
                    "write it in Latin letters, like Tokyo",
                )
