"""The grammar: query parameters <-> Query <-> Slice <-> canonical path.

Nothing else in the package spells an API path, a parameter or a problem code.  Knows nothing of
records, files or hosts.  A `Grammar` belongs to one registry: its tag families become filters, its
base URL's path becomes the prefix.

Two kinds of address are kept apart: a *path* names a file under the output folder
(`/api/projects/page/1.json`), a *url* is what documents link to (the same with the prefix before
it).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from generator.api.asked import parameters, search_words, shown
from generator.api.names import KIND_OF
from generator.api.paths import FEED, MANIFEST
from generator.api.problems import QueryError
from generator.api.text import SLUG

#: Before the name of a tag family.
TAGS = "tags/"
MAX_VALUE = 210  # a location is a country, a region and a city

_PATTERNS = {
    "slug": SLUG,
    "word": r"[a-z]+(?:_[a-z]+)*",
    "year": r"[0-9]{4}",
    "month": r"[0-9]{4}-(?:0[1-9]|1[0-2])",
    "page": r"[1-9][0-9]{0,8}",
    "true": "true",
}


_MONTHS = ("January", "February", "March", "April", "May", "June", "July",
           "August", "September", "October", "November", "December")  # fmt: skip


# --- the tables -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filter:
    """One query parameter that narrows a collection.  `form` names the pattern its values have.

    `refers` is the collection whose records are its values; `vocabulary` is where the registry
    declares them, if it does.
    """

    name: str
    label: str
    form: str = "slug"
    refers: str = ""
    vocabulary: str = ""

    @property
    def pattern(self) -> str:
        return _PATTERNS[self.form]

    def spelled(self, value: str) -> str:
        """A value in words, where nothing has declared better."""
        if self.form == "month":
            return f"{_MONTHS[int(value[5:]) - 1]} {value[:4]}"
        return value.replace("-", " ")


def _begun(words: str) -> str:
    """As at the beginning of a line."""
    return words[:1].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class Collection:
    """One list of records: its address, its filters in canonical order and its sorts, the default
    first.
    """

    name: str
    kind: str
    one: str  # what the registry calls a record of it, and several: for people, and in no address
    many: str
    root: str
    filters: Mapping[str, Filter] = field(hash=False)
    sorts: tuple[str, ...]
    #: Filters that no record has a value of: they are asked with `true`, and what they keep depends
    #: on the day.  The bare address of the collection answers the first of them.
    virtual: Mapping[str, Filter] = field(default_factory=dict, hash=False)
    #: The filters whose slices have an iCalendar feed each, beside that of the whole collection.
    feeds: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return _begun(self.many)

    @property
    def asked(self) -> dict[str, Filter]:
        """Every filter that a query may have, in canonical order."""
        return {**self.filters, **self.virtual}

    def virtual_slices(self) -> list[tuple[Filter, Slice]]:
        """Each virtual filter with the slice of what it keeps."""
        return [(f, Slice(self, f.name, "true")) for f in self.virtual.values()]

    @property
    def filters_path(self) -> str:
        return f"{self.root}/filters.json"

    def record_path(self, slug: str) -> str:
        return f"{self.root}/slug/{slug}.json"

    def filter_path(self, name: str) -> str:
        return f"{self.root}/filters/{name}.json"

    # The search index, whose format is private: docs/search.md.

    @property
    def manifest_path(self) -> str:
        return MANIFEST.replace("{collection}", self.name)

    def shard_path(self, number: int | str) -> str:
        return f"/api/index/{self.name}/keys/{number}.bin"

    def numbers_path(self, sort: str, number: int | str) -> str:
        return f"/api/index/{self.name}/sort/{sort}/{number}.bin"

    def rows_path(self, number: int | str) -> str:
        return f"/api/index/{self.name}/rows/{number}.txt"

    def blocks_path(self, number: int | str) -> str:
        return f"/api/index/{self.name}/blocks/{number}.txt"


@dataclass(frozen=True, slots=True)
class Slice:
    """The records that match at most one filter, in one order: what the page tier has files for."""

    collection: Collection
    filter: str | None = None
    value: str | None = None
    sort: str = ""

    @property
    def order(self) -> str:
        return self.sort or self.collection.sorts[0]

    @property
    def refers(self) -> str:
        """The collection whose records are the values of the filter; "" where they are words."""
        known = self.collection.filters.get(self.filter or "")
        return known.refers if known else ""

    @property
    def folder(self) -> str:
        """The path every page of the slice begins with."""
        if self.filter in self.collection.virtual:
            return f"{self.collection.root}/{self.filter}"
        if self.filter is not None:
            return f"{self.collection.root}/by/{self.filter}/{self.value}"
        if self.sort and self.sort != self.collection.sorts[0]:
            return f"{self.collection.root}/sort/{self.sort}"
        return self.collection.root

    def path(self, page: int | str = 1) -> str:
        return f"{self.folder}/page/{page}.json"

    @property
    def feed(self) -> str:
        """The path of the iCalendar feed of this slice of the events."""
        return f"{self.folder}.ics" if self.filter else FEED


@dataclass(frozen=True, slots=True)
class Query:
    """An allowed question.  `filters` are in canonical order; `sort` is "" for the default."""

    collection: Collection
    filters: tuple[tuple[str, str], ...] = ()
    sort: str = ""
    q: str | None = None
    page: int = 1

    @property
    def order(self) -> str:
        return self.sort or ("relevance" if self.q is not None else self.collection.sorts[0])

    @property
    def slice(self) -> Slice | None:
        """The slice whose files answer this query, or None where it needs the query tier."""
        default = self.collection.sorts[0]
        if self.q is not None or len(self.filters) > 1 or (self.filters and self.order != default):
            return None
        name, value = self.filters[0] if self.filters else (None, None)
        return Slice(self.collection, name, value, "" if self.order == default else self.order)

    def echo(self) -> dict[str, Any]:
        """The `query` of a list document."""
        return {
            "mode": "page",
            "page": self.page,
            "sort": self.order,
            "q": self.q,
            "filters": dict(self.filters),
        }

    @property
    def string(self) -> str:
        """The canonical query string, without `?`."""
        pairs = ["mode=page"]
        if self.q is not None:
            pairs.append("q=" + quote(self.q, safe=""))
        pairs += [f"{name}={value}" for name, value in self.filters]
        if self.sort:
            pairs.append(f"sort={self.sort}")
        if self.page != 1:
            pairs.append(f"page={self.page}")
        return "&".join(pairs)


class Grammar:
    """Every collection, filter, sort and address of one registry."""

    def __init__(
        self,
        tag_families: Mapping[str, str],
        prefix: str = "",
        nouns: Mapping[str, tuple[str, str]] | None = None,
    ):
        """`tag_families` maps each family to its label; `prefix` is the path of the base URL, "" or
        "/registry".

        `nouns` has what people call a record of a collection, and several of them, where that is
        another word.
        """
        self.prefix = prefix
        self.tag_families = dict(tag_families)
        tags = [
            Filter(f"tag_{family}", label, vocabulary=f"{TAGS}{family}")
            for family, label in self.tag_families.items()
        ]
        words = {name: (kind, name) for name, kind in KIND_OF.items()} | dict(nouns or {})
        one_program, one_organization = (
            _begun(words[name][0]) for name in ("programs", "organizations")
        )
        program = Filter("program", one_program, refers="programs")
        organization = Filter("organization", one_organization, refers="organizations")
        category = Filter(
            "organization_category", f"{one_organization} category", vocabulary="categories"
        )
        location, year = (
            Filter("location", "Location", vocabulary="places"),
            Filter("year", "Year", "year"),
        )

        def collection(
            name: str, root: str, filters: list[Filter], sorts: tuple[str, ...], **more: Any
        ) -> Collection:
            return Collection(
                name, KIND_OF[name], *words[name], root, {f.name: f for f in filters}, sorts, **more
            )

        of_projects = [
            *tags,
            program,
            organization,
            category,
            location,
            year,
            Filter("status", "Status", "word"),
        ]
        of_programs = [
            *tags,
            organization,
            category,
            Filter("type", f"{one_program} type", vocabulary="program_types"),
            Filter("kind", "Kind", "word"),
            location,
            year,
        ]
        of_organizations = [
            *tags,
            Filter("category", "Category", vocabulary="categories"),
            location,
        ]
        of_events = [
            Filter("kind", "Kind", "word"),
            program,
            organization,
            Filter("month", "Month", "month"),
            year,
        ]
        self.projects = collection("projects", "/api/projects", of_projects, ("name", "-year"))
        self.programs = collection(
            "programs", "/api/programs", of_programs, ("name", "-year", "-projects")
        )
        self.organizations = collection(
            "organizations",
            "/api/organizations",
            of_organizations,
            ("name", "-projects", "-programs"),
        )
        upcoming = Filter("upcoming", "that are not over", "true")
        self.events = collection(
            "events", "/api/calendar/events", of_events, ("starts",),
            virtual={upcoming.name: upcoming}, feeds=("kind", "program", "organization"),
        )  # fmt: skip
        self.upcoming = Slice(self.events, upcoming.name, "true")
        self.collections: dict[str, Collection] = {
            c.name: c for c in (self.projects, self.programs, self.organizations, self.events)
        }

    def url(self, path: str) -> str:
        return self.prefix + path

    def lists_of(self, collection: Collection, slug: str) -> list[Slice]:
        """The lists that a record is the filter value of: those of a program, of an organization."""
        return [
            Slice(c, collection.kind, slug)
            for c in self.collections.values()
            if collection.kind in c.filters
        ]

    def query_url(self, query: Query) -> str:
        return f"{self.prefix}{query.collection.root}?{query.string}"

    def parameters(self, collection: Collection) -> tuple[str, ...]:
        """Every parameter the collection takes, in canonical order."""
        return ("mode", "q", *collection.asked, "sort", "page")

    # --- URL -> Query ---

    def parse(self, collection: Collection, raw: str) -> Query:
        """The query that a raw, still encoded query string asks.

        Raises QueryError.  Checked in this order: form of each token, unknown keys, repeated keys,
        the mode, values.
        """
        if not raw:
            for name in collection.virtual:
                return Query(collection, ((name, "true"),))
            raise QueryError(
                "mode-required", f"Ask for a page: {self.url(collection.root)}?mode=page"
            )
        known = self.parameters(collection)
        given = parameters(raw, known)
        if given.pop("mode", None) != "page":
            raise QueryError("mode-required", "Only mode=page is answered.", ("page",))
        q = search_words(given.pop("q")) if "q" in given else None
        sort = given.pop("sort", "")
        sorts = ("relevance", *collection.sorts) if q is not None else collection.sorts
        if sort and sort not in sorts:
            raise QueryError("invalid-parameter", f'There is no sort "{shown(sort)}" here.', sorts)
        page = given.pop("page", "1")
        if not re.fullmatch(_PATTERNS["page"], page, re.ASCII):
            raise QueryError("invalid-parameter", "A page is a whole number from 1.")
        for name in collection.virtual:
            if given.get(name, "true") != "true":
                raise QueryError("invalid-parameter", f"{name} can only be true.", ("true",))
        for name, value in given.items():
            if not self._is_value(collection.asked[name], value):
                raise QueryError(
                    "invalid-parameter", f'"{name}" has a value that no {name} can have.'
                )
        filters = tuple((name, given[name]) for name in known if name in given)
        return Query(collection, filters, sort, q, int(page))

    @staticmethod
    def _is_value(kind: Filter, value: str) -> bool:
        return len(value) <= MAX_VALUE and re.fullmatch(kind.pattern, value, re.ASCII) is not None

    # --- path -> Slice ---

    def parse_path(self, path: str) -> tuple[Slice, int]:
        """The slice and page number that a canonical path names.  Raises QueryError `not-found`."""
        for collection in self.collections.values():
            if path.startswith(collection.root + "/"):
                rest = path[len(collection.root) + 1 :].split("/")
                found = self._slice(collection, rest[:-2])
                page = re.fullmatch(rf"({_PATTERNS['page']})\.json", rest[-1], re.ASCII)
                if found is not None and page and len(rest) > 1 and rest[-2] == "page":
                    return found, int(page[1])
        raise QueryError("not-found", "No list has this address.")

    def _slice(self, collection: Collection, segments: list[str]) -> Slice | None:
        match segments:
            case []:
                return Slice(collection)
            case [name] if name in collection.virtual:
                return Slice(collection, name, "true")
            case ["sort", sort] if sort in collection.sorts[1:]:
                return Slice(collection, sort=sort)
            case ["by", name, value] if name in collection.filters and self._is_value(
                collection.filters[name], value
            ):
                return Slice(collection, name, value)
        return None


def past_the_end(page: int, pages: int) -> QueryError:
    return QueryError(
        "not-found", f"There is no page {page}: the list has {pages} page{'s' * (pages != 1)}."
    )


def unknown_value(collection: Collection, name: str, value: str, grammar: Grammar) -> QueryError:
    values = grammar.url(collection.filter_path(name))
    return QueryError(
        "not-found", f'No {collection.kind} has the {name} "{value}"; {values} lists its values.'
    )
