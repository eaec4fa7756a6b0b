"""`/changes/` and `/changes.atom`: the latest new, changed and removed records.

If the commits are unknown there is no feed, and the page says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from generator.contract.artifact import Artifact, Difference
from generator.features.changes.addresses import FEED, PAGE
from generator.grammar.grammar import Collection
from generator.grammar.paths import CHANGES
from generator.kinds.declare import OWN_FIELD_PREFIX, OWN_FIELDS
from generator.site import feeds, labels, rendering
from generator.site.links import Link
from generator.site.meta import Twin, below_home
from generator.site.page_context import Site

ADDRESSES = (PAGE, FEED)

#: More changes of one kind in a commit than this are folded.
MAX_SINGLE = 5
#: The most fields that a folded line names.
MAX_NAMED = 4

Entry = dict[str, Any]


class _Shown(NamedTuple):
    """A field with the values that are gone and those that are new, none for very long texts."""

    label: str
    old: list[str]
    new: list[str]


class _ChangeGroup(NamedTuple):
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


def links(site: Site) -> Iterator[Link]:
    if site.kept_document(CHANGES)["data"]:
        yield Link("sitemap", -90, PAGE)
        yield Link("data", 20, PAGE, "changes.title")
        yield Link("changes", 10, PAGE, "home.changes")
        yield Link("feeds", 20, FEED, "feeds.changes")


def render(site: Site) -> Iterator[Artifact]:
    document = feeds.read_document(site, CHANGES)
    changes = [change | {"path": _page(site, change)} for change in document["data"]]
    listed = list(_listed(site))
    by_day = sorted(listed or changes, key=_day, reverse=True)  # commits may be dated in any order
    totals = {(t.at, t.change, t.collection): t.number for t in site.details().totals}
    days = [(day, list(_groups(group, totals))) for day, group in groupby(by_day, key=_day)]
    texts = site.theme.texts
    twins = [Twin("application/json", site.url(CHANGES), texts("feeds.json"))]
    if changes:
        twins.insert(0, feeds.feed_link(site, FEED, "feeds.changes"))
    about = below_home(site, texts("changes.title"), texts("changes.lead"), twins=tuple(twins))
    history = document["history"]
    yield rendering.render_page(site, PAGE, "changes", days=days, history=history, about=about)
    # Entries of several commits in one second share a name: the last commit wins.
    entries = {entry.name: entry for entry in map(_entry, reversed(changes))}
    if entries:
        newest = sorted(entries.values(), key=lambda entry: entry.updated, reverse=True)
        updated = newest[0].updated
        yield feeds.render_feed(
            site, FEED, "changes-feed", page=PAGE, updated=updated, entries=newest
        )


def _listed(site: Site) -> Iterator[dict[str, Any]]:
    """The changes with the `path` of the record's page and the `fields` that differ."""
    for change, fields in site.details().changes:
        slug = site.symbols.current_slugs.get(change.collection, {}).get(change.slug, change.slug)
        has_page = site.source(change.collection, slug) is not None
        collection = site.grammar.collections[change.collection]
        yield {
            **change._asdict(),
            "path": site.record_page(change.collection, slug) if has_page else None,
            "fields": [_difference(site, collection, each) for each in fields]
            if fields is not None
            else None,
        }


def _day(change: dict[str, Any]) -> str:
    day: str = change["at"][:10]
    return day


def _page(site: Site, change: dict[str, Any]) -> str | None:
    if change["href"] is None:
        return None
    slug = change["href"].rpartition("/")[2].removesuffix(".json")
    return site.record_page(change["collection"], slug)


def _entry(change: dict[str, Any]) -> feeds.FeedEntry:
    name = f"change {change['at']} {change['collection']}/{change['slug']}"
    return feeds.FeedEntry(name, change["name"], change["path"], change["at"], change)


# --- fields that changed, in words ---


def _groups(
    entries: Iterable[Entry], totals: Mapping[tuple[str, str, str], int]
) -> Iterator[_ChangeGroup]:
    """The entries of a day, grouped by commit, kind of change and collection."""
    for key, entries_of in groupby(entries, key=itemgetter("at", "change", "collection")):
        listed = list(entries_of)
        counts: dict[str, int] = {}
        for entry in listed:
            for field in entry.get("fields") or ():
                counts[field.label] = counts.get(field.label, 0) + 1
        frequent = sorted(counts, key=lambda label: -counts[label])[:MAX_NAMED]
        yield _ChangeGroup(key[1], key[2], max(totals.get(key, 0), len(listed)), listed, frequent)


def _difference(site: Site, collection: Collection, difference: Difference) -> _Shown:
    field, old, new = difference
    gone = [text for text in old if text not in new]
    fresh = [text for text in new if text not in old]
    words = [[_value(site, collection, field, text) for text in texts] for texts in (gone, fresh)]
    return _Shown(_label(site, collection, field), *words)


def _label(site: Site, collection: Collection, field: str) -> str:
    name, _, key = field.partition(".")
    if name == "tags" and key in site.grammar.tag_families:
        return site.grammar.tag_families[key]
    own = collection.declared.fields.get(OWN_FIELD_PREFIX + key) if name == OWN_FIELDS else None
    if own is not None:
        return own.label
    texts = site.theme.texts.known
    known: Mapping[str, str] = texts["changes"]["fields"] | texts["words"]["filter"]
    if name in site.grammar.collections:
        label = site.grammar.collections[name].label
    elif name in collection.filters and collection.filters[name].refers:
        label = collection.filters[name].label
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
    kind = collection.declared
    if target := kind.references.get(name):
        return site.symbols.name(target, text)
    if text in ("true", "false"):
        return site.theme.texts(f"words.boolean.{text}")
    if text in kind.fixed_labels.get(name, {}):
        return labels.shown_label(site, collection, name, text)
    declared = labels.vocabulary(site, collection, name) if name in collection.filters else {}
    return declared.get(text, text)
