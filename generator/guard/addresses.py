"""What breaks who follows addresses: files, records and lists that are no longer where they were.

What is asked there, parameters and tools, is compared in `generator.guard.asking`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from generator.api import paths
from generator.api.grammar import Collection, Grammar, Slice
from generator.guard.documents import enumerated
from generator.guard.finding import Finding, broken, named, went
from generator.guard.node import Node, Place
from generator.guard.published import Published
from generator.guard.records import Records

#: More records than this that are gone are one break, with one fingerprint.
_MANY_GONE = 10
_list_of = re.compile(r"(?P<root>/api/.+)/(?P<what>by|sort)/(?P<name>[^/]+)/").match
_filter_of = re.compile(r"(?P<root>/api/.+)/filters/(?P<name>[a-z0-9_]+)\.json").fullmatch


class Lists(NamedTuple):
    """What is asked of a collection's lists no longer: (its address, filter or sort)."""

    filters: frozenset[tuple[str, str]]
    sorts: frozenset[tuple[str, str]]


def findings(old: Published, new: Published, records: Mapping[str, Records]) -> Iterator[Finding]:
    """Every break of a rule of this tier, but for what is asked."""
    yield from _base(old, new)
    yield from _surfaces(old, new)
    yield from _files(old, new)
    yield from _values(old.document(paths.OPENAPI), new.document(paths.OPENAPI))
    removed = _removed(new)
    for name, changes in records.items():
        yield from _records(Grammar({}).collections[name], changes, removed)


# --- the whole ------------------------------------------------------------------------------------


def _base(old: Published, new: Published) -> Iterator[Finding]:
    a, b = (_server(state) for state in (old, new))
    was, now = urlsplit(a.text), urlsplit(b.text)
    if was.netloc and was[:2] != now[:2]:
        words = f"absolute addresses begin with {b.text or 'nothing'} and began with {a.text}"
        yield broken("base-url-changed", "base_url", words, a, b)
    a, b = (state.document(paths.INDEX).at("links", "self") for state in (old, new))
    if a.text and b.text and old.prefix != new.prefix:
        was_there, is_there = old.prefix or "/", new.prefix or "/"
        words = f"addresses begin with {is_there} and began with {was_there}"
        yield broken("prefix-changed", "links", words, a, b, was_there, is_there)


def _server(state: Published) -> Node:
    return state.document(paths.OPENAPI).at("servers", 0, "url")


def _surfaces(old: Published, new: Published) -> Iterator[Finding]:
    """Documents that the index lists, but for those of collections: each has its own rule."""
    before, after = (
        state.document(paths.INDEX).at("data", "surfaces").named("name") for state in (old, new)
    )
    missing = new.document(paths.INDEX).at("data", "surfaces")
    for name, a in before.items() if missing else ():
        if name.partition("_")[0] in Grammar({}).collections or (name == "site" and new.has_site):
            continue
        if name not in after:
            rule, words = (
                ("site-gone", "there are no pages for people")
                if name == "site"
                else ("surface-gone", "the index no longer lists it")
            )
            yield broken(rule, name, words, a, missing, a["href"].plain, None)
            continue
        b = after[name]
        was, now = old.path_of(_address(a)), new.path_of(_address(b))
        if was != now:
            words = f"is at {now} and was at {was}"
            yield Finding("surface-moved", name, words, a.place, b.place, was, now)


def _address(surface: Node) -> str:
    return surface["href"].text or surface["template"].text


# --- files ----------------------------------------------------------------------------------------


def _files(old: Published, new: Published) -> Iterator[Finding]:
    """Addresses of files, as openapi.json lists them."""
    before, after = (state.document(paths.OPENAPI) for state in (old, new))
    for path, a in before["paths"].members.items() if after["paths"] else ():
        b = after["paths"][path]
        if not b:
            yield from _gone(path, a, b, after)
    template = paths.schema_path("{kind}")
    was, now = (enumerated(document, template, "kind") for document in (before, after))
    for kind in went(was, now) if now else ():
        path = paths.schema_path(kind)
        words = f"{path} is not there"
        places = Place(path, "", True), Place(path, "", False)
        yield Finding("schema-gone", kind, words, *places, kind, None)


def _gone(path: str, a: Node, b: Node, after: Node) -> Iterator[Finding]:
    part, listed = _list_of(path), _filter_of(path)
    words = f"{path} is not there"
    if path.endswith(".ics"):
        yield broken("feed-gone", path, words, a, b, path, None)
    elif part is not None:
        root, name = part["root"], part["name"]
        words = f"{root}/{part['what']}/{name}/ has no pages"
        if part["what"] == "sort":
            if name in enumerated(after, root, "sort"):
                yield broken("sort-unprepared", f"{root} {name}", words, a, b, name, None)
        else:
            known = after.at("paths", root, "get", "parameters").named("name")
            rule = "filter-unprepared" if name in known else "filter-gone"
            yield broken(rule, f"{root} {name}", words, a, b, name, None)
    elif listed is None or f"{listed['root']}/filters.json" not in after["paths"].members:
        yield broken("address-gone", path, words, a, b, path, None)


def _values(old: Node, new: Node) -> Iterator[Finding]:
    """The values of filters with few and fixed ones: each has a list of its own."""
    before, after = (document.at("components", "schemas") for document in (old, new))
    for name, schema in before.members.items():
        a, b = schema["enum"], after[name]["enum"]
        if "." not in name or not after[name]:
            continue
        collection, _, known = name.partition(".")
        if a and b:
            for value in went(a.texts, b.texts):
                words = f'"{value}" is no value of {known}: its list is gone'
                yield broken("value-gone", f"{collection} {known}", words, a, b, value, None)
        elif b and not a:
            words = f"{known} takes {len(b.texts)} values, and took any"
            yield broken("vocabulary-closed", f"{collection} {known}", words, schema, b,
                         schema["pattern"].plain, b.texts)  # fmt: skip


# --- records --------------------------------------------------------------------------------------


def _removed(new: Published) -> set[tuple[str, str]]:
    """(collection, slug) of the records whose removal is noted, and so meant."""
    rows = new.document(paths.REMOVED)["data"]
    some = rows.plain if isinstance(rows.plain, list) else []
    return {
        (row["collection"], row["slug"])
        for row in some
        if isinstance(row, dict)
        and isinstance(row.get("collection"), str)
        and isinstance(row.get("slug"), str)
    }


def _records(
    collection: Collection, changes: Records, removed: set[tuple[str, str]]
) -> Iterator[Finding]:
    def broke(rule: str, slug: str, words: str, there: bool, was: str, now: str | None) -> Finding:
        path = collection.record_path(slug)
        places = Place(path, "", True), Place(path, "", there)
        return Finding(rule, f"{collection.name} {slug}", words, *places, was, now)

    gone = sorted(slug for slug in changes.removed if (collection.name, slug) not in removed)
    without = "without an alias or a note that"
    if len(gone) > _MANY_GONE:
        words = (
            f"{len(gone):,} {collection.name} are gone, {without} they were removed: "
            f"{named(gone, len(gone))}"
        )
        places = (Place(Slice(collection).path(), "", True),) * 2
        yield Finding("record-gone", collection.name, words, *places, gone, [])
    else:
        for slug in gone:
            words = f"the record is gone, {without} it was removed"
            yield broke("record-gone", slug, words, False, slug, None)
    before, after = changes.former
    moved = {one.slug: one.now for one in changes.renamed}
    for alias, slug in before.items():
        now = after.get(alias)
        if alias in changes.live:
            words = f"the former slug of {slug} is a record of its own"
            yield broke("slug-taken", alias, words, True, slug, alias)
        elif now is None and slug not in changes.removed:
            words = f"the former slug of {slug} leads nowhere"
            yield broke("alias-gone", alias, words, False, slug, None)
        elif now is not None and now != moved.get(slug, slug):
            words = f"the former slug leads to {now} and led to {slug}"
            yield broke("alias-elsewhere", alias, words, True, slug, now)
