"""Programs: series such as an accelerator, and their cohorts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from generator.api.grammar import Slice
from generator.records.fields import Date, Record, Slug, Year
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

KINDS = {"cohort": "Cohort", "program": "Program"}


class Program(Record):
    kind: Literal["cohort", "program"]
    type: Slug
    organization: Slug
    parent: Slug | None = None
    year: Year | None = None
    starts: Date | None = None
    ends: Date | None = None


class _Programs:
    collection = "programs"
    model = Program
    fixed: Mapping[str, Mapping[str, str]] = {"kind": KINDS}

    def references(self, record: Program) -> Iterator[Reference]:
        yield ("organization",), "organizations", record.organization
        if record.parent is not None:
            yield ("parent",), "programs", record.parent

    def facets(self, record: Program, symbols: Symbols) -> tuple[str, ...]:
        facets = tag_facets(record)
        facets.append(f"organization/{record.organization}")
        owner = symbols.organizations.get(record.organization)
        if owner is not None:
            facets.append(f"organization_category/{owner.group}")
        facets += (f"type/{record.type}", f"kind/{record.kind}")
        for where in places(record.locations):
            facets += where.facets
        if record.year is not None:
            facets.append(f"year/{record.year}")
        facets += own_facets(self.collection, record, symbols)
        return tuple(dict.fromkeys(facets))

    def numbers(self, record: Program, symbols: Symbols, counts: Counted) -> Numbers:
        return record.year, counts.projects, *own_numbers(self.collection, record, symbols)

    def summary(
        self, slug: str, record: Program, symbols: Symbols, counts: Counted
    ) -> dict[str, Any]:
        return {
            **heading(symbols.grammar.programs, slug, record, symbols),
            "kind": record.kind,
            "type": record.type,
            "year": record.year,
            "organization": record.organization,
            "parent": record.parent,
            "starts": record.starts,
            "projects": counts.projects,
            "tags": shown_tags(record, symbols),
            "locations": [p.shown for p in places(record.locations)],
            "website": record.website,
            "fields": own_fields(self.collection, record, symbols, listed=True),
        }

    def details(
        self, record: Program, symbols: Symbols, summary: dict[str, Any], counts: Counted
    ) -> dict[str, Any]:
        return {
            **summary,
            **common(record),
            "organization": symbols.reference("organizations", record.organization),
            "parent": symbols.reference("programs", record.parent),
            "ends": record.ends,
            "breakdown": counts.breakdown,
            "fields": own_fields(self.collection, record, symbols),
        }

    def links(self, slug: str, symbols: Symbols) -> dict[str, str]:
        grammar = symbols.grammar
        return {
            name: grammar.url(Slice(grammar.collections[name], "program", slug).path())
            for name in ("projects", "events")
        }


KIND = _Programs()
