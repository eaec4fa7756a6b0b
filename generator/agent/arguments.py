"""Check arguments of a tool against its JSON Schema.

Unknown keys are refused, and types are not converted.  But null means that a key is absent, as
clients send it that name every key, and `2.0` is a whole number, as in JSON Schema.

Supports the keywords that `inputs.py` uses; tests compare it with a complete validator.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from generator.grammar.limits import clip
from generator.grammar.nearest import near_values
from generator.grammar.refusals import QueryError
from generator.problems.diagnostic import printable

KEYWORDS = {
    "type", "properties", "additionalProperties", "required",
    "dependentRequired", "maxProperties", "enum", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "items", "minItems", "maxItems", "default", "description",
}  # fmt: skip
_TYPES: dict[str, tuple[type, str]] = {
    "object": (dict, "an object"),
    "array": (list, "a list"),
    "string": (str, "a text"),
    "integer": (int, "a whole number, without quotes"),
    "boolean": (bool, "true or false"),
}


def check_arguments(arguments: Any, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments without absent keys and with whole numbers as int. Raises QueryError."""
    checked: dict[str, Any] = _check("", arguments, schema)
    return checked


def with_defaults(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with defaults for missing keys."""
    defaults = {
        name: shape["default"] for name, shape in schema["properties"].items() if "default" in shape
    }
    return {**defaults, **arguments}


def _check(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    if schema["type"] == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    expected_type, description = _TYPES[schema["type"]]
    # bool is a subclass of int in Python.
    if type(value) is not expected_type:
        raise _invalid(
            f'"{name}" must be {description}.' if name else f"Arguments must be {description}."
        )
    if isinstance(value, dict):
        return _check_object(name, value, schema)
    if isinstance(value, list):
        return _check_list(name, value, schema)
    if isinstance(value, str):
        _check_text(name, value, schema)
    elif "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        raise _invalid(f'"{name}" must be from {schema["minimum"]} to {schema["maximum"]}.')
    return value


def _check_object(name: str, value: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    known: Mapping[str, Any] = schema.get("properties", {})
    shapes = {key: _find_schema(key, schema) for key in value}
    for key, shape in shapes.items():
        if shape is None:
            near = near_values(key, ((name, "") for name in known))
            hint = f' Did you mean "{near[0]}"?' if near else ""
            raise QueryError(
                "unknown-parameter", f'There is no "{_shown(key)}" here.{hint}', tuple(known)
            )
    value = {key: part for key, part in value.items() if part is not None}
    for key in schema.get("required", ()):
        if key not in value:
            raise _invalid(f'"{key}" is required.')
    for key, required_keys in schema.get("dependentRequired", {}).items():
        for other in required_keys:
            if key in value and other not in value:
                raise _invalid(f'"{key}" needs "{other}" too.')
    if len(value) > schema.get("maxProperties", len(value)):
        raise _invalid(f'"{name}" has more than {schema["maxProperties"]} keys.')
    return {key: _check(key, part, shapes[key] or {}) for key, part in value.items()}


def _find_schema(key: str, schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    shape: Mapping[str, Any] | None = schema.get("properties", {}).get(key)
    others = schema["additionalProperties"]
    return others if shape is None and isinstance(others, Mapping) else shape


def _check_list(name: str, value: list[Any], schema: Mapping[str, Any]) -> list[Any]:
    min_items = schema.get("minItems", 0)
    if not min_items <= len(value) <= schema["maxItems"]:
        raise _invalid(f'"{name}" must have {min_items} to {schema["maxItems"]} items.')
    return [_check(name, part, schema["items"]) for part in value]


def _check_text(name: str, value: str, schema: Mapping[str, Any]) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _invalid(f'"{name}" must be Unicode text.') from None
    if "enum" in schema and value not in schema["enum"]:
        raise QueryError(
            "invalid-parameter", f'"{name}" cannot be "{_shown(value)}".', tuple(schema["enum"])
        )
    min_length = schema.get("minLength", 0)
    if not min_length <= len(value) <= schema.get("maxLength", len(value)):
        raise _invalid(f'"{name}" must have {min_length} to {schema["maxLength"]} characters.')
    if "pattern" in schema and not _matches(schema["pattern"], value):
        raise _invalid(f'"{name}" cannot be "{_shown(value)}": it must match {schema["pattern"]}')


def _matches(pattern: str, text: str) -> bool:
    """Whether the whole text matches `^…$` of ECMA-262; Python's `$` accepts a final newline."""
    return re.fullmatch(pattern.removeprefix("^").removesuffix("$"), text, re.ASCII) is not None


def _shown(text: str) -> str:
    return clip(printable(text), 100)


def _invalid(detail: str) -> QueryError:
    return QueryError("invalid-parameter", detail)
