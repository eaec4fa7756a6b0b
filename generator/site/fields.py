"""The fields of a record as words and links for its page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from generator.grammar.grammar import Collection, Slice
from generator.grammar.query import capitalized
from generator.kinds.declare import OWN_FIELD_PREFIX, Field
from generator.kinds.types import is_url
from generator.site import labels, paths
from generator.site.page_context import Site

Record = Mapping[str, Any]


class Value(NamedTuple):
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
    values: list[Value]


def facts(site: Site, collection: Collection, record: Record) -> list[Fact]:
    """The filled fields of a record, without its name, texts, tags, times and sources."""
    t = site.theme.texts
    found = [fact for fact in _KINDS[collection.name](site, record) if fact is not None]
    if record["locations"] or record.get("remote") or record.get("online"):
        found.append(_locations(site, collection, record))
    if record.get("former_names"):
        found.append(Fact(t("record.former_names"), list(map(Value, record["former_names"]))))
    if record["fields"]:
        found += _own_fields(site, collection, record["fields"])
    if record["website"]:
        found.append(Fact(t("record.website"), [external_link(record["website"])]))
    if record["links"]:
        links = [_link(key, address) for key, address in record["links"].items()]
        found.append(Fact(t("record.links"), links))
    if record["identifiers"]:
        schemes = site.symbols.schemes
        ids = [
            external_link(one["url"], f"{schemes[scheme].label} {one['id']}")
            for scheme, several in record["identifiers"].items()
            for one in several
        ]
        found.append(Fact(t("record.identifiers"), ids))
    if day := record["verified"]:
        found.append(Fact(t("record.verified"), [Value(labels.day(site, day), datetime=day)]))
    return found


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


def value_link(site: Site, collection: Collection, name: str, value: str, label: str = "") -> Value:
    """A value of a field; if the field is a filter with pages, it links to the list of the value.

    `label` is the text of a value whose field is not a filter.
    """
    key = "value", collection.name, name, value, label
    return site.memo.get_or_make(key, _value_link, site, collection, name, value, label)


def _value_link(site: Site, collection: Collection, name: str, value: str, label: str) -> Value:
    text = labels.value_label(site, collection, name, value, label)
    part = Slice(collection, name, value)
    has_page = name in collection.prepared_filters and paths.visited(part)
    return Value(text, site.url(paths.list_page(part)) if has_page else "")


def place_url(site: Site, collection: Collection, slug: str) -> str:
    """The URL of the records of a place, or ""."""
    return site.memo.get_or_make(
        ("place", collection.name, slug), _place_url, site, collection, slug
    )


def _place_url(site: Site, collection: Collection, slug: str) -> str:
    if not slug or "location" not in collection.prepared_filters:
        return ""
    return site.url(paths.place_page(Slice(collection, "location", slug)))


def _reference(
    site: Site, collection: str, target: Mapping[str, str] | None, label: str
) -> Fact | None:
    return Fact(label, [_record_link(site, collection, target)]) if target is not None else None


def _record_link(site: Site, collection: str, target: Mapping[str, str]) -> Value:
    return Value(target["name"], site.url(paths.record_page(collection, target["slug"])))


def external_link(address: str, text: str = "") -> Value:
    """An address on the web, linked if it is http(s).

    Without `text` it is shown without scheme and `www.`.
    """
    short = (address.partition("://")[2] or address).removeprefix("www.").removesuffix("/")
    return Value(text or short, "", address if is_url(address) else "")


def _link(key: str, address: str) -> Value:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    return external_link(address, f"{key.replace('_', ' ')} ({host.removeprefix('www.')})")


def _locations(site: Site, collection: Collection, record: Record) -> Fact:
    values = [_location(site, collection, location) for location in record["locations"]]
    for name in ("remote", "online"):
        if record.get(name):
            values.append(value_link(site, collection, "location", name))
    return Fact(labels.filter_label(site, collection, "location"), values)


def _location(site: Site, collection: Collection, location: Mapping[str, str | None]) -> Value:
    """A place, linked to the records of its city, else of its region, else of its country."""
    country = labels.country(site, location["country"] or "")
    text = ", ".join(name for name in (location["city"], location["region"], country) if name)
    return Value(text, place_url(site, collection, location["slug"] or ""))


def _own_fields(site: Site, collection: Collection, fields: Record) -> Iterator[Fact]:
    declared = site.grammar.fields.get(collection.name, {})
    for key, value in fields.items():
        own = declared[key]
        values = [
            item for item in (value if isinstance(value, list) else [value]) if item is not None
        ]
        if values:
            yield Fact(own.label, [own_value(site, collection, key, own, item) for item in values])


def own_value(site: Site, collection: Collection, key: str, own: Field, value: Any) -> Value:
    """A value of an own field.  The script of lists writes the same: source/list/rows.mjs."""
    if own.type == "number":
        text = labels.number(site, value)
        return Value(f"{text} {own.unit}" if own.unit else text)
    if own.type == "url":
        return external_link(value)
    if own.type == "date":
        return Value(labels.day(site, value), datetime=value)
    if own.type == "boolean":
        word = str(value).lower()
        label = site.theme.texts(f"words.boolean.{word}")
        return value_link(site, collection, OWN_FIELD_PREFIX + key, word, label)
    if own.type == "choice":
        label = own.values.get(value, value.replace("-", " "))
        return value_link(site, collection, OWN_FIELD_PREFIX + key, value, label)
    return Value(value)


# --- fields of one kind ---------------------------------------------------------------------------

_Facts = Iterable[Fact | None]


def _project(site: Site, record: Record) -> _Facts:
    collection, texts = site.grammar.projects, site.theme.texts
    yield _filter_value(site, collection, "status", record)
    yield _filter_value(site, collection, "year", record)
    for name in ("programs", "organizations"):
        targets = record[name]
        if targets:
            links = [_record_link(site, name, target) for target in targets]
            yield Fact(_noun(site, name, len(targets)), links)
    if record["founders"]:
        yield Fact(texts("record.founders"), list(map(Value, record["founders"])))
    if record["team_size"] is not None:
        label = labels.filter_label(site, collection, "team_size")
        yield Fact(label, [Value(texts.number(record["team_size"]))])


def _program(site: Site, record: Record) -> _Facts:
    collection, texts = site.grammar.programs, site.theme.texts
    yield _filter_value(site, collection, "type", record)
    yield _reference(site, "organizations", record["organization"], _noun(site, "organizations"))
    yield _reference(site, "programs", record["parent"], texts("record.part_of"))
    yield _filter_value(site, collection, "year", record)
    for name, day in (("first_day", record["starts"]), ("last_day", record["ends"])):
        if day:
            yield Fact(texts(f"record.{name}"), [Value(labels.day(site, day), datetime=day)])


def _organization(site: Site, record: Record) -> _Facts:
    texts = site.theme.texts
    yield _filter_value(site, site.grammar.organizations, "category", record)
    yield _reference(site, "organizations", record["parent"], texts("record.part_of"))
    if record["year"] is not None:  # organizations have no filter by year
        yield Fact(texts("words.filter.year"), [Value(str(record["year"]))])


def _event(site: Site, record: Record) -> _Facts:
    collection = site.grammar.events
    yield _filter_value(site, collection, "kind", record)
    yield _filter_value(site, collection, "status", record)
    yield _filter_value(site, collection, "stage", record)
    if record["round"] is not None:
        yield Fact(site.theme.texts("record.round"), [Value(str(record["round"]))])
    for name in ("program", "organization"):
        yield _reference(site, f"{name}s", record[name], _noun(site, f"{name}s"))


_KINDS: Mapping[str, Callable[[Site, Record], _Facts]] = {
    "projects": _project,
    "programs": _program,
    "organizations": _organization,
    "events": _event,
}


def _filter_value(site: Site, collection: Collection, name: str, record: Record) -> Fact | None:
    """A single-valued field that is also a filter."""
    value = record[name]
    if value is None:
        return None
    label = labels.filter_label(site, collection, name)
    return Fact(label, [value_link(site, collection, name, str(value))])


def _noun(site: Site, name: str, count: int = 1) -> str:
    collection = site.grammar.collections[name]
    return collection.label if count > 1 else capitalized(collection.one)
