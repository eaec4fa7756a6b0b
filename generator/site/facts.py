"""The fields of a record in words, each value with where it leads to: the list of what else has it,
another record, or an address elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from generator.api.grammar import Collection, Slice
from generator.api.own import PREFIX, OwnField
from generator.api.query import begun
from generator.records.fields import is_url
from generator.site import labels, paths, words
from generator.site.frame import Site

Record = Mapping[str, Any]


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


def facts(site: Site, of: Collection, record: Record) -> Iterator[Fact]:
    """The fields that a record has anything of, but its name, texts, tags, times and sources."""
    t = site.theme.texts
    for values, label in _KINDS[of.name](site, record):
        if values:
            yield Fact(label, values)
    places = [_place(site, of, place) for place in record["locations"]]
    if record.get("remote"):
        places.append(listed(site, of, "location", "remote"))
    if places:
        yield Fact(labels.filter_label(site, of, "location"), places)
    if record.get("former_names"):
        yield Fact(t("record.former_names"), list(map(Value, record["former_names"])))
    yield from _own(site, of, record["fields"])
    if record["website"]:
        yield Fact(t("record.website"), [elsewhere(record["website"])])
    if record["links"]:
        links = [_link(key, address) for key, address in record["links"].items()]
        yield Fact(t("record.links"), links)


def tags(site: Site, of: Collection, record: Record) -> list[Fact]:
    """The families that a record has tags of."""
    return [
        Fact(
            site.grammar.tag_families[family],
            [listed(site, of, f"tag_{family}", tag) for tag in some],
        )
        for family, some in record["tags"].items()
        if some
    ]


def listed(site: Site, of: Collection, name: str, value: str, label: str = "") -> Value:
    """A value of a filter, which leads to the list of what has it; of a field that is no filter,
    with its label.
    """
    key = of.name, name, value
    known: Value | None = site.memo.get(key)
    if known is None:
        text = labels.value_label(site, of, name, value, label)
        part = Slice(of, name, value)
        leads = name in of.prepared_filters and paths.visited(part)
        known = Value(text, site.url(paths.list_page(part)) if leads else "")
        site.memo[key] = known
    return known


def reference(site: Site, collection: str, to: Mapping[str, str] | None) -> list[Value]:
    """Another record, in a list; an empty one where there is none."""
    if to is None:
        return []
    return [Value(to["name"], site.url(paths.record_page(collection, to["slug"])))]


def elsewhere(address: str, text: str = "") -> Value:
    """An address on the web, which leads there where it is one; without its scheme where it has no
    text.
    """
    leads = address if is_url(address) else ""
    return Value(text or _short(address), elsewhere=leads)


def _short(address: str) -> str:
    """What people call an address."""
    rest = address.partition("://")[2] or address
    return rest.removeprefix("www.").removesuffix("/")


def _link(key: str, address: str) -> Value:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    return elsewhere(address, f"{key.replace('_', ' ')} ({host.removeprefix('www.')})")


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
        text = words.number(site, value)
        return Value(f"{text} {own.unit}" if own.unit else text)
    if own.type == "url":
        return elsewhere(value)
    if own.type == "date":
        return Value(words.day(site, value), datetime=value)
    if own.type == "boolean":
        word = str(value).lower()
        label = site.theme.texts(f"words.boolean.{word}")
        return listed(site, of, PREFIX + key, word, label)
    if own.type == "choice":
        label = own.values.get(value, value.replace("-", " "))
        return listed(site, of, PREFIX + key, value, label)
    return Value(value)


# --- what only one kind has -----------------------------------------------------------------------

_Labelled = Iterable[tuple[list[Value], str]]


def _project(site: Site, record: Record) -> _Labelled:
    of, texts = site.grammar.projects, site.theme.texts
    yield _chosen(site, of, "status", record)
    yield _chosen(site, of, "year", record)
    for name in ("programs", "organizations"):
        to = [value for one in record[name] for value in reference(site, name, one)]
        yield to, _noun(site, name, len(to))
    yield list(map(Value, record["founders"])), texts("record.founders")
    size = record["team_size"]
    values = [] if size is None else [Value(texts.number(size))]
    yield values, labels.filter_label(site, of, "team_size")


def _program(site: Site, record: Record) -> _Labelled:
    of, texts = site.grammar.programs, site.theme.texts
    yield _chosen(site, of, "type", record)
    yield reference(site, "organizations", record["organization"]), _noun(site, "organizations")
    yield reference(site, "programs", record["parent"]), texts("record.part_of")
    yield _chosen(site, of, "year", record)
    for name, day in (("first_day", record["starts"]), ("last_day", record["ends"])):
        values = [Value(words.day(site, day), datetime=day)] if day else []
        yield values, texts(f"record.{name}")


def _organization(site: Site, record: Record) -> _Labelled:
    of = site.grammar.organizations
    yield _chosen(site, of, "category", record)
    yield reference(site, "organizations", record["parent"]), site.theme.texts("record.part_of")
    year = record["year"]  # by which organizations are not filtered
    yield [] if year is None else [Value(str(year))], site.theme.texts("words.filter.year")


def _event(site: Site, record: Record) -> _Labelled:
    of = site.grammar.events
    yield _chosen(site, of, "kind", record)
    yield _chosen(site, of, "status", record)
    for name in ("program", "organization"):
        yield reference(site, f"{name}s", record[name]), _noun(site, f"{name}s")


_KINDS: Mapping[str, Callable[[Site, Record], _Labelled]] = {
    "projects": _project,
    "programs": _program,
    "organizations": _organization,
    "events": _event,
}


def _chosen(site: Site, of: Collection, name: str, record: Record) -> tuple[list[Value], str]:
    """A field of one value, of those that records are chosen by."""
    value = record[name]
    values = [] if value is None else [listed(site, of, name, str(value))]
    return values, labels.filter_label(site, of, name)


def _noun(site: Site, collection: str, count: int = 1) -> str:
    of = site.grammar.collections[collection]
    return of.label if count > 1 else begun(of.one)
