"""The fields of a record as words and links for its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from generator.grammar.grammar import Collection, Slice
from generator.grammar.query import capitalized
from generator.kinds import KINDS
from generator.kinds.declare import Field
from generator.kinds.types import is_url
from generator.site import labels, paths
from generator.site.page_context import Site

Record = Mapping[str, Any]


class FactValue(NamedTuple):
    """A value in words, with a link within the site (`href`) or to another site (`external_link`).

    `before` is text in front of the link; `datetime` is the machine-readable form of a date.
    """

    text: str
    href: str = ""
    elsewhere: str = ""
    before: str = ""
    datetime: str = ""


class Fact(NamedTuple):
    """A field, or a family of tags, with its values."""

    label: str
    values: list[FactValue]


def facts(site: Site, collection: Collection, record: Record) -> list[Fact]:
    """The filled fields of a record, without its name, texts, tags, times and sources."""
    found: list[Fact] = []
    for field in KINDS[collection.name].shown:
        value = record[field.name]
        if field.type == "own":
            found += _own_fields(site, collection, value)
        elif values := _values(site, collection, field, record):
            found.append(Fact(label_of(site, collection, field, len(values)), values))
    return found


def _values(site: Site, collection: Collection, field: Field, record: Record) -> list[FactValue]:
    value = record[field.name]
    if field.type == "places":
        return _locations(site, collection, record)
    if field.type == "links":
        return [_link(key, address) for key, address in value.items()]
    if field.added:
        shown = field.added.shown(value, site.symbols)
        return [external_link(url, f"{label} {text}") for label, text, url in shown]
    items = value if field.many else [value]
    return [value_of(site, collection, field, item) for item in items if item is not None]


def label_of(site: Site, collection: Collection, field: Field, count: int = 1) -> str:
    """The label of a field with so many values."""
    if field.label_key:
        return site.theme.texts(field.label_key)
    if field.type == "year" and not field.own and not collection.declared.series:
        return site.theme.texts("record.founded")
    if field.refers:
        target = site.grammar.collections[field.refers]
        return target.label if count > 1 else capitalized(target.one)
    return labels.filter_label(site, collection, field.filter or field.name)


def tags(site: Site, collection: Collection, record: Record) -> list[Fact]:
    """The tags of a record by family, without empty families."""
    families = site.grammar.tag_families
    return [
        Fact(
            families[family], [value_link(site, collection, f"tag_{family}", tag) for tag in slugs]
        )
        for family, slugs in record["tags"].items()
        if slugs
    ]


def value_link(
    site: Site, collection: Collection, name: str, value: str, label: str = ""
) -> FactValue:
    """A value of a field; if the field is a filter with pages, it links to the list of the value.

    `label` is the text of a value whose field is not a filter.
    """
    key = "value", collection.name, name, value, label
    return site.memo.get_or_make(key, _value_link, site, collection, name, value, label)


def _value_link(site: Site, collection: Collection, name: str, value: str, label: str) -> FactValue:
    text = labels.value_label(site, collection, name, value, label)
    part = Slice(collection, name, value)
    has_page = name in collection.prepared_filters and paths.visited(part)
    return FactValue(text, site.url(paths.list_page(part)) if has_page else "")


def place_url(site: Site, collection: Collection, slug: str) -> str:
    """The URL of the records of a place, or ""."""
    return site.memo.get_or_make(
        ("place", collection.name, slug), _place_url, site, collection, slug
    )


def _place_url(site: Site, collection: Collection, slug: str) -> str:
    if not slug or "location" not in collection.prepared_filters:
        return ""
    return site.url(paths.place_page(Slice(collection, "location", slug)))


def _record_link(site: Site, collection: str, target: Mapping[str, str]) -> FactValue:
    return FactValue(target["name"], site.url(paths.record_page(collection, target["slug"])))


def external_link(address: str, text: str = "") -> FactValue:
    """An address on the web, linked if it is http(s).

    Without `text` it is shown without scheme and `www.`.
    """
    short = (address.partition("://")[2] or address).removeprefix("www.").removesuffix("/")
    return FactValue(text or short, "", address if is_url(address) else "")


def _link(key: str, address: str) -> FactValue:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    return external_link(address, f"{key.replace('_', ' ')} ({host.removeprefix('www.')})")


def _locations(site: Site, collection: Collection, record: Record) -> list[FactValue]:
    values = [_location(site, collection, location) for location in record["locations"]]
    for name in ("remote", "online"):
        if record.get(name):
            values.append(value_link(site, collection, "location", name))
    return values


def _location(site: Site, collection: Collection, location: Mapping[str, str | None]) -> FactValue:
    """A place, linked to the records of its city, else of its region, else of its country."""
    country = labels.country(site, location["country"] or "")
    text = ", ".join(name for name in (location["city"], location["region"], country) if name)
    return FactValue(text, place_url(site, collection, location["slug"] or ""))


def _own_fields(site: Site, collection: Collection, fields: Record) -> Iterator[Fact]:
    declared = site.grammar.fields.get(collection.name, {})
    for key, value in fields.items():
        own = declared[key]
        values = [
            value_of(site, collection, own, item)
            for item in (value if isinstance(value, list) else [value])
            if item is not None
        ]
        if values:
            yield Fact(own.label, values)


def value_of(site: Site, collection: Collection, field: Field, value: Any) -> FactValue:
    """A value of a field.  The script of lists writes the same: source/list/rows.mjs."""
    name = field.filter or field.attribute
    if field.refers:
        return _record_link(site, field.refers, value)
    if field.type == "number":
        text = labels.number(site, value)
        return FactValue(f"{text} {field.unit}" if field.unit else text)
    if field.type == "url":
        return external_link(value)
    if field.type == "date":
        return FactValue(labels.day(site, value), datetime=value)
    if field.type == "boolean":
        word = str(value).lower()
        return value_link(site, collection, name, word, site.theme.texts(f"words.boolean.{word}"))
    if field.type == "year":
        return value_link(site, collection, name, str(value))
    if field.type in ("choice", "slug"):
        label = field.values.get(value, value.replace("-", " "))
        return value_link(site, collection, name, value, label)
    return FactValue(value)
