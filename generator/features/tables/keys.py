"""The keys by which rows and records are compared, slugs that are made of names, and what a map
says of a field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.edit.tables.columns import Loc
from generator.edit.words import plain
from generator.features.tables.mapping import ImportSettings, MappedField
from generator.kinds.declare import Declared
from generator.kinds.types import fold_website
from generator.model.checks.duplicates import duplicate_keys
from generator.text.characters import straight
from generator.text.words import MAX_SLUG, fold, is_slug, name_slug


def slug_for(name: str, *, german: bool) -> str:
    """The slug for a name; "" if most of the name is not Latin."""
    return name_slug(name, german=german)[:MAX_SLUG].strip("-")


def free_slugs(base: str, *words: Any) -> Iterator[str]:
    """Slugs for a record whose first slug is taken: with one of the words, then with a number."""
    for word in words:
        if isinstance(word, str) and is_slug(word) and not f"-{base}-".endswith(f"-{word}-"):
            yield _with_suffix(base, word)
    yield from (_with_suffix(base, str(number)) for number in range(2, 1_000_000))


def _with_suffix(base: str, word: str) -> str:
    word = word[: MAX_SLUG // 2].strip("-")
    return f"{base[: MAX_SLUG - len(word) - 1].strip('-')}-{word}"


def key_of(declared: Declared, key: tuple[str, ...], data: Mapping[str, Any]) -> str:
    """The folded values of the key fields in a record or a row, in lines; "" if they are empty."""
    if key == ("name",):
        return duplicate_keys(declared, data).name
    return "\n".join(_folded(name, first_value(data, name)) for name in key)


def _folded(name: str, value: Any) -> str:
    if value is None or isinstance(value, dict | list):
        return ""
    return (
        fold_website(str(value))
        if name == "website"
        else " ".join(fold(straight(str(value))).split())
    )


def first_value(data: Mapping[str, Any], name: str) -> Any:
    """The value of a field, or of a part of a field; that of a place is in the first place."""
    value: Any = data
    for part in name.split("."):
        if isinstance(value, list):
            value = value[0] if value else None
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def name_in(data: Mapping[str, Any]) -> str:
    name = data.get("name")
    return name if isinstance(name, str) else ""


def keys_of(declared: Declared, key: tuple[str, ...], data: Mapping[str, Any]) -> set[str]:
    """The keys by which rows find a record; a program or an event has its name alone, too."""
    full_key = key_of(declared, key, data)
    if key != ("name",):
        return {full_key} - {"\n" * (len(key) - 1)}
    name, newline, _ = full_key.partition("\n")
    return {full_key, name + newline} - {""}


def loose(key: str) -> str:
    return "\n".join(map(plain, key.split("\n")))


def column_of(asked: ImportSettings, loc: Loc) -> str:
    """The column of the table that gives a field; "" if there is none."""
    target = target_of(asked, loc)
    return target.table_column if target is not None else ""


def target_of(asked: ImportSettings, loc: Loc) -> MappedField | None:
    """What the map says of a field, or of a part of it; None if it does not name it."""
    for target in asked.targets:
        if target.column.loc[0] == "locations" == loc[0]:
            part = target.column.loc[1:]
            if not part or part[0] == loc[-1]:
                return target
        elif target.column.loc == loc[: len(target.column.loc)]:
            return target
    return None
