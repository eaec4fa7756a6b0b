"""Arguments of a tool held against its JSON Schema, strictly: what is unknown is refused, and
nothing becomes another type.

Knows the keywords that `inputs.py` uses; tests hold it against a whole validator.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from generator.grammar.limits import clipped
from generator.grammar.refusals import QueryError
from generator.problems.diagnostic import did_you_mean, printable

KEYWORDS = {
    "type", "properties", "patternProperties", "additionalProperties", "required",
    "dependentRequired", "maxProperties", "enum", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "items", "minItems", "maxItems", "uniqueItems", "default", "description",
}  # fmt: skip
_TYPES: dict[str, tuple[type, str]] = {
    "object": (dict, "an object"),
    "array": (list, "a list"),
    "string": (str, "a text"),
    "integer": (int, "a whole number, without quotes"),
}


def checked(arguments: Any, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with defaults where there are none.  Raises QueryError."""
    _check("", arguments, schema)
    defaults = {
        name: shape["default"] for name, shape in schema["properties"].items() if "default" in shape
    }
    return {**defaults, **arguments}


def _check(name: str, value: Any, schema: Mapping[str, Any]) -> None:
    kind, words = _TYPES[schema["type"]]
    # A bool is an int to Python, and no number to people.
    if type(value) is not kind:
        raise _invalid(f'"{name}" must be {words}.' if name else f"Arguments must be {words}.")
    if isinstance(value, dict):
        _check_object(name, value, schema)
    elif isinstance(value, list):
        _check_list(name, value, schema)
    elif isinstance(value, str):
        _check_text(name, value, schema)
    elif not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        raise _invalid(f'"{name}" must be from {schema["minimum"]} to {schema["maximum"]}.')


def _check_object(name: str, value: dict[str, Any], schema: Mapping[str, Any]) -> None:
    known: Mapping[str, Any] = schema["properties"]
    shapes = {key: _shape(key, schema) for key in value}
    for key, shape in shapes.items():
        if shape is None:
            near = did_you_mean(key, known)
            hint = f' Did you mean "{near}"?' if near else ""
            raise QueryError(
                "unknown-parameter", f'There is no "{_shown(key)}" here.{hint}', tuple(known)
            )
    for key in schema.get("required", ()):
        if key not in value:
            raise _invalid(f'"{key}" is required.')
    for key, needed in schema.get("dependentRequired", {}).items():
        for other in needed:
            if key in value and other not in value:
                raise _invalid(f'"{key}" needs "{other}" too.')
    if len(value) > schema.get("maxProperties", len(value)):
        raise _invalid(f'"{name}" has more than {schema["maxProperties"]} keys.')
    for key, part in value.items():
        _check(key, part, shapes[key] or {})


def _shape(key: str, schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if key in schema["properties"]:
        shape: Mapping[str, Any] = schema["properties"][key]
        return shape
    return next(
        (s for pattern, s in schema.get("patternProperties", {}).items() if _matches(pattern, key)),
        None,
    )


def _check_list(name: str, value: list[Any], schema: Mapping[str, Any]) -> None:
    if not schema.get("minItems", 0) <= len(value) <= schema["maxItems"]:
        least = schema.get("minItems", 0)
        raise _invalid(f'"{name}" must have {least} to {schema["maxItems"]} items.')
    for part in value:
        _check(name, part, schema["items"])
    if schema.get("uniqueItems") and len(set(value)) < len(value):
        raise _invalid(f'"{name}" has the same item twice.')


def _check_text(name: str, value: str, schema: Mapping[str, Any]) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _invalid(f'"{name}" must be Unicode text.') from None
    if "enum" in schema and value not in schema["enum"]:
        raise QueryError(
            "invalid-parameter", f'"{name}" cannot be "{_shown(value)}".', tuple(schema["enum"])
        )
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        raise _invalid(
            f'"{name}" must have {schema.get("minLength", 0)} to {schema["maxLength"]} characters.'
        )
    if "pattern" in schema and not _matches(schema["pattern"], value):
        raise _invalid(f'"{name}" cannot be "{_shown(value)}": it must match {schema["pattern"]}')


def _matches(pattern: str, text: str) -> bool:
    """As ECMA-262 means `^…$`: Python's `$` also stands before a line break at the end."""
    return re.fullmatch(pattern.removeprefix("^").removesuffix("$"), text, re.ASCII) is not None


def _shown(text: str) -> str:
    return clipped(printable(text), 100)


def _invalid(detail: str) -> QueryError:
    return QueryError("invalid-parameter", detail)
