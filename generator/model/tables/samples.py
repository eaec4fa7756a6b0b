"""Values and words for examples that find records: the most frequent values of filters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.text.words import split_words

#: filter -> `{value, label, count}`, the most frequent first, for the filters with values.
Used = Mapping[str, Sequence[Mapping[str, Any]]]


def top_values(used: Used) -> list[tuple[str, str]]:
    """(filter, its most frequent value) of the filters with several values, else of all filters."""
    several = {name: rows for name, rows in used.items() if len(rows) > 1} or used
    return [(name, rows[0]["value"]) for name, rows in several.items()]


def tags_by_family(used: Used) -> Iterator[Sequence[Mapping[str, Any]]]:
    """The values of each tag family."""
    return (rows for name, rows in used.items() if name.startswith("tag_"))


def search_word(used: Used) -> str | None:
    """A word of a tag's label, else of a program's or organization's name.  It finds records,
    because the search covers these.
    """
    named = [used.get(name, ()) for name in ("program", "organization")]
    labels = (value["label"] for values in (*tags_by_family(used), *named) for value in values)
    return next((word for label in labels for word in split_words(label)[:1]), None)
