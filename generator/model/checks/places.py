"""A region or city has a spelling that gives a slug of at most `MAX_SLUG` characters."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from generator.kinds.types import Location
from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.faults import Fault
from generator.text.words import MAX_SLUG, slugify

_HINT = "write it in Latin letters, like Tokyo"


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    if record.locations is not None:
        for place in record.locations:
            if not _has_slugs(place.region, place.city):
                return _check_locations(record.locations)
    return ()


@lru_cache(maxsize=65536)
def _has_slugs(*parts: str | None) -> bool:
    return all(0 < len(slugify(part)) <= MAX_SLUG for part in parts if part is not None)


def _check_locations(locations: list[Location]) -> Iterator[Fault]:
    for i, location in enumerate(locations):
        for part in ("region", "city"):
            text, loc = getattr(location, part), ("locations", i, part)
            slug = slugify(text) if text is not None else part
            if not slug:
                message = f'locations[{i}].{part}: "{text}" has no letter a-z and no digit'
                yield Fault("latin-spelling", message, loc, _HINT)
            elif len(slug) > MAX_SLUG:
                # NFKD can turn one character into several letters, such as U+33AF.
                message = (
                    f"locations[{i}].{part} makes a slug of {len(slug)} characters; at most "
                    f"{MAX_SLUG} are allowed"
                )
                yield Fault("invalid-length", message, loc, _HINT)
