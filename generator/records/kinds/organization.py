"""Organizations: who runs programs or backs projects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.api.grammar import Slice
from generator.records.fields import Record, Slug, Year
from generator.records.symbols import (
    Counted,
    Numbers,
    Reference,
    Symbols,
    common,
    heading,
    own_facets,
    own_fields,
    own_numbers,
    places,
    shown_tags,
    tag_facets,
)


class Organization(Record):
    category: Slug
    year: Year | None = None
    parent: Slug | None = None


class _Organizations:
    collection = "organizations"
    model = Organization
    fixed: Mapping[str, Mapping[str, str]] = {}

    def references(self, record: Organization) -> Iterator[Reference]:
        if record.parent is not None:
            yield ("parent",), "organizations", record.parent

    def facets(self, record: Organization, symbols: Symbols) -> tuple[str, ...]:
        facets = tag_facets(record)
        facets.append(f"category/{record.category}")
        for where in places(record.locations):
            facets += where.facets
        facets += own_facets(self.collection, record, symbols)
        return tuple(dict.fromkeys(facets))

    def numbers(self, record: Organization, symbols: Symbols, counts: Counted) -> Numbers:
        own = own_numbers(self.collection, record, symbols)
        return counts.projects, counts.programs, *own

    def summary(
        self, slug: str, record: Organization, symbols: Symbols, counts: Counted
    ) -> dict[str, Any]:
        return {
            **heading(symbols.grammar.organizations, slug, record, symbols),
            "category": record.category,
            "year": record.year,
            "projects": counts.projects,
            "programs": counts.programs,
            "tags": shown_tags(record, symbols),
            "locations": [p.shown for p in places(record.locations)],
            "website": record.website,
            "fields": own_fields(self.collection, record, symbols, listed=True),
        }

    def details(
        self, record: Organization, symbols: Symbols, summary: dict[str, Any], counts: Counted
    ) -> dict[str, Any]:
        parent = symbols.reference("organizations", record.parent)
        return {
            **summary,
            **common(record),
            "parent": parent,
            "breakdown": counts.breakdown,
            "fields": own_fields(self.collection, record, symbols),
        }

    def links(self, slug: str, symbols: Symbols) -> dict[str, str]:
        grammar = symbols.grammar
        return {name: grammar.url(Slice(grammar.collections[name], "organization", slug).path())
                for name in ("projects", "programs", "events")}  # fmt: skip


KIND = _Organizations()
