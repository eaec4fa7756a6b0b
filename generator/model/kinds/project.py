"""What projects compute: their organizations through their programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from generator.grammar.filters import Facet
from generator.kinds.project import Project
from generator.model.kind import FacetsOf, Kind, place_facets
from generator.model.kinds.spans import implausible
from generator.model.symbols import Symbols
from generator.problems.faults import Fault

_MAX_TEAM = 20_000  # people in an active project
_MAX_OLDER = 20  # years that a project is older than its cohort


def _lineage(record: Project, symbols: Symbols) -> Iterable[Facet]:
    """The programs with their ancestors, the organizations of all of these, and categories."""
    if not record.programs and not record.organizations:
        return ()
    return symbols.lineage(record.programs or (), record.organizations or ())


def _places(record: Project, symbols: Symbols) -> Iterable[Facet]:
    facets = place_facets(record.locations)
    return [*facets, Facet("location", "remote")] if record.remote else facets


class Projects(Kind):
    computed_facets: ClassVar[Mapping[str, FacetsOf]] = {
        "programs": _lineage,
        "organizations": lambda record, symbols: (),  # with the programs
        "locations": _places,
    }

    def check(self, record: Project, symbols: Symbols) -> Iterator[Fault]:
        size = record.team_size or 0
        if size > _MAX_TEAM and record.status in (None, "active"):
            message = f"team_size: {size:,} people are too many for a start-up"
            yield implausible("team_size", message)
        year = record.year
        for slug in record.programs or ():
            cohort = symbols.programs[slug].year if slug in symbols.programs else None
            if year is not None and cohort is not None and year <= cohort - _MAX_OLDER:
                message = f"year: {year} is decades before its cohort {slug} ({cohort})"
                yield implausible("year", message, "correct the year or the programs")
