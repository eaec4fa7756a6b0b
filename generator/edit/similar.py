"""Records that an unwritten record may be: by their names and their websites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from generator.dialect.folder import Content, Source
from generator.dialect.tree import Unchangeable, data_of
from generator.model.checks.duplicates import mark
from generator.problems.diagnostic import Diagnostic

#: What makes two records of a collection hardly two: their names are the same, with this.
_NAMES = {"programs": "name and organization", "events": "name and day"}

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


class Existing(NamedTuple):
    """A record as it is: its file, the bytes of that, and what they say."""

    source: Source
    raw: bytes
    data: dict[str, Any]


def existing(content: Content, collection: str) -> Iterator[Existing | Source]:
    """The records of a collection, as files where they cannot be read."""
    for source in content.sources[collection]:
        taken = content.take(source.path)
        if isinstance(taken, Diagnostic):
            yield source
            continue
        try:
            yield Existing(source, taken.raw, data_of(taken.raw))
        except Unchangeable:
            yield source


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


class Alike(NamedTuple):
    """A record that looks like a new one: its slug, its file, and the fields that are the same."""

    slug: str
    file: str
    fields: str


def alike(
    content: Content, collection: str, slug: str, data: Mapping[str, Any], taken: str = ""
) -> list[Alike]:
    """The records that look like a new one with this slug.

    `taken` is the slug that its name makes, if a record has that: its name is nearly the same.
    """
    marks = Marks(collection)
    files = {}
    for record in existing(content, collection):
        source, known = (
            (record.source, record.data) if isinstance(record, Existing) else (record, {})
        )
        files[source.slug] = content.shown(source.path)
        if source.slug == taken:
            known = {**known, "name": data.get("name")}
        marks.add(source.slug, known)
    now = mark_of(collection, data)
    found = []
    for other in dict.fromkeys(other for _, other in marks.clashes(slug, data)):
        names = (_NAMES.get(collection, "name"), "website")
        same = [n for n, a, b in zip(names, now, marks.of[other], strict=True) if a and a == b]
        found.append(Alike(other, files[other], " and ".join(same)))
    return found
