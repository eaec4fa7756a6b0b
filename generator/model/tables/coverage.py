"""How complete records are: how many fill each field, and how many share a text.

A record is described by a few numbers: one for each field that it fills, and for each aspect of
several fields.  The day of `verified` is one more: its proleptic ordinal, negative.  A table counts
the records with each number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import accumulate
from typing import NamedTuple
from zlib import crc32

from generator.grammar.grammar import Collection, Grammar
from generator.kinds.declare import Field
from generator.kinds.record import Record

#: The aspects of a record with their labels.
ASPECTS = {
    "website": "Website",
    "text": "Summary or description",
    "places": "Place",
    "tags": "Tag",
    "sources": "Source",
    "year": "Year",
}
#: Aspects that consist of several fields -> the first of these fields.
COMPOSED = {"text": "summary", "places": "locations"}
#: The number that every record has, those of the aspects of several fields, and the first number of
#: the fields.
_RECORD, _TEXT, _PLACES, _FIRST = range(4)
_TEXTS = ("text", "prose", "url")  # types of fields whose values are compared
_BUCKETS = 256  # number of hashes of a text
_STEP = _BUCKETS + 1  # the numbers of one field: filled without a hash, then each hash


def share_of(count: int, total: int) -> float:
    """A share from 0 to 1, with the digits of published documents; 0 of nothing."""
    return round(count / total, 4) if total else 0.0


class CountedField(NamedTuple):
    """A counted field with its first number."""

    name: str
    number: int
    is_text: bool


def coverage_numbers(record: Record, fields: Iterable[CountedField]) -> tuple[int, ...]:
    """The numbers of a record: `_RECORD`, its aspects of several fields, and the fields that it
    fills.

    `remote: true` and `online: true` count as places.  A text has one of `_BUCKETS` numbers, by its
    hash.
    """
    attributes = record.__dict__
    numbers = [_RECORD]
    if record.summary or record.description:
        numbers.append(_TEXT)
    if record.locations or attributes.get("remote") or attributes.get("online"):
        numbers.append(_PLACES)
    for name, number, is_text in fields:
        value = attributes.get(name)
        if not value:
            if value == 0:  # or False
                numbers.append(number)
        elif is_text:
            numbers.append(number + 1 + crc32(value.encode("utf-8", "replace")) % _BUCKETS)
        elif type(value) is not dict or any(value.values()):
            numbers.append(number)
    if record.verified is not None:
        numbers.append(-date.fromisoformat(record.verified).toordinal())
    return tuple(numbers)


def number_fields(collection: str, grammar: Grammar) -> list[CountedField]:
    """The counted fields of a collection with their numbers."""
    return [
        CountedField(f.name, _FIRST + i * _STEP, not f.many and f.type in _TEXTS)
        for i, f in enumerate(_counted(collection, grammar))
    ]


def _counted(collection: str, grammar: Grammar) -> list[Field]:
    """The counted fields of a collection, in order of number: all that are published except the
    name, which every record has, and files like the logo.
    """
    written = grammar.kinds[collection].written.values()
    return [f for f in written if f.published and f.name != "name" and not f.is_file]


def fields_to_count(collection: str, grammar: Grammar) -> list[str]:
    """The names of the counted fields, in order of number; an own field is `fields.KEY`."""
    return [".".join(f.path) for f in _counted(collection, grammar)]


def records_counted(coverage: Mapping[int, int]) -> int:
    """The number of records."""
    return coverage.get(_RECORD, 0)


def count_aspects(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, int]:
    """Aspect -> number of records, for a collection with these fields (`fields_to_count`)."""
    counts = count_filled(coverage, fields)
    composed = {"text": coverage.get(_TEXT, 0), "places": coverage.get(_PLACES, 0)}
    counts |= {name: count for name, count in composed.items() if COMPOSED[name] in counts}
    return {name: counts[name] for name in ASPECTS if name in counts}


def without_values(
    collection: Collection, coverage: Mapping[int, int], grammar: Grammar
) -> set[str]:
    """The names of sorts, ranges and statistics that say nothing: of fields that no record of the
    collection has, and of numbers of records of collections that are empty.
    """
    filled = count_filled(coverage, fields_to_count(collection.name, grammar))
    fields = _counted(collection.name, grammar)
    absent = {f.name for f in fields if not filled[".".join(f.path)]}
    return absent | (grammar.collections.keys() - grammar.filled)


def count_filled(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, int]:
    """Field (of `fields_to_count`) -> number of records that fill it."""
    return {name: sum(counts) for name, counts in _split(coverage, fields).items()}


def count_same_texts(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, int]:
    """Text field -> number of records that have its most frequent text.

    Texts with the same hash count as the same, so the number may be a little too large.
    """
    split = _split(coverage, fields)
    return {name: max(counts[1:]) for name, counts in split.items() if any(counts[1:])}


def ages(coverage: Mapping[int, int], as_of: date) -> dict[int, int]:
    """Days since a record was verified -> number of records, ascending; a future day counts as
    `as_of`.  Records that were never verified are left out.
    """
    found: dict[int, int] = {}
    for number in sorted(n for n in coverage if n < 0):
        age = max(0, as_of.toordinal() + number)
        found[age] = found.get(age, 0) + coverage[number]
    return found


def median_age(days: Mapping[int, int]) -> int | None:
    """The median of `ages`, the lower of two; None without any."""
    half = (sum(days.values()) + 1) // 2
    reached = zip(days, accumulate(days.values()), strict=True)
    return next((age for age, count in reached if count >= half), None)


def _split(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, list[int]]:
    """Field -> number of records with each of its `_STEP` numbers."""
    split = {name: [0] * _STEP for name in fields}
    for number, count in coverage.items():
        place, rest = divmod(number - _FIRST, _STEP)
        if 0 <= place < len(fields):
            split[fields[place]][rest] += count
    return split
