"""Compares the records of two states: added, removed, renamed and changed records, and the rules
of the contract about them: gone without notice, moved former slugs, another subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from generator.grammar import paths
from generator.grammar.grammar import Collection, Slice
from generator.guard.finding import Finding, Place, name_slugs
from generator.guard.published import PublishedState
from generator.kinds.declare import OWN_FIELDS, Declared
from generator.model.checks.duplicates import duplicate_keys
from generator.text.words import is_slug


class FieldChange(NamedTuple):
    """A changed field: its name (`tags.topic` for a key of an object) and both values."""

    name: str
    was: Any
    now: Any


class RenamedRecord(NamedTuple):
    """A record with a new slug `now`; `merged` if there was a record of that slug before."""

    slug: str
    now: str
    name: str
    merged: bool


class ChangedRecord(NamedTuple):
    slug: str
    name: str
    fields: list[FieldChange]


class RecordChanges(NamedTuple):
    """The changes of one collection.  `was` and `now` are the numbers of records; `added` and
    `removed` map slugs to names.

    `former` maps aliases to slugs, before and now; `live` are the present slugs.  `twins` maps the
    slugs of removed records to those of added ones that are plainly the same.
    """

    was: int
    now: int
    added: dict[str, str]
    removed: dict[str, str]
    renamed: list[RenamedRecord]
    changed: list[ChangedRecord]
    former: tuple[dict[str, str], dict[str, str]] = ({}, {})
    live: frozenset[str] = frozenset()
    twins: Mapping[str, str] = {}


def compare(old: PublishedState, new: PublishedState, collection: Collection) -> RecordChanges:
    before, after = old.records(collection), new.records(collection)
    gone = [slug for slug in before if slug not in after]
    replaced = {slug: now for slug, now in new.replaced(collection, gone).items() if now in after}
    renamed = [
        RenamedRecord(slug, now, _name(after[now]), now in before) for slug, now in replaced.items()
    ]
    pairs = {slug: slug for slug in before if slug in after}
    pairs |= {record.slug: record.now for record in renamed if not record.merged}
    changed = []
    for slug, now in pairs.items():
        if before[slug] != after[now]:
            a, b = (fields(collection.declared, _data(raw)) for raw in (before[slug], after[now]))
            differences = [
                FieldChange(name, a.get(name), b.get(name))
                for name in {**a, **b}
                if a.get(name) != b.get(name)
            ]
            if differences:
                changed.append(ChangedRecord(now, _name(after[now]), differences))
    known = {*before, *replaced.values()}
    added = {slug: raw for slug, raw in after.items() if slug not in known}
    removed = {slug: before[slug] for slug in gone if slug not in replaced}
    return RecordChanges(
        len(before),
        len(after),
        {slug: _name(raw) for slug, raw in added.items()},
        {slug: _name(raw) for slug, raw in removed.items()},
        sorted(renamed),
        sorted(changed, key=lambda record: record.slug),
        (_aliases(before), _aliases(after)),
        frozenset(after),
        _twins(collection.declared, removed, added) if removed and added else {},
    )


def _twins(
    declared: Declared, removed: Mapping[str, bytes], added: Mapping[str, bytes]
) -> dict[str, str]:
    """Removed slug -> added slug, if only these have this website, or no website and this name."""
    alike: dict[str, tuple[list[str], list[str]]] = {}
    for side, files in enumerate((removed, added)):
        for slug, raw in files.items():
            known = duplicate_keys(declared, fields(declared, _data(raw)))
            if key := known.website or known.name:
                alike.setdefault(key, ([], []))[side].append(slug)
    return {gone[0]: new[0] for gone, new in alike.values() if len(gone) == 1 and len(new) == 1}


def _aliases(files: Mapping[str, bytes]) -> dict[str, str]:
    """alias -> slug."""
    return {
        alias: slug
        for slug, raw in files.items()
        if b'"aliases":[]' not in raw
        for alias in _data(raw).get("aliases") or ()
        if isinstance(alias, str) and is_slug(alias)
    }


def fields(declared: Declared, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that an author writes, flat: other records by slug, places in words."""
    known = declared.fields
    flat: dict[str, Any] = {}
    for name, value in data.items():
        f = known.get(name)
        if name in ("slug", "href") or (f is not None and f.computed and f.type != "time"):
            continue
        is_keyed = name == OWN_FIELDS or (f is not None and f.is_keyed)
        if is_keyed and isinstance(value, dict):
            flat |= {f"{name}.{key}": _plain(part) for key, part in value.items()}
        else:
            flat[name] = _plain(value)
    return flat


def _plain(value: Any) -> Any:
    """A reference as its slug, an identifier as its id, a place in words, [] as None."""
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


# --- the rules about records ----------------------------------------------------------------------

#: More missing records than this are a single finding.
_MANY_GONE = 10


def broken_rules(
    old: PublishedState, new: PublishedState, records: Mapping[str, RecordChanges]
) -> Iterator[Finding]:
    rows = new.document(paths.REMOVED)["data"].items
    removed = {(row["collection"].text, row["slug"].text) for row in rows}
    collections = {**old.grammar.collections, **new.grammar.collections}
    for name, changes in records.items():
        collection = collections[name]
        yield from _records(collection, changes, removed)
        for changed in changes.changed:
            yield from _record(collection, changed)


def _records(
    collection: Collection, changes: RecordChanges, removed: set[tuple[str, str]]
) -> Iterator[Finding]:
    def finding(
        rule: str, slug: str, words: str, there: bool, was: str, now: str | None
    ) -> Finding:
        path = collection.record_path(slug)
        places = Place(path, "", True), Place(path, "", there)
        return Finding(rule, f"{collection.name} {slug}", words, *places, was, now)

    gone = sorted(slug for slug in changes.removed if (collection.name, slug) not in removed)
    without = "without an alias or an entry in removed.yaml"
    if len(gone) > _MANY_GONE:
        words = f"{len(gone):,} {collection.name} are gone {without}: {name_slugs(gone)}"
        places = (Place(Slice(collection).path(), "", True),) * 2
        yield Finding("record-gone", collection.name, words, *places, gone, [])
    else:
        for slug in gone:
            words = f"the record is gone {without}"
            yield finding("record-gone", slug, words, False, slug, None)
    before, after = changes.former
    new_slugs = {renamed.slug: renamed.now for renamed in changes.renamed}
    for alias, slug in before.items():
        now = after.get(alias)
        if alias in changes.live:
            words = f"the former slug of {slug} is now another record"
            yield finding("alias-elsewhere", alias, words, True, slug, alias)
        elif now is None and slug not in changes.removed:
            words = f"the former slug of {slug} leads nowhere"
            yield finding("alias-gone", alias, words, False, slug, None)
        elif now is not None and now != new_slugs.get(slug, slug):
            words = f"the former slug led to {slug} and now leads to {now}"
            yield finding("alias-elsewhere", alias, words, True, slug, now)


def _record(collection: Collection, changed: ChangedRecord) -> Iterator[Finding]:
    """Whether a record is about something else now."""
    fields = {field.name: field for field in changed.fields}
    path = collection.record_path(changed.slug)
    subject = f"{collection.name} {changed.slug}"
    if {"name", "website"} <= fields.keys():
        name, website = fields["name"], fields["website"]
        former = fields["former_names"].now if "former_names" in fields else None
        hosts = {_host(website.was), _host(website.now)}
        if len(hosts) == 2 and "" not in hosts and name.was not in (former or ()):
            words = f'was "{name.was}", {website.was}; is now "{name.now}", {website.now}'
            place = Place(path, "/data/name", True)
            yield Finding("record-other", subject, words, place, place, name.was, name.now)


def _host(url: object) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.") if isinstance(url, str) else ""
    except ValueError:
        return ""
