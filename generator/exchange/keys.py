"""By what a row and a record are known to be one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.api.text import fold
from generator.edit.alike import mark_of
from generator.records.checks.twins import website


def key_of(collection: str, key: str, data: Mapping[str, Any]) -> str:
    """What a record, or a row, has in the field that it is known by; "" where it has nothing."""
    if key == "name":
        return mark_of(collection, data)[0]
    value: Any = data
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if value is None or isinstance(value, dict | list):
        return ""
    return website(str(value)) if key == "website" else " ".join(fold(str(value)).split())


def keys_of(collection: str, key: str, data: Mapping[str, Any]) -> set[str]:
    """The keys by which rows find a record: a row that names no organization, or no day, finds a
    program or an event by its name alone.
    """
    whole = key_of(collection, key, data)
    name, line, _ = whole.partition("\n")
    return {whole, name + line} - {""}
