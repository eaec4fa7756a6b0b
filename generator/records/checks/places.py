"""Regions and cities have a spelling that a slug can be made of."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from generator.api.text import MAX_SLUG, slugify
from generator.records.faults import Fault
from generator.records.symbols import Kind, Symbols

_slugify = lru_cache(maxsize=65536)(slugify)


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for i, where in enumerate(record.locations or ()):
        for part in ("region", "city"):
            text = getattr(where, part)
            slug = _slugify(text) if text is not None else part
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
