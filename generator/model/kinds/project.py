"""Projects.  No record refers to a project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from generator.kinds.types import Count, LogoName, Names, Record, Slugs, Year
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

STATUSES = {"active": "Active", "acquired": "Acquired", "public": "Public", "inactive": "Inactive"}


class Project(Record):
    year: Year | None = None
    status: Literal["active", "acquired", "public", "inactive"] | None = None
    programs: Slugs | None = None
    organizations: Slugs | None = None
    remote: bool | None = None
    team_size: Count | None = None
    founders: Names | None = None
    former_names: Names | None = None
    logo: LogoName | None = None


class _Projects(Kind):
    collection = "projects"
    model = Project
    fixed_labels: Mapping[str, Mapping[str, str]] = {"status": STATUSES}
    reference_fields: Mapping[str, str] = {"programs": "programs", "organizations": "organizations"}

    def _facets(self, record: Project, symbols: Symbols) -> list[str]:
        facets = tag_facets(record)
        if record.programs or record.organizations:
            facets += symbols.lineage(record.programs or (), record.organizations or ())
        for place in encode_places(record.locations):
            facets += place.facets
        if record.remote:
            facets.append("location/remote")
        if record.year is not None:
            facets.append(f"year/{record.year}")
        facets.append(f"status/{record.status or 'active'}")
        return facets

    def _numbers(self, record: Project, counts: Counted) -> Numbers:
        return record.year, record.team_size

    def summary_fields(self, record: Project, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        return {
            "status": record.status or "active",
            "year": record.year,
            "tags": tags_by_family(record, symbols),
            "programs": record.programs or [],
            "organizations": record.organizations or [],
            "locations": [p.json_fragment for p in encode_places(record.locations)],
            "remote": record.remote or False,
            "website": record.website,
            "logo": logo_url(record, symbols),
            "former_names": record.former_names or [],
        }

    def detail_fields(self, record: Project, symbols: Symbols, counts: Counted) -> dict[str, Any]:
        return {
            "programs": symbols.references("programs", record.programs),
            "organizations": symbols.references("organizations", record.organizations),
            "team_size": record.team_size,
            "founders": record.founders or [],
        }


KIND = _Projects()
