"""The values of filters: which have slices, what people call them, how many records each has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.grammar.grammar import TAGS, Collection, Filter, Slice
from generator.model.kinds import KINDS
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts


def declared(collection: Collection, symbols: Symbols) -> dict[str, Mapping[str, str]]:
    """filter -> value -> label, for the values that have a slice even when no record has them."""
    fixed = KINDS[collection.name].fixed
    return {
        name: fixed[name] if name in fixed else _declared(known, symbols)
        for name, known in collection.prepared_filters.items()
    }


def _declared(known: Filter, symbols: Symbols) -> Mapping[str, str]:
    if known.refers:
        return {slug: target.name for slug, target in symbols.targets(known.refers).items()}
    if known.vocabulary.startswith(TAGS):
        family = known.vocabulary.removeprefix(TAGS)
        return symbols.tags[family] if family in symbols.closed else {}
    return {"categories": symbols.categories, "program_types": symbols.program_types}.get(
        known.vocabulary, {}
    )


def label(counts: Counts, name: str, value: str, known: Mapping[str, Mapping[str, str]]) -> str:
    """What a person calls a filter's value.  `known` is what `declared` says."""
    if value in known[name]:
        return known[name][value]
    one = counts.collection.filters[name]
    if one.vocabulary == "places":
        return "Remote" if value == "remote" else counts.labels.get(value, value)
    return one.spelled(value)


def values_by_count(counts: Counts, symbols: Symbols) -> dict[str, list[dict[str, Any]]]:
    """filter -> `{value, label, count, href}` of the values that any record has, by count
    descending, then value.
    """
    known = declared(counts.collection, symbols)
    return {
        name: [
            {
                "value": value,
                "label": label(counts, name, value, known),
                "count": count,
                "href": symbols.grammar.url(Slice(counts.collection, name, value).path()),
            }
            for value, count in sorted(values.items(), key=lambda item: (-item[1], item[0]))
        ]
        for name, values in counts.values.items()
    }
