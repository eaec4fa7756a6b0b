"""The fields of a record in words, each value with where it leads to: the list of what else has it,
another record, or an address elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup

from generator.grammar.grammar import Collection, Slice
from generator.grammar.own_fields import PREFIX, OwnField
from generator.grammar.query import begun
from generator.model.fields import is_url
from generator.site import labels, paths
from generator.site.page_context import Site

Record = Mapping[str, Any]
#: An address of which the host stands as people write it.
_PLAIN = re.compile(r"https?://(?:www\.)?([a-z0-9.-]+)(?:[/?#]|$)")


class Value(NamedTuple):
    """A value in words, and the URL it leads to: `href` within the site, `elsewhere` on another.

    `before` stands before the link; `datetime` is the value as programs take it, of a date.
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


def kept(macro: Callable[[Fact], str], some: Iterable[Fact]) -> Markup:
    """What a macro makes of facts."""
    return Markup("".join(map(macro, some)))


def facts(site: Site, of: Collection, record: Record) -> list[Fact]:
    """The fields that a record has anything of, but its name, texts, tags, times and sources."""
    t = site.theme.texts
    some = [fact for fact in _KINDS[of.name](site, record) if fact is not None]
    if record["locations"] or record.get("remote"):
        some.append(_places(site, of, record))
    if record.get("former_names"):
        some.append(Fact(t("record.former_names"), list(map(Value, record["former_names"]))))
    if record["fields"]:
        some += _own(site, of, record["fields"])
    if record["website"]:
        some.append(Fact(t("record.website"), [elsewhere(record["website"])]))
    if record["links"]:
        links = [_link(key, address) for key, address in record["links"].items()]
        some.append(Fact(t("record.links"), links))
    return some


def tags(site: Site, of: Collection, record: Record) -> list[Fact]:
    """The families that a record has tags of."""
    families = site.grammar.tag_families
    return [
        Fact(families[family], [listed(site, of, f"tag_{family}", tag) for tag in some])
        for family, some in record["tags"].items()
        if some
    ]


def listed(site: Site, of: Collection, name: str, value: str, label: str = "") -> Value:
    """A value of a filter, which leads to the list of what has it; of a field that is no filter,
    with its label.
    """
    text = labels.value_label(site, of, name, value, label)
    part = Slice(of, name, value)
    leads = name in of.prepared_filters and paths.visited(part)
    return Value(text, site.url(paths.list_page(part)) if leads else "")


def _reference(
    site: Site, collection: str, to: Mapping[str, str] | None, label: str
) -> Fact | None:
    """Another record; None where there is none."""
    return Fact(label, [_named(site, collection, to)]) if to is not None else None


def _named(site: Site, collection: str, to: Mapping[str, str]) -> Value:
    return Value(to["name"], site.url(paths.record_page(collection, to["slug"])))


def elsewhere(address: str, text: str = "") -> Value:
    """An address on the web, which leads there where it is one; without its scheme where it has no
    text.
    """
    leads = address if is_url(address) else ""
    return Value(text or _short(address), "", leads)


def _short(address: str) -> str:
    """What people call an address."""
    rest = address.partition("://")[2] or address
    return rest.removeprefix("www.").removesuffix("/")


def _link(key: str, address: str) -> Value:
    plain = _PLAIN.match(address)
    return elsewhere(address, f"{key.replace('_', ' ')} ({plain[1] if plain else _host(address)})")


def _host(address: str) -> str:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    return host.removeprefix("www.")


def _places(site: Site, of: Collection, record: Record) -> Fact:
    """Where a record is, and whether it works from anywhere."""
    values = [_place(site, of, place) for place in record["locations"]]
    if record.get("remote"):
        values.append(listed(site, of, "location", "remote"))
    return Fact(labels.filter_label(site, of, "location"), values)


def _place(site: Site, of: Collection, place: Mapping[str, str | None]) -> Value:
    code = place["country"] or ""
    country = listed(site, of, "location", code.lower())
    within = [part for part in (place["city"], place["region"]) if part]
    return country._replace(before=", ".join([*within, ""])) if within else country


def _own(site: Site, of: Collection, given: Record) -> Iterator[Fact]:
    declared = site.grammar.fields.get(of.name, {})
    for key, value in given.items():
        values = value if isinstance(value, list) else [value]
        shown = [_own_value(site, of, key, declared[key], one) for one in values if one is not None]
        if shown:
            yield Fact(declared[key].label, shown)


def _own_value(site: Site, of: Collection, key: str, own: OwnField, value: Any) -> Value:
    if own.type == "number":
        text = labels.number(site, value)
        return Value(f"{text} {own.unit}" if own.unit else text)
    if own.type == "url":
        return elsewhere(value)
    if own.type == "date":
        return Value(labels.day(site, value), datetime=value)
    if own.type == "boolean":
        word = str(value).lower()
        label = site.theme.texts(f"words.boolean.{word}")
        return listed(site, of, PREFIX + key, word, label)
    if own.type == "choice":
        label = own.values.get(value, value.replace("-", " "))
        return listed(site, of, PREFIX + key, value, label)
    return Value(value)


# --- what only one kind has -----------------------------------------------------------------------

_Some = Iterable[Fact | None]


def _project(site: Site, record: Record) -> _Some:
    of, texts = site.grammar.projects, site.theme.texts
    yield _chosen(site, of, "status", record)
    yield _chosen(site, of, "year", record)
    for name in ("programs", "organizations"):
        some = record[name]
        if len(some) == 1:
            yield _reference(site, name, some[0], _noun(site, name))
        elif some:
            yield Fact(_noun(site, name, len(some)), [_named(site, name, to) for to in some])
    if record["founders"]:
        yield Fact(texts("record.founders"), list(map(Value, record["founders"])))
    if record["team_size"] is not None:
        label = labels.filter_label(site, of, "team_size")
        yield Fact(label, [Value(texts.number(record["team_size"]))])


def _program(site: Site, record: Record) -> _Some:
    of, texts = site.grammar.programs, site.theme.texts
    yield _chosen(site, of, "type", record)
    yield _reference(site, "organizations", record["organization"], _noun(site, "organizations"))
    yield _reference(site, "programs", record["parent"], texts("record.part_of"))
    yield _chosen(site, of, "year", record)
    for name, day in (("first_day", record["starts"]), ("last_day", record["ends"])):
        if day:
            yield Fact(texts(f"record.{name}"), [Value(labels.day(site, day), datetime=day)])


def _organization(site: Site, record: Record) -> _Some:
    of, texts = site.grammar.organizations, site.theme.texts
    yield _chosen(site, of, "category", record)
    yield _reference(site, "organizations", record["parent"], texts("record.part_of"))
    if record["year"] is not None:  # by which organizations are not filtered
        yield Fact(texts("words.filter.year"), [Value(str(record["year"]))])


def _event(site: Site, record: Record) -> _Some:
    of = site.grammar.events
    yield _chosen(site, of, "kind", record)
    yield _chosen(site, of, "status", record)
    for name in ("program", "organization"):
        yield _reference(site, f"{name}s", record[name], _noun(site, f"{name}s"))


_KINDS: Mapping[str, Callable[[Site, Record], _Some]] = {
    "projects": _project,
    "programs": _program,
    "organizations": _organization,
    "events": _event,
}


def _chosen(site: Site, of: Collection, name: str, record: Record) -> Fact | None:
    """A field of one value, of those that records are chosen by."""
    value = record[name]
    if value is None:
        return None
    return Fact(labels.filter_label(site, of, name), [listed(site, of, name, str(value))])


def _noun(site: Site, collection: str, count: int = 1) -> str:
    of = site.grammar.collections[collection]
    return of.label if count > 1 else begun(of.one)
