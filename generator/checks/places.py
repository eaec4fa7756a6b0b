"""Regions and cities have a spelling that a slug can be made of."""

from collections.abc import Iterator
from typing import Any

from generator.kinds.frame import Frame, Kind
from generator.load import Fault
from generator.query import slugify


def check_record(kind: Kind, record: Any, frame: Frame) -> Iterator[Fault]:
    for i, where in enumerate(record.locations or ()):
        for part in ("region", "city"):
            text = getattr(where, part)
            if text is not None and not slugify(text):
                what = f'locations[{i}].{part}: "{text}" has no letter a-z and no digit'
                yield Fault("latin-spelling", what, ("locations", i, part), "write it in Latin letters, like Tokyo")
