"""The words that a record is found by, in three classes by where they stand (see
generator.search.format).

They travel and are compared packed: the words of a class with spaces between them, the classes with
line breaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def unpack(packed: str) -> Iterator[tuple[str, int]]:
    """Each word with its level, and each of a name with the level that tells how many words that
    has too.
    """
    names, *others = packed.split("\n")
    for number, held in enumerate((names, *others)):
        for word in held.split():
            yield word, 4 * number
    counted = names.split()
    if 0 < len(counted) <= 8:
        for word in counted:
            yield word, 15 + len(counted)


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
