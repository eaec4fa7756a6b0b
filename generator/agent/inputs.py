"""The inputs of the tools as parts of JSON Schemas: records to show, filters, words, numbers.

Built from the grammar alone, with the keywords that arguments.mjs checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from generator.grammar.grammar import ANY_TAG, Collection, Grammar
from generator.grammar.limits import MAX_QUERY_WORDS
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

#: A text that the grammar checks: words, or the name of a filter.
TEXT: Schema = {"type": "string"}
Q: Schema = {**TEXT, "description": f"Up to {MAX_QUERY_WORDS} words"}
LIKE: Schema = {**TEXT, "minLength": 1, "maxLength": MAX_LIKE}
START: Schema = {"type": "integer", "minimum": 1, "default": 1, "description": "From next"}
LIMIT: Schema = {
    "type": "integer",
    "minimum": 0,
    "maximum": MAX_RECORDS,
    "default": DEFAULT_RECORDS,
    "description": "0 only counts",
}
FIELDS: Schema = {
    "type": "array",
    "items": TEXT,
    "maxItems": MAX_FIELDS,
    "description": "Only these",
}
SORT: Schema = {"type": "string", "description": "-x is descending"}
_FILTERS_DESCRIPTION = (
    "All must match. a,b any; all:a,b; not:a,b; 2019..2024, 2020..; joined a,b;not:c"
)
SLUG_OF: Schema = {**TEXT, "pattern": f"^{SLUG}$", "maxLength": MAX_SLUG}


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


def described(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def one_of(words: Iterable[str], description: str) -> Schema:
    return described({**TEXT, "enum": list(words)}, description)


def sort(collections: Iterable[Collection]) -> Schema:
    sorts = dict.fromkeys(sort for c in collections for sort in c.sorts)
    return one_of(sorts, SORT["description"])


#: The filters of any collection. The grammar checks their names and texts.
FILTERS: Schema = {
    "type": "object",
    "additionalProperties": TEXT,
    "maxProperties": MAX_FILTERS,
    "description": "As in count_records",
}


#: FILTERS for many filters, which dataset_catalog has.
SHORT_FILTERS: Schema = {
    **FILTERS,
    "description": f"Their names: dataset_catalog. {_FILTERS_DESCRIPTION}",
}


def filters(grammar: Grammar, collections: Iterable[Collection]) -> Schema:
    """FILTERS with the names of the filters: those of all collections, then those of some."""
    named = {c.name: _named(c, grammar) for c in collections}
    groups: dict[tuple[str, ...], list[str]] = {tuple(named): []}
    for name in dict.fromkeys(name for names in named.values() for name in names):
        having = tuple(collection for collection, names in named.items() if name in names)
        groups.setdefault(having, []).append(name)
    every, *some = groups.items()
    parts = [", ".join(every[1])] if every[1] else []
    parts += [f"{', '.join(having)}: {', '.join(names)}" for having, names in some]
    return described(FILTERS, f"{'; '.join(parts)}. {_FILTERS_DESCRIPTION}")


def _named(collection: Collection, grammar: Grammar) -> list[str]:
    """The names of the filters; one for all tag families if there are many."""
    names = [*collection.query_filters]
    if len(grammar.tag_families) > MAX_FAMILIES:
        names = ["tag_<family>", *(name for name in names if not name.startswith("tag_"))]
    return [f"{name} (any family)" if name == ANY_TAG else name for name in names]
