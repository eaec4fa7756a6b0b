"""The published schemas of one registry, with its own fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.grammar.grammar import Grammar
from generator.kinds import KIND_OF
from generator.kinds.declare import Field
from generator.text.words import SLUG

#: A closed choice with more values becomes any slug.
_MAX_ENUM = 100
_TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "url": {"type": "string", "format": "uri"},
    "choice": {"type": "string", "pattern": f"^{SLUG}$"},
}


def add_own_fields(definitions: Mapping[str, Any], grammar: Grammar) -> dict[str, Any]:
    """The locked definitions, with the registry's own fields in records and in lists."""
    changed: dict[str, Any] = {}
    for collection, own_fields in grammar.fields.items():
        kind = KIND_OF[collection].capitalize()
        listed = {key: own for key, own in own_fields.items() if own.listed}
        for name, shown in ((f"{kind}Record", own_fields), (f"{kind}Summary", listed)):
            shape = definitions[name]
            properties = {key: _property(own) for key, own in shown.items()}
            fields = {**shape["properties"]["fields"], "properties": properties,
                      "required": list(properties)}  # fmt: skip
            changed[name] = {**shape, "properties": {**shape["properties"], "fields": fields}}
    return {**definitions, **changed}


def _property(own: Field) -> dict[str, Any]:
    types = _types(own)
    if not own.many and not own.required:
        types.append({"type": "null"})
    value = types[0] if len(types) == 1 else {"anyOf": types}
    if own.many:
        value = {"type": "array", "items": value}
    return {**value, "description": own.label_with_unit}


def _types(own: Field) -> list[dict[str, Any]]:
    """The types of one value.  A choice is an open vocabulary: values may be added later."""
    if 0 < len(own.values) <= _MAX_ENUM:
        return [
            {"type": "string", "enum": list(own.values)},
            {"type": "string", "description": "Words that are added later."},
        ]
    return [_TYPES[own.type]]
