"""Organizations, which run programs or back projects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.kinds.types import LogoName, Record, Slug, Year
from generator.model.symbols import (
    Counted,
    Kind,
    Numbers,
    Symbols,
    encode_places,
    logo_url,
    tag_facets,
    tags_by_family,
)


class Organization(Record):
    category: Slug
    year: Year | None = None
    parent: Slug | None = None
    logo: LogoName | None = None


class _Organizations(Kind):
    collection = "organizations"
    model = Organization
    reference_fields: Mapping[str, str] = {"parent": "organizations"}
    list_filter, listed_collections = "organization", ("projects", "programs", "events")

    def _facets(self, record: Organization, symbols: Symbols) -> list[str]:
        facets = tag_facets(record)
        facets.append(f"category/{record.category}")
        for place in encode_places(record.locations):
            facets += place.facets
        return facets

    def _numbers(self, record: Organization, counts: Counted) -> Numbers:
        return counts.projects, counts.programs

    def summary_fields(
        self, record: Organization, symbols: Symbols, counts: Counted
    ) -> dict[str, Any]:
        return {
            "category": record.category,
            "year": record.year,
            "projects": counts.projects,
            "programs": counts.programs,
            "tags": tags_by_family(record, symbols),
            "locations": [p.json_fragment for p in encode_places(record.locations)],
            "website": record.website,
            "logo": logo_url(record, symbols),
        }

    def detail_fields(
        self, record: Organization, symbols: Symbols, counts: Counted
    ) -> dict[str, Any]:
        parent = symbols.reference("organizations", record.parent)
        return {"parent": parent, "breakdown": counts.breakdown}


KIND = _Organizations()
