"""Programs: series such as an accelerator, and their cohorts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from generator.kinds.types import Date, LogoName, Record, Slug, Year
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

KIND_LABELS = {"cohort": "Cohort", "program": "Program"}


class Program(Record):
    kind: Literal["cohort", "program"]
    type: Slug
    organization: Slug
    parent: Slug | None = None
    year: Year | None = None
    starts: Date | None = None
    ends: Date | None = None
    logo: LogoName | None = None


class _Programs(Kind):
    collection = "programs"
    model = Program
    fixed_labels: Mapping[str, Mapping[str, str]] = {"kind": KIND_LABELS}
    reference_fields: Mapping[str, str] = {"organization": "organizations", "parent": "programs"}
    list_filter, listed_collections = "program", ("projects", "events")

    def _facets(self, record: Program, symbols: Symbols) -> list[str]:
        facets = tag_facets(record)
        facets.append(f"organization/{record.organization}")
        owner = symbols.organizations.get(record.organization)
        if owner is not None:
            facets.append(f"organization_category/{owner.group}")
        facets += (f"type/{record.type}", f"kind/{record.kind}")
        for place in encode_places(record.locations):
            facets += place.facets
        if record.year is not None:
            facets.append(f"year/{record.year}")
        return facets

    def _numbers(self, record: Program, counts: Counted) -> Numbers:
        return record.year, counts.projects

    def summary_fields(self, record: Program, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        return {
            "kind": record.kind,
            "type": record.type,
            "year": record.year,
            "organization": record.organization,
            "parent": record.parent,
            "starts": record.starts,
            "projects": counts.projects,
            "tags": tags_by_family(record, symbols),
            "locations": [p.json_fragment for p in encode_places(record.locations)],
            "website": record.website,
            "logo": logo_url(record, symbols),
        }

    def detail_fields(self, record: Program, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        return {
            "organization": symbols.reference("organizations", record.organization),
            "parent": symbols.reference("programs", record.parent),
            "ends": record.ends,
            "breakdown": counts.breakdown,
        }


KIND = _Programs()
