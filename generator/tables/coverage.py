"""How complete records are: what each has of the things that readers look for.

What one record has is the bits of a number, so that a table need only count numbers, and a build of
what changed need not read the records that it does not touch.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.records.fields import Record

#: Each thing with what it is called, in the order of the bits.
ASPECTS = {
    "website": "Website",
    "text": "Summary or description",
    "places": "Place",
    "tags": "Tag",
    "sources": "Source",
    "year": "Year",
}


def covers(record: Record) -> int:
    """What a record has; who is remote has a place."""
    bits = 1 if record.website else 0
    if record.summary or record.description:
        bits |= 2
    if record.locations or getattr(record, "remote", None):
        bits |= 4
    if record.tags and any(record.tags.values()):
        bits |= 8
    if record.sources:
        bits |= 16
    if getattr(record, "year", None):
        bits |= 32
    return bits


def counted(coverage: Mapping[int, int]) -> dict[str, int]:
    """How many records have each thing, of a table's `coverage`."""
    return {
        name: sum(count for covers, count in coverage.items() if covers >> bit & 1)
        for bit, name in enumerate(ASPECTS)
    }
