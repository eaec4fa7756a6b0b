"""Which record a row is, and which others it is in conflict with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from generator.api.text import fold
from generator.records.checks.twins import mark, website

_OF_MARKS = ("name", "website", "organization", "closes", "due", "starts")


def mark_of(collection: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """The name and the website that a record is known by, folded (see `twins.mark`); "" where it
    has none.
    """
    held = {name: data.get(name) for name in _OF_MARKS}
    texts = {name: one if isinstance(one, str) else "" for name, one in held.items()}
    if not texts["name"]:
        return "", ""
    name, at, *_ = mark(collection, SimpleNamespace(**texts, locations=None))
    return name, at


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


class Marks:
    """Who is known by which name, and by which website."""

    def __init__(self, collection: str):
        self.collection = collection
        self.of: dict[str, tuple[str, str]] = {}
        self.parents: dict[str, str] = {}
        self.sharing: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})

    def add(self, slug: str, data: Mapping[str, Any]) -> None:
        """Take note of a record; of one that is noted, only what is new."""
        was, now = self.of.get(slug), mark_of(self.collection, data)
        self.of[slug] = now
        if isinstance(data.get("parent"), str):
            self.parents[slug] = data["parent"]
        for sharing, before, after in zip(self.sharing, was or ("", ""), now, strict=True):
            if before != after:
                if before:
                    sharing[before].remove(slug)
                if after:
                    sharing.setdefault(after, []).append(slug)

    def clashes(self, slug: str, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """("name" or "website", slug) of others that are known by what this record has now and had
        not before; two of one name with a website each are two.
        """
        was, now = self.of.get(slug, ("", "")), mark_of(self.collection, data)
        for number, name in enumerate(("name", "website")):
            if not now[number] or was[number] == now[number]:
                continue
            for other in self.sharing[number].get(now[number], ()):
                apart = name == "name" and self.of[other][1] and now[1]
                related = self.parents.get(other) == slug or data.get("parent") == other
                if other != slug and not apart and not related:
                    yield name, other
