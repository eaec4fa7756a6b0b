"""Warns about an amount of money below zero in an own field."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from generator.kinds.types import package_folder
from generator.model.kind import Kind
from generator.model.kinds.spans import implausible
from generator.model.settings import own_fields
from generator.model.symbols import Symbols
from generator.problems.faults import Fault
from generator.text.numbers import CURRENCY_SIGNS


@cache
def is_money(unit: str) -> bool:
    """Whether a unit names a currency by its sign or its code: "EUR", "Mio. €", "US$ per year"."""
    words = [*re.split(r"[\s/().,]+", unit), *unit]
    return any(word in _codes() or word.casefold() in CURRENCY_SIGNS for word in words)


@cache
def _codes() -> frozenset[str]:
    """The codes of ISO 4217."""
    path = package_folder("pycountry") / "databases" / "iso4217.json"
    return frozenset(entry["alpha_3"] for entry in json.loads(path.read_bytes())["4217"])


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for key, value in own_fields.own_values(record):
        if isinstance(value, int | float) and value < 0:
            unit = symbols.grammar.fields[kind.collection][key].unit
            if unit and is_money(unit):
                message = f"fields.{key}: {value:,} {unit} is less than nothing"
                yield implausible(("fields", key), message)
