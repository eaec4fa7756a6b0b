"""The words that a record is found by, in three classes by where they stand (see
generator.search.format).

They travel and are compared packed: the words of a class with spaces between them, the classes with
line breaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from generator.api.text import words
from generator.records.symbols import Symbols


def of_model(record: Any, symbols: Symbols) -> str:
    """The terms of a validated record."""
    names: Iterable[str] = getattr(record, "former_names", None) or ()
    return _terms(
        [record.name, *names], record.summary, record.description, record.tags or {}, symbols
    )


def of_document(data: Mapping[str, Any], symbols: Symbols) -> str:
    """The terms of a record as its file has it."""
    return _terms(
        [data["name"], *data.get("former_names", ())],
        data["summary"],
        data["description"],
        data["tags"],
        symbols,
    )


def classes(packed: str) -> dict[str, int]:
    """Each word with its class."""
    return {word: which for which, held in enumerate(packed.split("\n")) for word in held.split()}


def _terms(
    names: list[str],
    summary: str | None,
    description: str | None,
    tags: Mapping[str, Iterable[str]],
    symbols: Symbols,
) -> str:
    labels = [symbols.tag_label(family, tag) for family, found in tags.items() for tag in found]
    first = set(words(" ".join(names)))
    second = set(words(" ".join((summary or "", *labels)))) - first
    third = set(words(description)) - first - second if description else ()
    return "\n".join((" ".join(first), " ".join(second), " ".join(third)))
