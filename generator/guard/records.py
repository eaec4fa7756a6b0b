"""Records of two states: which came, which went, which were renamed, and what changed in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from generator.grammar.grammar import Collection
from generator.grammar.text import is_slug
from generator.guard.published import Published

#: What follows from other records, or from other fields of the same.
_FOLLOWS = frozenset({"slug", "href", "breakdown", "starts_at", "ends_at", "all_day"})
#: Objects that are compared key by key.
_OPENED = ("tags", "links", "fields")


class Field(NamedTuple):
    """A field that changed: its name, `tags.topic` below an object, and both values."""

    name: str
    was: Any
    now: Any


class Renamed(NamedTuple):
    """A record under another slug; `merged` where there was a record of that slug before."""

    slug: str
    now: str
    name: str
    merged: bool


class Changed(NamedTuple):
    slug: str
    name: str
    fields: list[Field]


class Records(NamedTuple):
    """What happened to the records of one collection, each by slug; `was` and `now` count them.

    `former` has the former slugs of before and those of now, each with the slug that it leads to;
    `live` has the slugs of now.
    """

    was: int
    now: int
    added: dict[str, str]
    removed: dict[str, str]
    renamed: list[Renamed]
    changed: list[Changed]
    former: tuple[dict[str, str], dict[str, str]] = ({}, {})
    live: frozenset[str] = frozenset()


def compare(old: Published, new: Published, collection: Collection) -> Records:
    """Every record of a collection, by its whole file."""
    before, after = old.records(collection), new.records(collection)
    gone = [slug for slug in before if slug not in after]
    came = {slug: None for slug in after if slug not in before}
    replaced = {slug: now for slug, now in new.replaced(collection, gone).items() if now in after}
    renamed = [
        Renamed(slug, now, _name(after[now]), now in before) for slug, now in replaced.items()
    ]
    pairs = {slug: slug for slug in before if slug in after}
    pairs |= {one.slug: one.now for one in renamed if not one.merged}
    changed = []
    for slug, now in pairs.items():
        if before[slug] != after[now]:
            a, b = fields(_data(before[slug])), fields(_data(after[now]))
            others = [*_differences(a, b)]
            if others:
                changed.append(Changed(now, _name(after[now]), others))
    targets = set(replaced.values())
    return Records(
        len(before),
        len(after),
        {slug: _name(after[slug]) for slug in came if slug not in targets},
        {slug: _name(before[slug]) for slug in gone if slug not in replaced},
        sorted(renamed),
        sorted(changed, key=lambda one: one.slug),
        (_former(before), _former(after)),
        frozenset(after),
    )


def _former(files: Mapping[str, bytes]) -> dict[str, str]:
    """Former slug -> the slug that a record has now."""
    return {
        alias: slug
        for slug, raw in files.items()
        if b'"aliases":[]' not in raw
        for alias in _data(raw).get("aliases") or ()
        if isinstance(alias, str) and is_slug(alias)
    }


def _differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Field]:
    for name in {**a, **b}:
        was, now = a.get(name), b.get(name)
        if was != now:
            yield Field(name, was, now)


def fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """What an author says of a record, flat: other records by slug, places in words."""
    flat: dict[str, Any] = {}
    for name, value in data.items():
        if name in _FOLLOWS or (name in ("projects", "programs") and type(value) is int):
            continue
        if name in _OPENED and isinstance(value, dict):
            flat |= {f"{name}.{key}": _plain(part) for key, part in value.items()}
        else:
            flat[name] = _plain(value)
    return flat


def _plain(value: Any) -> Any:
    """A reference as its slug, a place as its words, lists likewise; an empty one is nothing."""
    if isinstance(value, list):
        return [_plain(part) for part in value] or None
    if isinstance(value, dict):
        if "country" in value:
            words = (value.get(part) for part in ("city", "region", "country"))
            return ", ".join(word for word in words if isinstance(word, str))
        if isinstance(value.get("slug"), str):
            return value["slug"]
    return value


def _data(raw: bytes) -> Mapping[str, Any]:
    try:
        data = orjson.loads(raw)["data"]
    except (ValueError, LookupError, TypeError):
        return {}
    return data if isinstance(data, dict) else {}


def _name(raw: bytes) -> str:
    name = _data(raw).get("name")
    return name if isinstance(name, str) else ""
