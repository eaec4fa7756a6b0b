"""The tags that go together with those of a record, for its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from generator.grammar.filters import Facet
from generator.grammar.grammar import Collection, Slice
from generator.site import labels, paths
from generator.site.fields import Record
from generator.site.page_context import Site

#: The most tags of a record, and of each the most others.
MAX_TAGS, MAX_OTHERS = 6, 5
#: The fewest records that two tags have in common.
_LEAST = 2


class TagWith(NamedTuple):
    """Another tag, the number of records that have both, and the URL of their list.

    Without scripts that list has all records with the other tag.
    """

    label: str
    total: int
    href: str


class Together(NamedTuple):
    """A tag and those of its family that its records have, the most frequent first.  Its label has
    the family if there are several.
    """

    label: str
    others: tuple[TagWith, ...]

    @property
    def key(self) -> Together:
        """Identifies the rendered row (`Site.once`)."""
        return self


def together(site: Site, collection: Collection, record: Record) -> list[Together]:
    """The tags of a record that go together with others, in the order of its facts."""
    found = (
        site.memo.get_or_make(
            ("together", collection.name, name, tag), _together, site, collection, name, tag
        )
        for name, tag in _tags(collection, record)
    )
    return list(islice((one for one in found if one.others), MAX_TAGS))


def _tags(collection: Collection, record: Record) -> Iterator[tuple[str, str]]:
    """The tags of a record as (filter, tag), if their lists have pages."""
    for family, tags in record.get("tags", {}).items():
        if f"tag_{family}" in collection.prepared_filters:
            yield from ((f"tag_{family}", tag) for tag in tags)


def _together(site: Site, collection: Collection, name: str, tag: str) -> Together:
    table = site.tables[collection.name]
    counts = Counter(
        facet.value
        for position in table.members[Facet(name, tag)]
        for facet in table.rows[position].facets
        if facet.filter == name and facet.value != tag
    )
    frequent = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    others = []
    for other, count in frequent[:MAX_OTHERS]:
        if count >= _LEAST:
            page = site.url(paths.list_page(Slice(collection, name, other)))
            both = f"{page}?{name}=all:{','.join(sorted((tag, other)))}"
            label = labels.shown_label(site, collection, name, other)
            others.append(TagWith(label, count, both))
    label = labels.shown_label(site, collection, name, tag)
    if len(site.grammar.tag_families) > 1:
        label = f"{labels.filter_label(site, collection, name)}: {label}"
    return Together(label, tuple(others))
