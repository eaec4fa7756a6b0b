"""What projects compute: their organizations through their programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from generator.kinds.project import Project
from generator.model.kind import FacetsOf, Kind, place_facets
from generator.model.symbols import Symbols


def _lineage(record: Project, symbols: Symbols) -> Iterable[str]:
    """The programs with their ancestors, the organizations of all of these, and categories."""
    if not record.programs and not record.organizations:
        return ()
    return symbols.lineage(record.programs or (), record.organizations or ())


def _places(record: Project, symbols: Symbols) -> Iterable[str]:
    facets = place_facets(record.locations)
    return [*facets, "location/remote"] if record.remote else facets


class Projects(Kind):
    computed_facets: ClassVar[Mapping[str, FacetsOf]] = {
        "programs": _lineage,
        "organizations": lambda record, symbols: (),  # with the programs
        "locations": _places,
    }
