"""The data of a record as it is read."""

from __future__ import annotations

from typing import Any

from generator.text.characters import END_SPACES, odd_ends


def trimmed(value: Any) -> Any:
    """The data that is read: texts without the spaces at their ends."""
    if isinstance(value, dict):
        return {
            key: each.strip(END_SPACES)
            if key == "description" and isinstance(each, str)
            else trimmed(each)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [trimmed(each) for each in value]
    if not isinstance(value, str):
        return value
    before, after = odd_ends(value)
    return value[before : len(value) - after]
