"""The rows of lists: what each kind shows of a summary, and their HTML, made once.

A record is in many lists, so that its row is kept by the bytes of its summary.
What a row says beyond them are labels and names, which are the site's (generator.site.labels).  The
script of lists makes the same of the same summaries: generator/site/source/list/rows.mjs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson

from generator.grammar.grammar import Collection, Slice
from generator.site import paths
from generator.site.labels import value_label
from generator.site.page_context import Site

#: Of one kind in a row, at most: programs or organizations, and tags.
NAMED, TAGGED = 2, 4
#: Rows that are kept, at most: some 1 KB each.
KEPT = 50_000

#: A text, and what it leads to: "" for nothing.
Link = tuple[str, str]


class Row(NamedTuple):
    """What a row shows: a name that leads to the record, a sentence, what belongs to it, tags, and
    at its end a badge (a text, a tone) and what is short.
    """

    name: str
    to: str
    summary: str | None
    notes: list[Link]
    tags: list[Link]
    badge: Link | None
    end: list[str]


class _Kept(dict[bytes, bytes]):
    """What is made of bytes, once, as long as there is room; and what was read for it."""

    def __init__(self, make: Callable[[bytes], bytes], log: list[str]):
        self._make, self._log = make, log
        self._reads: dict[bytes, list[str]] = {}

    def __missing__(self, key: bytes) -> bytes:
        begun = len(self._log)
        made = self._make(key)
        if len(self) < KEPT:
            self[key], self._reads[key] = made, self._log[begun:]
        return made

    def all(self, keys: Sequence[bytes]) -> list[bytes]:
        """What is made of several keys."""
        made = list(map(self.__getitem__, keys))
        for key in keys:
            self._log += self._reads.get(key, ())
        return made


class Rows:
    """The rows of one collection as a site shows them."""

    def __init__(self, site: Site, collection: Collection):
        self.site, self.collection = site, collection
        #: Rows by encoded summaries, which a comma may follow, encoded.
        self.html = _Kept(self._one, site.memo.log)
        self._shape: Callable[[dict[str, Any]], Row] = getattr(self, f"_{collection.name}")
        module = site.theme.template("row").make_module({"t": site.theme.texts})
        self._html: Callable[[Row], str] = getattr(module, "row")  # noqa: B009
        self._value, self._record = cache(self._link), self._named
        self._place = cache(self._located)

    def _one(self, line: bytes) -> bytes:
        return self._html(self.row(orjson.loads(line.rstrip(b",")))).encode()

    def row(self, summary: dict[str, Any]) -> Row:
        return self._shape(summary)

    # --- kinds ---

    def _projects(self, one: dict[str, Any]) -> Row:
        programs, organizations = one["programs"], one["organizations"]
        named = [self._record("programs", slug) for slug in programs[:NAMED]]
        named += [
            self._record("organizations", slug) for slug in organizations[: NAMED - len(named)]
        ]
        status = one["status"]
        label = self._value("status", status)[0]
        tone = {"inactive": "quiet", "public": "good"}.get(status, "")
        badge = None if status == "active" else (label, tone)
        return self._row_of(one, named, badge, [one["year"]])

    def _programs(self, one: dict[str, Any]) -> Row:
        badge = (self._value("type", one["type"])[0], "quiet")
        counts = [self._count("projects", one["projects"])]
        named = [self._record("organizations", one["organization"])]
        return self._row_of(one, named, badge, [one["year"], *counts])

    def _organizations(self, one: dict[str, Any]) -> Row:
        badge = (self._value("category", one["category"])[0], "quiet")
        counts = [self._count(name, one[name]) for name in ("programs", "projects")]
        return self._row_of(one, [], badge, [one["year"], *counts])

    def _events(self, one: dict[str, Any]) -> Row:
        named = [
            self._record(collection, one[kind])
            for kind, collection in (("program", "programs"), ("organization", "organizations"))
            if one[kind]
        ]
        badge = (self._value("kind", one["kind"])[0], "quiet")
        return self._row_of({"tags": {}, "locations": [], **one}, named, badge, [one["ends_local"]])

    # --- parts ---

    def _row_of(
        self, one: dict[str, Any], named: list[Link], badge: Link | None, end: list[Any]
    ) -> Row:
        # Families may have tags that are called alike: of those the first.
        tags: dict[str, Link] = {}
        for family, own in one["tags"].items():
            name = f"tag_{family}"
            for tag in own:
                link = self._value(name, tag)
                tags.setdefault(link[0], link)
        to = self.site.url(paths.record_page(self.collection.name, one["slug"]))
        notes = [*named, *self._places(one), *self._own(one)]
        shown = [str(text) for text in end if text]
        return Row(one["name"], to, one["summary"], notes, [*tags.values()][:TAGGED], badge, shown)

    def _named(self, collection: str, slug: str) -> Link:
        target = self.site.symbols.targets(collection).get(slug)
        return (target.name if target else slug, self.site.url(paths.record_page(collection, slug)))

    def _link(self, name: str, value: str) -> Link:
        page = paths.list_page(Slice(self.collection, name, value))
        return (value_label(self.site, self.collection, name, value), self.site.url(page))

    def _places(self, one: dict[str, Any]) -> list[Link]:
        """The first place, and how many more there are; whether it works from anywhere."""
        found: list[Link] = []
        places = one["locations"]
        if places:
            first = places[0]
            found.append(
                self._place(first["country"], first["city"] or first["region"], len(places) - 1)
            )
        if one.get("remote"):
            found.append(self._value("location", "remote"))
        return found

    def _located(self, code: str, within: str | None, more: int) -> Link:
        country, to = self._value("location", code.lower())
        where = f"{within}, {country}" if within else country
        return (f"{where} +{more}" if more else where, to)

    def _own(self, one: dict[str, Any]) -> list[Link]:
        """The registry's own fields that its lists show."""
        if not one["fields"]:
            return []
        declared = self.site.grammar.fields.get(self.collection.name, {})
        return [
            (f"{declared[key].label}: {', '.join(map(declared[key].spelled, values))}", "")
            for key, value in one["fields"].items()
            if (values := value if isinstance(value, list) else [] if value is None else [value])
        ]

    def _count(self, collection: str, count: int) -> str:
        of = self.site.grammar.collections[collection]
        if not count:
            return ""
        return self.site.theme.texts("list.count", count=count, one=of.one, many=of.many)
