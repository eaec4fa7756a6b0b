"""The inputs of the tools as parts of JSON Schemas: records to show, filters, words, numbers.

Built from the grammar alone, with the keywords that `arguments.py` checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from generator.grammar.grammar import MAX_VALUE, Collection, Grammar
from generator.grammar.query_string import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.text import MAX_SLUG, SLUG

#: The bounds of one call.
MAX_RECORDS, MAX_FILTERS, MAX_FIELDS = 50, 10, 40
#: Characters of the text for one filter, and of a word to find values by.
MAX_CONSTRAINT, MAX_LIKE = 10 * (MAX_VALUE + 1) + 4, 100
#: The default number of records in a list.
DEFAULT_RECORDS = 10
#: With more tag families, a tool gives a pattern for them instead of their names.
MAX_FAMILIES = 12

Schema = dict[str, Any]

START: Schema = {
    "type": "integer",
    "minimum": 1,
    "maximum": 999_999_999,
    "default": 1,
    "description": "The number of the first row, or of the first character of a text, from 1. "
    "Copy it from next.",
}
LIMIT: Schema = {
    "type": "integer",
    "minimum": 0,
    "maximum": MAX_RECORDS,
    "default": DEFAULT_RECORDS,
    "description": "How many records to show. 0 gives only their number.",
}
FIELDS: Schema = {
    "type": "array",
    "items": {"type": "string", "pattern": "^[a-z]+(?:_[a-z]+)*$", "maxLength": 50},
    "maxItems": MAX_FIELDS,
    "uniqueItems": True,
    "description": "Show only these fields of each record, and its slug; [name, summary] takes a "
    "third of the space. describe_schema has the fields of lists.",
}
_FILTERS_DESCRIPTION = (
    "A record must match all filters. Give a value; several values: a,b for any, all:a,b for all, "
    "not:a,b for none; or a range of years, months or numbers: 2019..2024, 2020.., ..2010."
)
SLUG_OF: Schema = {"type": "string", "pattern": f"^{SLUG}$", "maxLength": MAX_SLUG}


def arguments(
    properties: Schema,
    required: Iterable[str] = (),
    dependent: Mapping[str, list[str]] | None = None,
) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        **({"dependentRequired": dict(dependent)} if dependent else {}),
        "additionalProperties": False,
    }


def one_of(words: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(words)}


def words() -> Schema:
    return {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_QUERY_CHARACTERS,
        "description": f"1 to {MAX_QUERY_WORDS} words.",
    }


def sort(collections: Iterable[Collection], *more_sorts: str) -> Schema:
    sorts = dict.fromkeys((*more_sorts, *(sort for c in collections for sort in c.sorts)))
    return {
        **one_of(sorts),
        "description": "With - in descending order. Not every collection has every sort.",
    }


def filter_name(grammar: Grammar) -> Schema:
    """The name of a filter; with many tag families, a pattern instead of a list of names."""
    names = dict.fromkeys(name for c in grammar.collections.values() for name in c.filters)
    if len(grammar.tag_families) <= MAX_FAMILIES:
        return one_of(names)
    others = [name for name in names if not name.startswith("tag_")]
    pattern = f"^(?:tag_[a-z][a-z0-9_]*|{'|'.join(others)})$"
    return {"type": "string", "pattern": pattern, "maxLength": 60}


def filters(grammar: Grammar, collections: Iterable[Collection]) -> Schema:
    """An object with a text for each filter. The grammar checks the texts."""
    collections = list(collections)
    properties: Schema = {}
    for c in collections:
        for name in c.filters:
            having = [other.name for other in collections if name in other.filters]
            properties[name] = {"type": "string", "minLength": 1, "maxLength": MAX_CONSTRAINT}
            if len(having) < len(collections) and not name.startswith("tag_"):
                properties[name]["description"] = "Only for " + ", ".join(having)
    for c in collections:
        for f in c.virtual.values():
            label = f"{c.name.capitalize()} {f.label}"
            properties[f.name] = {**one_of(["true"]), "description": label}
    schema: Schema = {
        "type": "object",
        "properties": properties,
        "maxProperties": MAX_FILTERS,
        "additionalProperties": False,
        "description": _FILTERS_DESCRIPTION,
    }
    tags = [name for name in properties if name.startswith("tag_")]
    if len(tags) > MAX_FAMILIES:
        schema["patternProperties"] = {"^tag_[a-z][a-z0-9_]*$": properties[tags[0]]}
        schema["properties"] = {n: shape for n, shape in properties.items() if n not in tags}
    return schema
