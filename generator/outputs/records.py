"""Records and their lists: the file of each record, files at the addresses of its aliases, every
slice in pages of encoded summaries, the values of filters, and calendar feeds (RFC 5545).

The families of records and lists call the functions part by part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import orjson

from generator.contract.artifact import Alias, Artifact, document_artifact, encode_json, output_of
from generator.contract.listing import render_list, total_pages
from generator.contract.vevents import current_events, encode_event
from generator.grammar.filters import Facet
from generator.grammar.grammar import Collection, Grammar, Query, Slice
from generator.kinds import Kinds
from generator.model.kind import Counted, Kind
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.facets import (
    declared_values,
    paged_values,
    value_label,
    values_by_count,
)
from generator.model.tables.table import Counts, Registry, Table, upcoming_events
from generator.model.tables.texts import TextColumn


def render_record(
    kind: Kind, data: Any, symbols: Symbols, summary: dict[str, Any], counts: Counted
) -> Artifact:
    """The file of a record, from its input model and its summary."""
    slug = summary["slug"]
    collection = symbols.grammar.collections[kind.collection]
    links = {"self": summary["href"], **kind.links(slug, symbols, counts)}
    details = kind.details(data, symbols, summary, counts)
    parts: dict[str, Any] = {"links": links, "data": details}
    if symbols.updated is not None:
        parts["meta"] = {"updated_at": symbols.updated.get(kind.collection, {}).get(slug)}
    return document_artifact(collection.record_path(slug), collection.kind, **parts)


def with_filled_links(
    data: bytes, name: str, slug: str, tables: Mapping[str, Table], kinds: Kinds
) -> bytes:
    """The file of a record, in which links to lists without records are null, if its kind has none
    of these.
    """
    links = () if kinds[name].empty_lists else kinds.relations[name]
    empty = [of.key for of in links if not tables[of.collection].count(Facet(of.filter, slug))]
    if not empty:
        return data
    document = orjson.loads(data)
    document["links"] |= dict.fromkeys(empty)
    return encode_json(document)


def render_moved(
    collection: Collection, slug: str, aliases: Iterable[str], grammar: Grammar
) -> Iterator[Artifact]:
    """A file for each alias that names the record's present slug."""
    for alias in dict.fromkeys(aliases):
        old_path, new_path = collection.record_path(alias), collection.record_path(slug)
        yield _moved(collection.name, alias, slug, old_path, new_path, grammar)


def render_moved_page(was: Slice, now: Slice, number: int, grammar: Grammar) -> Artifact:
    """A page of a list of an alias that names the page of the present slug's list."""
    alias, slug = was.value or "", now.value or ""
    return _moved(was.refers, alias, slug, was.path(number), now.path(number), grammar)


def _moved(
    name: str, alias: str, slug: str, old_path: str, new_path: str, grammar: Grammar
) -> Artifact:
    links = {"self": grammar.url(old_path), "replaced_by": grammar.url(new_path)}
    data = {"collection": name, "slug": alias, "replaced_by": slug}
    return document_artifact(old_path, "moved", links=links, data=data)


def slices(table: Table, symbols: Symbols, as_of: date) -> Iterator[tuple[Slice, Sequence[int]]]:
    """The slices of a collection that have files, each with its rows: whole lists, sorts, virtual
    filters, then values of filters.
    """
    collection = table.collection
    parts = [*collection.whole_slices(), *(part for _, part in collection.virtual_slices())]
    parts += [Slice(collection, *pair) for pair in paged_values(table.counts(), symbols)]
    return ((part, slice_rows(table, part, as_of)) for part in parts)


def slice_rows(table: Table, part: Slice, as_of: date) -> Sequence[int]:
    """The rows of a slice, in its order."""
    virtual = part.filter in table.collection.virtual
    return upcoming_events(table, as_of) if virtual else table.positions(part)


def count_pages(
    part: Slice, rows: Sequence[int], known: Mapping[str, Mapping[str, str]], size: int
) -> int:
    """The number of pages of a slice: at least 1, but 0 for a value that no record has and that is
    not in `known`, the result of `facets.declared_values`.
    """
    is_declared = part.filter not in known or part.value in known[part.filter or ""]
    return total_pages(len(rows), size) if is_declared or len(rows) else 0


def list_length(registry: Registry, part: Slice) -> int:
    """The number of pages of the list of a record, also without rows if its kind has these."""
    rows = registry.tables[part.collection.name].positions(part)
    has_pages = len(rows) or registry.symbols.grammar.kinds[part.refers].empty_lists
    return total_pages(len(rows), registry.settings.page_size) if has_pages else 0


def render_list_page(
    part: Slice,
    number: int,
    rows: Sequence[int],
    summaries: TextColumn,
    size: int,
    grammar: Grammar,
    as_of: date,
) -> Artifact:
    """One page of a slice, with at most `size` encoded summaries.  `rows` are all its rows.  Only
    pages of a collection with a virtual filter have the day.
    """
    filters = ((part.filter, part.value or ""),) if part.filter is not None else ()
    query = Query(part.collection, filters, part.sort, None, number)
    day = as_of.isoformat() if part.collection.virtual else None
    texts = summaries.at(rows[(number - 1) * size : number * size])
    page = render_list(query, texts, count=len(rows), size=size, grammar=grammar, as_of=day)
    return Artifact(part.path(number), page)


MOST_FREQUENT = 50


def render_filters(symbols: Symbols, counts: Mapping[str, Counts]) -> Iterator[Artifact]:
    url = symbols.grammar.url
    for counted in counts.values():
        collection = counted.collection
        listed = {}
        for name, values in values_by_count(counted, symbols).items():
            path = collection.filter_path(name)
            data = {
                "label": collection.filters[name].label,
                "total_values": len(values),
                "truncated": False,
                "href": url(path),
                "values": values,
            }
            links = {"self": url(path), "filters": url(collection.filters_path)}
            yield document_artifact(path, "filter", links=links, data=data)
            truncated = len(values) > MOST_FREQUENT
            listed[name] = data | {"truncated": truncated, "values": values[:MOST_FREQUENT]}
        links = {"self": url(collection.filters_path)}
        yield document_artifact(collection.filters_path, "filter_list", links=links, data=listed)


def render_calendar(
    settings: Settings,
    symbols: Symbols,
    tables: Mapping[str, Table],
    aliases: Sequence[Alias],
    as_of: date,
    modified: Mapping[str, str],
) -> Iterator[Artifact]:
    """The feeds of the timed collection, if there is one."""
    from generator.contract import ical

    events = tables.get(symbols.grammar.kinds.timed)
    if events is None:
        return
    entries = {
        i: encode_event(events, i, settings, symbols, modified)
        for i in current_events(events, as_of)
    }
    counts = events.counts()
    known = declared_values(counts, symbols)

    def feed(part: Slice, name: str) -> Artifact:
        source = settings.origin + symbols.grammar.url(part.feed) if settings.origin else None
        positions = events.positions(part)
        vevents = [entries[i] for i in positions if i in entries]
        about = settings.description.strip()
        text = ical.calendar(name, about, source, vevents, len(positions))
        return Artifact(part.feed, text)

    yield feed(Slice(events.collection), settings.name)
    for name in events.collection.feeds:
        former: dict[str, list[str]] = {}
        for alias in aliases:
            if alias.collection == events.collection.filters[name].refers:
                former.setdefault(alias.slug, []).append(alias.former)
        for value in sorted(counts.values[name]):
            title = value_label(counts, name, value, known)
            artifact = feed(Slice(events.collection, name, value), f"{title} · {settings.name}")
            yield artifact
            # Subscribers of a former slug's feed get the same feed; SOURCE is its present address
            # (RFC 7986 §5.8).
            for slug in former.get(value, ()):
                yield Artifact(Slice(events.collection, name, slug).feed, artifact.data)


OUTPUTS = (
    output_of("outputs.calendar", render_calendar, "{root}.ics", "{root}/by/"),
    output_of(
        "outputs.filters",
        render_filters,
        "{root}/filters",
    ),
)
