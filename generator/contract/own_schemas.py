"""The published schemas of one registry: what its own fields are, in the place of any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.grammar.grammar import Grammar
from generator.grammar.names import KIND_OF
from generator.grammar.own_fields import OwnField
from generator.grammar.text import SLUG

#: A closed choice with more values than this is told as any slug.
_MANY = 100
_TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "url": {"type": "string", "format": "uri"},
    "choice": {"type": "string", "pattern": f"^{SLUG}$"},
}


def with_own(definitions: Mapping[str, Any], grammar: Grammar) -> dict[str, Any]:
    """The locked definitions, with the own fields that records have, and those that lists show."""
    changed: dict[str, Any] = {}
    for collection, own in grammar.fields.items():
        kind = KIND_OF[collection].capitalize()
        listed = {key: known for key, known in own.items() if known.summary}
        for name, shown in ((f"{kind}Record", own), (f"{kind}Summary", listed)):
            shape = definitions[name]
            properties = {key: _property(known) for key, known in shown.items()}
            fields = {**shape["properties"]["fields"], "properties": properties,
                      "required": list(properties)}  # fmt: skip
            changed[name] = {**shape, "properties": {**shape["properties"], "fields": fields}}
    return {**definitions, **changed}


def _property(own: OwnField) -> dict[str, Any]:
    types = list(_types(own))
    if own.many:
        one = types[0] if len(types) == 1 else {"anyOf": types}
        return {"type": "array", "items": one, "description": own.words}
    if not own.required:
        types.append({"type": "null"})
    return {**(types[0] if len(types) == 1 else {"anyOf": types}), "description": own.words}


def _types(own: OwnField) -> Iterator[dict[str, Any]]:
    """What one value may be: words of a choice may come, so they are told as others are."""
    if 0 < len(own.values) <= _MANY:
        yield {"type": "string", "enum": list(own.values)}
        yield {"type": "string", "description": "Words that are added later."}
    else:
        yield _TYPES[own.type]
