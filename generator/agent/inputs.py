"""The inputs of the tools as parts of JSON Schemas: records to show, filters, words, numbers.

Built from the grammar alone, with the keywords that arguments.mjs checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from generator.grammar.filters import MAX_VALUES
from generator.grammar.grammar import ANY_TAG, Collection, Grammar
from generator.text.words import MAX_SLUG, SLUG

#: The bounds of one call.
MAX_RECORDS, MAX_FILTERS, MAX_FIELDS = 50, 10, 40
#: Characters of a word to find values by.
MAX_LIKE = 100
#: The default number of records in a list.
DEFAULT_RECORDS = 10
#: With more tag families, a tool gives a pattern for them instead of their names.
MAX_FAMILIES = 12

Schema = dict[str, Any]

START: Schema = {"type": "integer", "minimum": 1, "maximum": 999_999_999, "default": 1}
LIMIT: Schema = {
    "type": "integer",
    "minimum": 0,
    "maximum": MAX_RECORDS,
    "default": DEFAULT_RECORDS,
}
FIELDS: Schema = {
    "type": "array",
    "items": {"type": "string"},
    "maxItems": MAX_FIELDS,
}
_FILTERS_DESCRIPTION = (
    f"All must match. Up to {MAX_VALUES} values: a,b any; all:a,b; not:a,b; or a range of years, "
    "months or numbers: 2019..2024, 2020.."
)
SLUG_OF: Schema = {"type": "string", "pattern": f"^{SLUG}$", "maxLength": MAX_SLUG}


def arguments(
    properties: Schema,
    required: Sequence[str] = (),
    dependent: Mapping[str, list[str]] | None = None,
) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        **({"required": list(required)} if required else {}),
        **({"dependentRequired": dict(dependent)} if dependent else {}),
        "additionalProperties": False,
    }


def one_of(words: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(words)}


#: A text that the grammar checks: words, or the name of a filter.
TEXT: Schema = {"type": "string"}


def sort(collections: Iterable[Collection]) -> Schema:
    return one_of(dict.fromkeys(sort for c in collections for sort in c.sorts))


#: The filters of any collection. The grammar checks their names and texts.
FILTERS: Schema = {
    "type": "object",
    "additionalProperties": TEXT,
    "maxProperties": MAX_FILTERS,
    "description": "As in count_records",
}


def filters(grammar: Grammar, collections: Iterable[Collection]) -> Schema:
    """FILTERS with the names of the filters, unless there are many tag families."""
    collections = list(collections)
    properties: Schema = {}
    for c in collections:
        for name in c.query_filters:
            having = [other.name for other in collections if name in other.query_filters]
            lacking = [other.name for other in collections if name not in other.query_filters]
            properties[name] = TEXT
            if name == ANY_TAG:
                properties[name] = {**TEXT, "description": "in any family"}
            elif lacking and not name.startswith("tag_"):
                only = "not " + ", ".join(lacking) if len(lacking) == 1 else ", ".join(having)
                properties[name] = {**TEXT, "description": only}
        for name in c.virtual:
            properties[name] = one_of(["true"])
    if len(grammar.tag_families) > MAX_FAMILIES:
        properties = {n: part for n, part in properties.items() if not n.startswith("tag_")}
        return {**FILTERS, "properties": properties, "description": _FILTERS_DESCRIPTION}
    named = {"properties": properties, "additionalProperties": False}
    return {**FILTERS, **named, "description": _FILTERS_DESCRIPTION}
