"""What programs compute: the category of their organization, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from generator.kinds.program import Program
from generator.model.kind import Counted, FacetsOf, Kind
from generator.model.symbols import Symbols


def _category(record: Program, symbols: Symbols) -> Iterable[str]:
    owner = symbols.organizations.get(record.organization)
    return (f"organization_category/{owner.group}",) if owner is not None else ()


class Programs(Kind):
    computed_facets: ClassVar[Mapping[str, FacetsOf]] = {"organization_category": _category}

    def computed(self, record: Any, counts: Counted) -> Mapping[str, Any]:
        return {"projects": counts.projects, "breakdown": counts.breakdown}
