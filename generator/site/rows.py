"""The rows of lists as HTML, each rendered once.

A record is in many lists, so a row is cached by the bytes of its summary.  The script of lists
builds the same elements from the same summaries: generator/site/source/list/rows.mjs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from generator.grammar.grammar import Collection
from generator.kinds.declare import COUNTS
from generator.site.colours import monogram
from generator.site.fields import label_of, own_badge, place_url, value_link, value_of
from generator.site.labels import initials
from generator.site.page_context import Site

#: The most programs and organizations in a row, and the most tags.
MAX_OWNERS, MAX_TAGS = 2, 4
#: The most rows in the cache, of about 1 KB each.
MAX_CACHED = 50_000

#: A text and the URL that it links to, or "".
Link = tuple[str, str]
Summary = dict[str, Any]


class ListRow(NamedTuple):
    """A row: the record's name and URL, the URL of its logo or None, the initials of its name with
    the number of their colour, its summary, tags, and a badge as (text, tone).

    `notes` are its owners, places and own fields, each as (class, links), without empty ones.
    `year` and `counts`, the numbers of related records in words, may be "".
    """

    name: str
    to: str
    logo: str | None
    initials: str
    hue: int
    summary: str | None
    notes: list[tuple[str, list[Link]]]
    tags: list[Link]
    badge: Link
    year: str
    counts: str


class _Cache(dict[bytes, bytes]):
    """Up to MAX_CACHED results of `make` by its argument."""

    def __init__(self, make: Callable[[bytes], bytes]):
        self._make = make

    def __missing__(self, key: bytes) -> bytes:
        result = self._make(key)
        if len(self) < MAX_CACHED:
            self[key] = result
        return result

    def all(self, keys: Sequence[bytes]) -> list[bytes]:
        """The results for several keys."""
        return list(map(self.__getitem__, keys))


class RowRenderer:
    """Renders the rows of one collection."""

    def __init__(self, site: Site, collection: Collection):
        self.site, self.collection = site, collection
        #: Encoded HTML by encoded summary.
        self.html = _Cache(self._render)
        self.declared = collection.declared
        module = site.theme.template("row").make_module({"t": site.theme.texts})
        self._macro: Callable[[ListRow], str] = getattr(module, "row")  # noqa: B009

    def row(self, summary: Summary) -> ListRow:
        declared = self.declared
        owners = [
            self._record(f.refers, slug) for f in declared.owners for slug in f.values_in(summary)
        ]
        year = summary.get("year")
        if declared.timed:
            year = summary["ends_local"] or summary["starts_local"]
        return self._common(summary, owners[:MAX_OWNERS], year)

    def _render(self, line: bytes) -> bytes:
        return self._macro(self.row(orjson.loads(line))).encode()

    # --- parts ---

    def _common(self, summary: Summary, owners: list[Link], year: int | str | None) -> ListRow:
        # Tags of two families may have the same label: the first is shown.
        tags: dict[str, Link] = {}
        for family, slugs in summary.get("tags", {}).items():
            name = f"tag_{family}"
            for tag in slugs:
                link = self._value(name, tag)
                tags.setdefault(link[0], link)
        url = self.site.url(self.collection.record_page(summary["slug"]))
        notes = {
            "owners": owners,
            "places": self._places(summary),
            "own": self._own_fields(summary),
        }
        return ListRow(
            summary["name"],
            url,
            summary.get("logo"),
            initials(summary["name"]),
            monogram(summary["name"]),
            summary["summary"],
            [(kind, links) for kind, links in notes.items() if links],
            [*tags.values()][:MAX_TAGS],
            self.badge(summary),
            str(year or ""),
            ", ".join(filter(None, (self._count(name, summary) for name in self.declared.counts))),
        )

    def _record(self, collection: str, slug: str) -> Link:
        target = self.site.symbols.targets(collection).get(slug)
        return (
            target.name if target else slug,
            self.site.url(self.site.grammar.collections[collection].record_page(slug)),
        )

    def _value(self, name: str, value: str) -> Link:
        return value_link(self.site, self.collection, name, value)[:2]

    def _places(self, summary: Summary) -> list[Link]:
        """The first location with the number of the others, and "remote" or "online"."""
        links: list[Link] = []
        locations = summary.get("locations", [])
        if locations:
            first = locations[0]
            within = first["city"] or first["region"]
            country = self._value("location", first["country"].lower())[0]
            place = f"{within}, {country}" if within else country
            more = f" +{len(locations) - 1}" if len(locations) > 1 else ""
            url = place_url(self.site, self.collection, first["slug"])
            links.append((f"{place}{more}", url))
        for name in ("remote", "online"):
            if summary.get(name):
                links.append(self._value("location", name))
        return links

    def badge(self, summary: Mapping[str, Any]) -> Link:
        """The badge of a record or a summary as (text, tone); both are "" if it has none."""
        if text := own_badge(self.site, self.collection, summary):
            return text, "quiet"
        name, tones = self.declared.badged, self.declared.tones
        field = self.declared.fields.get(name)
        value = field.value_in(summary) if field and not field.is_own else None
        if not value:
            return "", ""
        return self._value(name, value)[0], tones.get(value, "quiet")

    def _own_fields(self, summary: Summary) -> list[Link]:
        """The fields that rows have no other place for, and own fields that lists show."""
        links = []
        for field in self.declared.drawn:
            values = field.values_in(summary)
            texts = [value_of(self.site, self.collection, field, v).text for v in values]
            if texts:
                label = label_of(self.site, self.collection, field)
                links.append((f"{label}: {', '.join(texts)}", ""))
        return links

    def _count(self, name: str, summary: Summary) -> str:
        """The number of related records in words, or ""."""
        collection = self.site.grammar.collections[name]
        count = summary[name] if name in summary else summary[COUNTS][name]
        if not count:
            return ""
        texts = self.site.theme.texts
        return texts("list.count", count=count, one=collection.one, many=collection.many)
