"""How complete records are: which fields each has, and how many records share a text.

The fields of a record become a few numbers.  A table counts the records of each number, so a build
of what changed need not read the records that it does not touch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple
from zlib import crc32

from generator.grammar.grammar import Grammar
from generator.model.fields import Record, is_address, is_prose
from generator.model.kinds import KINDS

#: Each thing that readers look for with its label; the first numbers are theirs, in this order.
ASPECTS = {
    "website": "Website",
    "text": "Summary or description",
    "places": "Place",
    "tags": "Tag",
    "sources": "Source",
    "year": "Year",
}
#: The number of every record, and the first one of the fields.
_RECORD, _FIRST = len(ASPECTS), len(ASPECTS) + 1
#: Aspects that several fields make, with the first of these fields.
COMPOSED = {"text": "summary", "places": "locations"}
#: Texts are told apart by a hash of so many values.
_BUCKETS = 256
_STEP = _BUCKETS + 1


class _Field(NamedTuple):
    """A field by its attribute, its number, and whether it is a text."""

    attribute: str
    number: int
    is_text: bool


def covers(record: Record) -> tuple[int, ...]:
    """The numbers of a record: its own, its aspects, and each field that it gives.

    A place is also `remote: true`.  A text has one of `_BUCKETS` numbers, by its hash.
    """
    held = record.__dict__
    tags = record.tags and any(record.tags.values())
    aspects = (
        record.website,
        record.summary or record.description,
        record.locations or held.get("remote"),
        tags,
        record.sources,
        held.get("year"),
    )
    numbers = [_RECORD, *(number for number, value in enumerate(aspects) if value)]
    of_record, of_own = _numbered(type(record))
    numbers += _given(held, of_record)
    if of_own and record.fields is not None:
        numbers += _given(record.fields.__dict__, of_own)
    return tuple(numbers)


def _given(held: Mapping[str, Any], fields: Sequence[_Field]) -> list[int]:
    numbers = []
    for attribute, number, is_text in fields:
        value = held.get(attribute)
        if not value:
            if value == 0:  # or False
                numbers.append(number)
        elif is_text:
            numbers.append(number + 1 + crc32(value.encode("utf-8", "replace")) % _BUCKETS)
        elif type(value) is not dict or any(value.values()):
            numbers.append(number)
    return numbers


@cache
def _numbered(model: type[Record]) -> tuple[Sequence[_Field], Sequence[_Field]]:
    """The fields of a model, and the registry's own fields in it."""
    own = getattr(model.model_fields["fields"].annotation, "__origin__", None)
    of_own = own.model_fields if own is not None and hasattr(own, "model_fields") else {}
    every = {name: model.model_fields[name] for name in _names(model)} | of_own
    fields = [
        _Field(
            name,
            _FIRST + place * _STEP,
            is_prose(field.annotation) or is_address(field.annotation),
        )
        for place, (name, field) in enumerate(every.items())
    ]
    return fields[: -len(of_own) or None], fields[len(fields) - len(of_own) :]


def _names(model: Any) -> list[str]:
    """The fields of a model that are counted: all but the name, which every record has."""
    return [name for name in model.model_fields if name not in ("name", "fields")]


def fields_of(collection: str, grammar: Grammar) -> list[str]:
    """The counted fields of a collection in the order of their numbers; an own field is
    `fields.KEY`.
    """
    own = (f"fields.{key}" for key in grammar.fields.get(collection, {}))
    return [*_names(KINDS[collection].model), *own]


def total(coverage: Mapping[int, int]) -> int:
    """How many records there are."""
    return coverage.get(_RECORD, 0)


def counted(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, int]:
    """How many records of a collection with these fields (`fields_of`) have each aspect."""
    return {
        name: coverage.get(number, 0)
        for number, name in enumerate(ASPECTS)
        if name != "year" or name in fields
    }


def given(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, int]:
    """How many records give each of these fields (`fields_of`)."""
    return {name: sum(some) for name, some in _split(coverage, fields).items()}


def alike(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, int]:
    """How many records have the same text at most, of each field that holds texts.

    Texts with the same hash count as the same, so the number may be a little too large.
    """
    return {name: max(some[1:]) for name, some in _split(coverage, fields).items() if any(some[1:])}


def _split(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, list[int]]:
    """Field -> how many records have each of its numbers."""
    split = {name: [0] * _STEP for name in fields}
    for number, count in coverage.items():
        place, rest = divmod(number - _FIRST, _STEP)
        if 0 <= place < len(fields):
            split[fields[place]][rest] += count
    return split
