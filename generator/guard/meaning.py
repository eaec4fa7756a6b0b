"""What breaks who trusts the meaning of what is still there: licence, order, sizes, labels, who a
record is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from generator.api import paths
from generator.api.grammar import Grammar
from generator.guard.finding import Finding, broken
from generator.guard.node import Node, Place
from generator.guard.published import Published
from generator.guard.records import Changed, Records

#: Filters whose values have labels that a registry decides; the others' are names of records, or
#: follow from the value.
_LABELLED = ("organization_category", "category", "type", "status", "kind")
#: What an index says of itself: the rule where it is another, and what it is, in words.
_OF_INDEX = (
    ("size", "page-size-changed", "records on a page"),
    ("language", "language-changed", "the language of the texts"),
    ("unicode", "folding-changed", "the version of Unicode that words are folded by"),
)


def findings(
    old: Published, new: Published, records: Mapping[str, Records], *, released: bool
) -> Iterator[Finding]:
    """Every break of a rule of this tier; with `released`, the older state is a published one, and
    not to be followed by one that is older still.
    """
    yield from _registry(old.document(paths.INDEX)["data"], new.document(paths.INDEX)["data"])
    yield from _index(old, new)
    yield from _labels(old, new)
    yield from _own_fields(old, new)
    yield from _feed(old, new)
    if released:
        yield from _older(old.document(paths.BUILD), new.document(paths.BUILD))
    for name, changes in records.items():
        for changed in changes.changed:
            yield from _record(name, changed)


def _registry(old: Node, new: Node) -> Iterator[Finding]:
    a, b = old["license"], new["license"]
    if a.text and a.text != b.text:
        rule, words = (
            ("licence-changed", f"the licence is {b.text} and was {a.text}")
            if b.text
            else ("licence-gone", f"there is no licence, and it was {a.text}")
        )
        yield broken(rule, "license", words, a, b)
    a, b = old["contact"], new["contact"]
    if a.text and b and not b.text:
        yield broken("contact-gone", "contact", f"nobody is named, and {a.text} was", a, b)
    a, b = old["name"], new["name"]
    if a.text and b.text and a.text != b.text:
        words = f'the registry is called "{b.text}" and was "{a.text}"'
        yield broken("registry-renamed", "name", words, a, b)


def _index(old: Published, new: Published) -> Iterator[Finding]:
    """What the search index of each collection says of all of them: told once."""
    for key, rule, what in _OF_INDEX:
        for collection in Grammar({}).collections.values():
            a, b = (state.document(collection.manifest_path)[key] for state in (old, new))
            if a and b and a.plain != b.plain:
                words = f"{what}: {b.plain}, and was {a.plain}"
                yield broken(rule, key, words, a, b)
                break
    for collection in Grammar({}).collections.values():
        before, after = (state.document(collection.manifest_path)["columns"]
                         for state in (old, new))  # fmt: skip
        for name, column in before.members.items():
            a, b = column["type"], after[name]["type"]
            if a and b and a.plain != b.plain:
                words = f"is searched as {b.plain} and was as {a.plain}"
                yield broken("column-type-changed", f"{collection.name} {name}", words, a, b)


def _labels(old: Published, new: Published) -> Iterator[Finding]:
    for collection in Grammar({}).collections.values():
        before, after = (state.document(collection.filters_path)["data"] for state in (old, new))
        for name, a in before.members.items():
            b = after[name]
            subject = f"{collection.name} {name}"
            if a["label"].text and b["label"].text and a["label"].text != b["label"].text:
                words = f'is called "{b["label"].text}" and was "{a["label"].text}"'
                yield broken("filter-relabelled", subject, words, a["label"], b["label"])
            if name in _LABELLED or name.startswith("tag_"):
                was, now = a["values"].named("value"), b["values"].named("value")
                for value, one in was.items():
                    was_called = one["label"]
                    is_called = now[value]["label"] if value in now else Node("")
                    if is_called.text and was_called.text != is_called.text:
                        words = f'"{value}" means "{is_called.text}" and meant "{was_called.text}"'
                        yield broken("value-relabelled", f"{subject} {value}", words, was_called,
                                     is_called)  # fmt: skip


def _own_fields(old: Published, new: Published) -> Iterator[Finding]:
    before, after = (state.document(paths.INDEX).at("data", "fields") for state in (old, new))
    for collection, fields in before.members.items():
        for key, field in fields.members.items():
            now = after[collection][key]
            subject = f"{collection} fields.{key}"
            a, b = field["unit"], now["unit"]
            if b and a.plain != b.plain:
                words = f"numbers are in {b.plain or 'no unit'} and were in {a.plain or 'none'}"
                yield broken("own-field-unit-changed", subject, words, a, b)
            a, b = field["label"], now["label"]
            if b and a.plain != b.plain:
                words = f'is called "{b.text}" and was "{a.text}"'
                yield broken("own-field-relabelled", subject, words, a, b)
            for value, a in field["values"].members.items():
                b = now["values"][value]
                if b and a.plain != b.plain:
                    words = f'"{value}" means "{b.text}" and meant "{a.text}"'
                    yield broken("own-field-word-relabelled", f"{subject} {value}", words, a, b)


# --- older states ---------------------------------------------------------------------------------


def _older(old: Node, new: Node) -> Iterator[Finding]:
    for key, rule, what in (
        ("as_of", "day-back", "the day that upcoming is counted from"),
        ("generated_at", "published-back", "the time of the content"),
    ):
        a, b = old[key], new[key]
        if a.text and b.text and b.text < a.text:
            yield broken(rule, key, f"{what} is {b.text} and was {a.text}", a, b)
            return
    a, b = (node.at("generator", "version") for node in (old, new))
    if b.text and _numbers(b.text) < _numbers(a.text):
        words = f"built by version {b.text}, and was by {a.text}"
        yield broken("generator-back", "generator", words, a, b)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"[0-9]{1,9}", version)[:3]]


# --- records --------------------------------------------------------------------------------------


def _record(collection: str, changed: Changed) -> Iterator[Finding]:
    fields = {one.name: one for one in changed.fields}
    path = Grammar({}).collections[collection].record_path(changed.slug)
    subject = f"{collection} {changed.slug}"
    if {"name", "website"} <= fields.keys():
        name, website = fields["name"], fields["website"]
        former = fields["former_names"].now if "former_names" in fields else None
        hosts = {_host(website.was), _host(website.now)}
        if len(hosts) == 2 and "" not in hosts and name.was not in (former or ()):
            words = f'is "{name.now}", {website.now}; was "{name.was}", {website.was}'
            places = Place(path, "/data/name", True), Place(path, "/data/name", True)
            yield Finding("record-other", subject, words, *places, name.was, name.now)
    if "kind" in fields:
        words = f"is of the kind {fields['kind'].now} and was {fields['kind'].was}"
        places = Place(path, "/data/kind", True), Place(path, "/data/kind", True)
        yield Finding("record-kind-changed", subject, words, *places, *fields["kind"][1:])


def _host(url: object) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.") if isinstance(url, str) else ""
    except ValueError:
        return ""


def _feed(old: Published, new: Published) -> Iterator[Finding]:
    """Whether calendars would show events twice: the same event under another identifier."""
    before, after = (_identifiers(state.file(paths.FEED)) for state in (old, new))
    others = [event for event, uid in before.items() if after.get(event, uid) != uid]
    if others:
        words = f"{len(others):,} events have another UID: calendars show them twice"
        place = Place(paths.FEED, "", True)
        yield Finding("feed-uid-changed", "UID", words, place, place)


def _identifiers(feed: bytes | None) -> dict[tuple[str, str], str]:
    """(summary, start) of each event -> its UID."""
    text = re.sub(r"\r?\n[ \t]", "", (feed or b"").decode("utf-8", "replace"))
    events: dict[tuple[str, str], str] = {}
    for part in text.split("BEGIN:VEVENT")[1:]:
        named = dict(re.findall(r"^(UID|SUMMARY|DTSTART)[^:\n]*:(.*?)\r?$", part, re.M))
        if len(named) == 3:
            events[named["SUMMARY"], named["DTSTART"]] = named["UID"]
    return events
