"""The values of filters: which have slices, what people call them, how many records each has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.api.grammar import Collection, Slice
from generator.records.kinds import KINDS
from generator.records.symbols import Frame
from generator.tables.table import Counts


def declared(collection: Collection, frame: Frame) -> dict[str, Mapping[str, str]]:
    """filter -> value -> label, for the values that have a slice even when no record has them."""
    found: dict[str, Mapping[str, str]] = {}
    for name in collection.filters:
        fixed = KINDS[collection.name].fixed.get(name)
        if fixed is not None:
            found[name] = fixed
        elif name.startswith("tag_"):
            family = name.removeprefix("tag_")
            found[name] = frame.tags[family] if family in frame.closed else {}
        elif name in ("program", "organization"):
            found[name] = {slug: target.name for slug, target in frame.targets(name + "s").items()}
        elif name in ("category", "organization_category"):
            found[name] = frame.categories
        elif name == "type":
            found[name] = frame.program_types
        else:
            found[name] = {}
    return found


_MONTHS = ("January", "February", "March", "April", "May", "June", "July",
           "August", "September", "October", "November", "December")  # fmt: skip


def label(labels: Mapping[str, str], name: str, value: str, known: Mapping[str, Mapping[str, str]]) -> str:
    """What a person calls a filter's value.  `labels` are those of places, `known` is what `declared` says."""
    if value in known[name]:
        return known[name][value]
    if name == "location":
        return "Remote" if value == "remote" else labels.get(value, value)
    if name == "month":
        return f"{_MONTHS[int(value[5:]) - 1]} {value[:4]}"
    return value.replace("-", " ")


def values_by_count(counts: Counts, frame: Frame) -> dict[str, list[dict[str, Any]]]:
    """filter -> `{value, label, count, href}` of the values that any record has, by count descending, then value."""
    known = declared(counts.collection, frame)
    return {
        name: [
            {
                "value": value,
                "label": label(counts.labels, name, value, known),
                "count": count,
                "href": frame.grammar.url(Slice(counts.collection, name, value).path()),
            }
            for value, count in sorted(values.items(), key=lambda item: (-item[1], item[0]))
        ]
        for name, values in counts.values.items()
    }
