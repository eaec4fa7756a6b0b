"""Titles of lists in words, such as "Climate projects in Germany", and of records; descriptions of
pages for search engines and previews of links.  Each page has its own.

The script of lists calls what is chosen in the browser by the same words:
generator/site/source/list/title.mjs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import orjson

from generator.grammar.grammar import Collection, Slice
from generator.grammar.query import capitalized
from generator.kinds.declare import COUNTS
from generator.site import labels, paths
from generator.site.fields import own_badge
from generator.site.meta import MAX_DESCRIPTION, about_text, clip_text
from generator.site.page_context import Site

#: The most words of a value before the noun.
_LONG = 3

#: The filter of a list and its value.
Key = tuple[str | None, str | None]


def forms(site: Site) -> Mapping[str, str]:
    """Filter -> how a list is called with a value of it; `tag` is for all tags, `remote` for that
    location, `other` for all other filters and for empty forms.
    """
    found: Mapping[str, str] = site.theme.texts.known["titles"]["forms"]
    return found


def places(site: Site) -> Mapping[str, str]:
    """Location -> its name after "in", "" for countries without an article in this language."""
    found: Mapping[str, str] = site.theme.texts.known["titles"]["places"]
    return found


def list_words(site: Site, part: Slice, noun: str = "") -> str:
    """What a list is called, with another noun than that of its records."""
    collection, name, value = part.collection, part.filter, part.value
    if name is None or name in collection.virtual:
        return collection.label
    assert value is not None
    key = "tag" if name.startswith("tag_") else name
    if name == "location" and value == "remote":
        key = "remote"
    text = labels.shown_label(site, collection, name, value)
    text = (places(site).get(value) or text) if name == "location" else text
    form = forms(site).get(key, "")
    if not form or (form.startswith("{value}") and len(text.split()) > _LONG):
        key = "other"
    words = site.theme.texts(
        f"titles.forms.{key}",
        noun=noun or collection.many,
        label=labels.filter_label(site, collection, name),
        value=text,
    )
    first = words.split(" ", 1)[0]
    return capitalized(words) if first == first.lower() else words


def list_title(site: Site, part: Slice, words: Callable[[Site, Slice], str] = list_words) -> str:
    """The title of a list by `words`, with the filter and the value if other lists have the same
    words.
    """
    key = "titles", part.collection.name
    titles = site.memo.get_or_make(key, _list_titles, site, part.collection, words)
    return titles.get((part.filter, part.value)) or words(site, part)


def _list_titles(
    site: Site, collection: Collection, words: Callable[[Site, Slice], str]
) -> dict[Key, str]:
    parts = [
        part
        for part in site.counts(collection.name).slices()
        if part.filter is not None and paths.visited(part)
    ]
    titles = {(part.filter, part.value): words(site, part) for part in parts}
    for more in ("{title} ({label})", "{title}: {value}"):
        numbers = Counter(titles.values())
        for name, value in [key for key, title in titles.items() if numbers[title] > 1]:
            label = labels.filter_label(site, collection, str(name))
            titles[name, value] = more.format(title=titles[name, value], label=label, value=value)
    return titles


def record_title(site: Site, collection: Collection, record: Mapping[str, Any]) -> str:
    """The name of a record; if other records have the same name, with what tells it from them."""
    names: Mapping[tuple[str, str], str] = site.memo.get_or_make("names", _shared_names, site)
    name: str = record["name"]
    return names.get((collection.name, record["slug"]), name)


def _shared_names(site: Site) -> dict[tuple[str, str], str]:
    """(collection, slug) -> the title of each record whose name others have."""
    found = sorted(
        (row.name, name, position)
        for name in site.fit().collections
        if site.grammar.has_pages(name)
        for position, row in enumerate(site.tables[name])
    )
    titles = {}
    for shared, group in groupby(found, key=lambda one: one[0]):
        records = [
            (site.grammar.collections[name], orjson.loads(site.tables[name].summaries[position]))
            for _, name, position in group
        ]
        if len(records) < 2:
            continue
        several = [list(_distinctions(site, *record)) for record in records]
        numbers = [Counter(level) for level in zip(*several, strict=True)]
        for (collection, record), levels in zip(records, several, strict=True):
            more = next(
                text
                for text, number in zip(levels, numbers, strict=True)
                if number[text] == 1 and text
            )
            titles[collection.name, record["slug"]] = f"{shared} ({more})"
    return titles


def _distinctions(site: Site, collection: Collection, record: Mapping[str, Any]) -> Iterator[str]:
    """What may tell a record from others of its name; the last is of no other record."""
    owner = next(
        (
            site.symbols.targets(f.refers)[slug].name
            for f in collection.declared.owners
            if not f.many and (slug := f.value_in(record)) in site.symbols.targets(f.refers)
        ),
        "",
    )
    local = record.get("ends_local") or record.get("starts_local")
    when = labels.day(site, local[:10]) if local else str(record.get("year") or "")
    yield capitalized(collection.one)
    yield owner
    yield when
    place = labels.place(site, collection, record)
    yield place
    known = ", ".join(filter(None, (owner, when, place))) or capitalized(collection.one)
    yield known
    yield f"{known}: {collection.record_page(record['slug'])}"


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
            yield labels.shown_label(site, collection, field, record[field])
    if badge := own_badge(site, collection, record):
        yield badge
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
        yield from (owner["name"] for owner in declared.fields[field].values_in(record))
    tags = ((f"tag_{family}", tag) for family, own in record.get("tags", {}).items() for tag in own)
    for number, (family, tag) in enumerate(tags):
        if number < _TAGS:
            yield labels.shown_label(site, collection, family, tag)
    for other in declared.counts:
        if count := record.get(other, record.get(COUNTS, {}).get(other)):
            counted = site.grammar.collections[other]
            yield site.theme.texts("list.count", count=count, one=counted.one, many=counted.many)
