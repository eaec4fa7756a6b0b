"""Compares the records of two states: added, removed, renamed and changed records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from generator.grammar.grammar import Collection
from generator.guard.published import PublishedState
from generator.kinds import KINDS
from generator.kinds.every import ADDED_KEYED, KEYED
from generator.model.checks.duplicates import duplicate_keys
from generator.text.words import is_slug

#: Fields computed from other records or from other fields.
#: Fields that no author writes, unless they are lists: projects name programs, organizations count
#: them.
_NOT_WRITTEN = frozenset((
    "slug", "href", *(
        f.name
        for kind in KINDS.values()
        for f in kind.fields.values()
        if f.computed and f.type != "time"
    ),
))  # fmt: skip


class Field(NamedTuple):
    """A changed field: its name (`tags.topic` for a key of an object) and both values."""

    name: str
    was: Any
    now: Any


class Renamed(NamedTuple):
    """A record with a new slug `now`; `merged` if there was a record of that slug before."""

    slug: str
    now: str
    name: str
    merged: bool


class Changed(NamedTuple):
    slug: str
    name: str
    fields: list[Field]


class Records(NamedTuple):
    """The changes of one collection.  `was` and `now` are the numbers of records; `added` and
    `removed` map slugs to names.

    `former` maps aliases to slugs, before and now; `live` are the present slugs.  `twins` maps the
    slugs of removed records to those of added ones that are plainly the same.
    """

    was: int
    now: int
    added: dict[str, str]
    removed: dict[str, str]
    renamed: list[Renamed]
    changed: list[Changed]
    former: tuple[dict[str, str], dict[str, str]] = ({}, {})
    live: frozenset[str] = frozenset()
    twins: Mapping[str, str] = {}


def compare(old: PublishedState, new: PublishedState, collection: Collection) -> Records:
    """Compare the files of the records of a collection."""
    before, after = old.records(collection), new.records(collection)
    gone = [slug for slug in before if slug not in after]
    replaced = {slug: now for slug, now in new.replaced(collection, gone).items() if now in after}
    renamed = [
        Renamed(slug, now, _name(after[now]), now in before) for slug, now in replaced.items()
    ]
    pairs = {slug: slug for slug in before if slug in after}
    pairs |= {record.slug: record.now for record in renamed if not record.merged}
    changed = []
    for slug, now in pairs.items():
        if before[slug] != after[now]:
            a, b = fields(_data(before[slug])), fields(_data(after[now]))
            differences = [*_differences(a, b)]
            if differences:
                changed.append(Changed(now, _name(after[now]), differences))
    known = {*before, *replaced.values()}
    added = {slug: raw for slug, raw in after.items() if slug not in known}
    removed = {slug: before[slug] for slug in gone if slug not in replaced}
    return Records(
        len(before),
        len(after),
        {slug: _name(raw) for slug, raw in added.items()},
        {slug: _name(raw) for slug, raw in removed.items()},
        sorted(renamed),
        sorted(changed, key=lambda record: record.slug),
        (_aliases(before), _aliases(after)),
        frozenset(after),
        _twins(collection.name, removed, added),
    )


def _twins(
    collection: str, removed: Mapping[str, bytes], added: Mapping[str, bytes]
) -> dict[str, str]:
    """Removed slug -> added slug, for records that are plainly the same: only these two have the
    same website or identifier, or the same name and not both a website.
    """
    by_key: dict[str, list[str]] = {}
    for slug, raw in added.items() if removed else ():
        for key in _keys(collection, raw):
            by_key.setdefault(key, []).append(slug)
    found: dict[str, list[str]] = {}
    for slug, raw in removed.items() if added else ():
        keys = _keys(collection, raw)
        alike = {other for key in keys for other in by_key.get(key, ())}
        alike -= {other for other in alike if _differ(keys, _keys(collection, added[other]))}
        if len(alike) == 1:
            found.setdefault(alike.pop(), []).append(slug)
    return {slugs[0]: other for other, slugs in found.items() if len(slugs) == 1}


def _differ(keys: set[str], others: set[str]) -> bool:
    """Whether the keys of two records have nothing in common but the name, and both a website."""
    common = {key for key in keys & others if not key.startswith("name ")}
    return not common and all(any(k.startswith("website ") for k in of) for of in (keys, others))


def _keys(collection: str, raw: bytes) -> set[str]:
    """The name, the website and the identifiers of a record, each after the word for it."""
    flat = fields(_data(raw))
    found = duplicate_keys(collection, flat)
    keys = {f"name {found.name}"} if found.name else set()
    keys |= {f"website {found.website}"} if found.website else set()
    for name, texts in flat.items():
        if name.partition(".")[0] in ADDED_KEYED and isinstance(texts, list):
            keys |= {f"{name} {str(text).lower()}" for text in texts}
    return keys


def _aliases(files: Mapping[str, bytes]) -> dict[str, str]:
    """alias -> slug."""
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
    """The fields that an author writes, flat: other records by slug, places in words."""
    flat: dict[str, Any] = {}
    for name, value in data.items():
        if name in _NOT_WRITTEN and not isinstance(value, list):
            continue
        if name in KEYED and isinstance(value, dict):
            flat |= {f"{name}.{key}": _plain(part) for key, part in value.items()}
        else:
            flat[name] = _plain(value)
    return flat


def _plain(value: Any) -> Any:
    """A reference as its slug, an identifier as its id, a place in words, lists likewise; None for
    an empty list.
    """
    if isinstance(value, list):
        return [_plain(part) for part in value] or None
    if isinstance(value, dict):
        if "country" in value:
            words = (value.get(part) for part in ("city", "region", "country"))
            return ", ".join(word for word in words if isinstance(word, str))
        if isinstance(value.get("slug"), str):
            return value["slug"]
        if isinstance(value.get("id"), str):
            return value["id"]
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
