"""The line under the name of a record: what it is, its cohorts or its year, and where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.grammar.grammar import Collection
from generator.site import labels
from generator.site.fields import Fact, FactValue, Record, own_badge, value_link
from generator.site.page_context import Site

#: The most values of a field in the line.
MOST = 2


class LinePart(NamedTuple):
    """A field with its first values, and the number of the others.

    `tone` is that of its badge, None if it has none.  People see the label only if it is
    `labelled`.
    """

    label: str
    values: list[FactValue]
    more: int = 0
    tone: str | None = None
    labelled: bool = False


def line(
    site: Site, collection: Collection, record: Record, facts: dict[str, Fact]
) -> list[LinePart]:
    """The line; the fields that have all of their values in it leave `facts`."""
    return list(_parts(site, collection, record, facts))


def _parts(
    site: Site, collection: Collection, record: Record, facts: dict[str, Fact]
) -> Iterator[LinePart]:
    declared, badged = collection.declared, collection.declared.badged
    kind = declared.fields.get("kind")
    if kind and kind.apart:
        label = labels.filter_label(site, collection, "kind")
        yield LinePart(label, [value_link(site, collection, "kind", record["kind"])])
    series = (f for f in declared.owners if f.refers == site.grammar.kinds.series and not f.is_own)
    begun = next((f.name for f in series if f.name in facts), "year")
    for name in dict.fromkeys((badged, "status", begun, "locations")):
        if name not in facts:
            continue
        label, values = facts[name]
        tone = None
        if name == badged and declared.fields[name].is_own:
            tone, text = "quiet", own_badge(site, collection, record)
            if not text:
                continue
            if text != values[0].text:  # a field that is true is named
                values = [FactValue(text)]
        elif name == "status":
            tone = declared.tones.get(record[name])
            if tone is None:
                continue
        shown = values[:MOST]
        if len(shown) == len(values):
            del facts[name]
        labelled = name == "year" and bool(site.settings.label(declared, name))
        yield LinePart(label, shown, len(values) - len(shown), tone, labelled)
