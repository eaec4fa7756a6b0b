"""Descriptions of pages for search engines and previews of links, from the facts of the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.grammar.grammar import Collection
from generator.grammar.query import capitalized
from generator.site import labels
from generator.site.meta import MAX_DESCRIPTION, about_text, clip_text
from generator.site.page_context import Site

#: The most tags of a record in its description.
_TAGS = 4


def of_record(site: Site, collection: Collection, record: Mapping[str, Any]) -> str:
    """The text about a record, then as many of its facts as there is room for."""
    text = about_text(record)
    if not text:
        facts = dict.fromkeys((record["name"], *_facts(site, collection, record)))
        return clip_text(" · ".join(facts))
    described = clip_text(text)
    if described[-1].isalnum() and len(described) < MAX_DESCRIPTION:
        described += "."
    facts = dict.fromkeys(_facts(site, collection, record))
    return _with_room(described, " ", " · ", facts)


def of_list(site: Site, title: str, total: int, names: Iterable[str]) -> str:
    """A list by its title, the number of its records, and the names of the first of the page."""
    start = clip_text(f"{title} ({site.theme.texts.number(total)})")
    return _with_room(start, ": ", ", ", names)


def _with_room(text: str, first: str, between: str, more: Iterable[str]) -> str:
    """The text and as many of the next parts as there is room for."""
    separator = first
    for part in more:
        if len(text) + len(separator) + len(part) > MAX_DESCRIPTION:
            break
        text, separator = text + separator + part, between
    return text


def _facts(site: Site, collection: Collection, record: Mapping[str, Any]) -> Iterator[str]:
    """What a record is, when, where, of whom, and its tags, in words."""
    declared = collection.declared
    name = "kind" if "kind" in declared.fields else declared.badged
    for field in dict.fromkeys((name, "type", "category")):
        if field in declared.fields and record.get(field) and field != "status":
            yield labels.value_label(site, collection, field, record[field])
    if "kind" not in declared.fields:
        yield capitalized(collection.one)
    local = record.get("ends_local") or record.get("starts_local")
    if local:
        yield labels.day(site, local[:10])
    elif record.get("year"):
        yield str(record["year"])
    if place := labels.place(site, collection, record):
        yield place
    for field in declared.references:
        owners = record[field] if declared.fields[field].many else [record[field]]
        yield from (owner["name"] for owner in owners if owner)
    tags = ((f"tag_{family}", tag) for family, own in record["tags"].items() for tag in own)
    for number, (family, tag) in enumerate(tags):
        if number < _TAGS:
            yield labels.value_label(site, collection, family, tag)
    for other in declared.counts:
        if record.get(other):
            counted = site.grammar.collections[other]
            yield site.theme.texts(
                "list.count", count=record[other], one=counted.one, many=counted.many
            )
