"""The rules about addresses: documents, files and lists that moved or are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.features.diff.interface import covers, enumerated, missing_words
from generator.grammar import paths
from generator.grammar.grammar import Grammar
from generator.guard.finding import Finding, broken_rule
from generator.guard.node import Node, Place
from generator.guard.published import PublishedState

_list_of = re.compile(r"(/api/.+)/(by|sort)/([^/]+)/").match
_filter_of = re.compile(r"(/api/.+)/filters/[a-z0-9_]+\.json").fullmatch


def findings(old: PublishedState, new: PublishedState) -> Iterator[Finding]:
    """Every break of a rule about addresses."""
    yield from _surfaces(old, new)
    before, after = (state.document(paths.OPENAPI) for state in (old, new))
    yield from _files(before, after)
    yield from _values(before, after)


def _surfaces(old: PublishedState, new: PublishedState) -> Iterator[Finding]:
    """Documents in the index, except those of collections, which have rules of their own."""
    before, after = (
        state.document(paths.INDEX).at("data", "surfaces").named("name") for state in (old, new)
    )
    missing = new.document(paths.INDEX).at("data", "surfaces")
    for name, a in before.items() if missing else ():
        if name.partition("_")[0] in Grammar({}).collections or (name == "site" and new.has_site):
            continue
        b = after.get(name)
        if b is None:
            rule, words = "surface-gone", "the index no longer lists it"
            if name == "site":
                rule, words = "site-gone", "there are no pages for people"
            yield broken_rule(rule, name, words, a, missing, a["href"].plain, None)
            continue
        was, now = old.path_of(_address(a)), new.path_of(_address(b))
        if not covers(now, was):
            words = f"was at {was} and is now at {now}"
            yield Finding("surface-moved", name, words, a.place, b.place, was, now)


def _address(surface: Node) -> str:
    return surface["href"].text or surface["template"].text


def _files(before: Node, after: Node) -> Iterator[Finding]:
    """Addresses of files in openapi.json."""
    for path, a in before["paths"].members.items() if after["paths"] else ():
        b = after["paths"][path]
        if not b:
            yield from _gone(path, a, b, after)
    template = paths.schema_path("{kind}")
    was, now = (enumerated(document, template, "kind") for document in (before, after))
    for kind in missing_words(was, now) if now else ():
        path = paths.schema_path(kind)
        words = f"{path} is not there"
        places = Place(path, "", True), Place(path, "", False)
        yield Finding("schema-gone", kind, words, *places, kind, None)


def _gone(path: str, a: Node, b: Node, after: Node) -> Iterator[Finding]:
    """An address that is gone; its rule depends on whether it is a feed, a list or a file."""
    list_match, filter_match = _list_of(path), _filter_of(path)
    words = f"{path} is not there"
    if path.endswith(".ics"):
        yield broken_rule("feed-gone", path, words, a, b, path, None)
    elif list_match is not None:
        root, folder, name = list_match.groups()
        words = f"{root}/{folder}/{name}/ has no pages"
        if folder == "sort":
            if name in enumerated(after, root, "sort"):
                yield broken_rule("sort-unprepared", f"{root} {name}", words, a, b, name, None)
        else:
            parameters = after.at("paths", root, "get", "parameters").named("name")
            rule = "filter-unprepared" if name in parameters else "filter-gone"
            yield broken_rule(rule, f"{root} {name}", words, a, b, name, None)
    elif filter_match is None or f"{filter_match[1]}/filters.json" not in after["paths"].members:
        yield broken_rule("address-gone", path, words, a, b, path, None)


def _values(old: Node, new: Node) -> Iterator[Finding]:
    """The values of filters that openapi.json enumerates: each has a list of its own."""
    before, after = (document.at("components", "schemas") for document in (old, new))
    for name, schema in before.members.items():
        a, b = schema["enum"], after[name]["enum"]
        if "." not in name or not after[name]:
            continue
        collection, _, known = name.partition(".")
        if a and b:
            for value in missing_words(a.texts, b.texts):
                words = f'"{value}" is no longer a value of {known}: its list is gone'
                yield broken_rule("value-gone", f"{collection} {known}", words, a, b, value, None)
        elif b and not a:
            words = f"{known} took any value and now takes only {len(b.texts)}"
            yield broken_rule("vocabulary-closed", f"{collection} {known}", words, schema, b,
                         schema["pattern"].plain, b.texts)  # fmt: skip
