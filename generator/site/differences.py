"""What the last commits changed, in words: fields with their values before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from generator.contract.artifact import Difference
from generator.grammar.grammar import Collection
from generator.model.kinds import KINDS
from generator.site import labels
from generator.site.page_context import Site

#: More changes of one kind in a commit than this are folded.
MAX_SINGLE = 5
#: The most fields that a folded line names.
MAX_NAMED = 4

Entry = dict[str, Any]


class Shown(NamedTuple):
    """A field with the values that are gone and those that are new; texts that are too long to be
    compared have neither.
    """

    label: str
    old: list[str]
    new: list[str]


class Group(NamedTuple):
    """Changes of one kind by one commit; `total` counts also those that are not listed.

    `fields` has the labels of the fields that most of them changed.
    """

    change: str
    collection: str
    total: int
    entries: list[Entry]
    fields: list[str]

    @property
    def folded(self) -> bool:
        return self.total > MAX_SINGLE


def shown(site: Site, name: str, differences: Iterable[Difference]) -> list[Shown]:
    """The differences of a record of the collection `name`, in words."""
    collection = site.grammar.collections[name]
    return [_shown(site, collection, difference) for difference in differences]


def groups(entries: Iterable[Entry], totals: Mapping[tuple[str, str, str], int]) -> Iterator[Group]:
    """The entries of a day, grouped by commit, kind of change and collection."""
    for key, entries_of in groupby(entries, key=_key):
        listed = list(entries_of)
        counts: dict[str, int] = {}
        for entry in listed:
            for field in entry.get("fields") or ():
                counts[field.label] = counts.get(field.label, 0) + 1
        frequent = sorted(counts, key=lambda label: -counts[label])[:MAX_NAMED]
        yield Group(key[1], key[2], max(totals.get(key, 0), len(listed)), listed, frequent)


def _key(entry: Entry) -> tuple[str, str, str]:
    return entry["at"], entry["change"], entry["collection"]


def _shown(site: Site, collection: Collection, difference: Difference) -> Shown:
    field, old, new = difference
    gone = [text for text in old if text not in new]
    fresh = [text for text in new if text not in old]
    words = [[_value(site, collection, field, text) for text in texts] for texts in (gone, fresh)]
    return Shown(_label(site, collection, field), *words)


def _label(site: Site, collection: Collection, field: str) -> str:
    name, _, key = field.partition(".")
    if name == "tags" and key in site.grammar.tag_families:
        return site.grammar.tag_families[key]
    if name == "fields" and key in site.grammar.fields.get(collection.name, {}):
        return site.grammar.fields[collection.name][key].label
    texts = site.theme.texts.known
    known: Mapping[str, str] = texts["changes"]["fields"] | texts["words"]["filter"]
    if name in site.grammar.collections:
        label = site.grammar.collections[name].label
    elif name in ("program", "organization"):
        label = collection.filters[name].label if name in collection.filters else name
    else:
        label = known.get(name, name.replace("_", " ").capitalize())
    return f"{label}: {key.replace('_', ' ')}" if key else label


def _value(site: Site, collection: Collection, field: str, text: str) -> str:
    """The label of a value; values of earlier commits may have none."""
    name, _, key = field.partition(".")
    if name == "tags":
        return site.symbols.tag_label(key, text)
    if name == "locations":
        place, _, code = text.rpartition(", ")
        country = labels.country(site, code) or code
        return f"{place}, {country}" if place else country
    target = KINDS[collection.name].reference_fields.get(name)
    if target:
        return site.symbols.name(target, text)
    if text in ("true", "false"):
        return site.theme.texts(f"words.boolean.{text}")
    fixed = KINDS[collection.name].fixed_labels.get(name, {})
    declared = labels.vocabulary(site, collection, name) if name in collection.filters else {}
    is_known = text in fixed or (collection.name == "events" and name == "status")
    if is_known and text in _words(site, collection, name):
        return _words(site, collection, name)[text]
    return declared.get(text, text)


def _words(site: Site, collection: Collection, name: str) -> Mapping[str, str]:
    words: Mapping[str, Any] = site.theme.texts.known["words"]
    group = labels.FIXED.get((collection.name, name), "")
    found: Mapping[str, str] = words.get(group, {})
    return found
