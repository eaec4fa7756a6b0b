"""The kinds of records: what `generator.kinds` declares, with what is computed of it.  Events
compute most, and have modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar

from generator.grammar.filters import Facet
from generator.kinds.declare import Declared
from generator.kinds.event import Event
from generator.kinds.organization import Organization
from generator.kinds.program import Program
from generator.kinds.project import Project
from generator.model.kind import FacetsOf, Kind, place_facets, tag_facets
from generator.model.kinds.event import Events
from generator.model.kinds.spans import far_ends, implausible, long_spans
from generator.model.symbols import Symbols, Target, encode_places
from generator.problems.faults import Fault

_MAX_TEAM = 20_000  # people in an active project
_MAX_OLDER = 20  # years that a project is older than its cohort


def _lineage(record: Project, symbols: Symbols) -> Iterable[Facet]:
    """The programs with their ancestors, the organizations of all of these, and the categories of
    all organizations; each once.
    """
    programs, organizations = tuple(record.programs or ()), tuple(record.organizations or ())
    if not programs and not organizations:
        return ()

    def facets() -> tuple[Facet, ...]:
        targets = [symbols.series[p] for p in programs if p in symbols.series]
        ancestors = dict.fromkeys(slug for target in targets for slug in target.ancestors)
        hosts = (symbols.series[p].organization for p in ancestors if p in symbols.series)
        owners = dict.fromkeys(o for o in (*organizations, *hosts) if o)
        groups = dict.fromkeys(symbols.owners[o].group for o in owners if o in symbols.owners)
        return (
            *(Facet("program", p) for p in ancestors),
            *(Facet("organization", o) for o in owners),
            *(Facet("organization_category", g) for g in groups if g),
        )

    return symbols.cached((programs, organizations), facets)


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
            cohort = symbols.series[slug].year if slug in symbols.series else None
            if year is not None and cohort is not None and year <= cohort - _MAX_OLDER:
                message = f"year: {year} is decades before its cohort {slug} ({cohort})"
                yield implausible("year", message, "correct the year or the programs")


def _category(record: Program, symbols: Symbols) -> Iterable[Facet]:
    owner = symbols.owners.get(record.organization)
    return (Facet("organization_category", owner.group),) if owner and owner.group else ()


class Programs(Kind):
    computed_facets: ClassVar[Mapping[str, FacetsOf]] = {"organization_category": _category}

    def target(self, slug: str, record: Program, ancestors: tuple[str, ...]) -> Target:
        year = record.year if record.kind == "cohort" else None
        places = tuple(place for p in encode_places(record.locations) for place in p.named)
        tags = tuple(tag_facets(record))
        return Target(
            record.name,
            ancestors,
            record.organization,
            record.type,
            year,
            tags,
            places,
            record.kind,
        )

    beside_name, correction = "organization", "correct one of the names"
    years_ahead = 1  # cohorts are announced in the year before

    def told_apart_by(self, record: Any) -> str:
        return str(record.organization)

    def _check_parent(self, record: Program, symbols: Symbols) -> Iterator[Fault]:
        parent = symbols.series.get(record.parent or "")
        if parent is None:
            return
        if parent.kind == "cohort" and record.kind == "cohort":
            message = f"parent: {record.parent} is a cohort itself"
            yield implausible("parent", message, "write the program that both belong to")
        owners = {parent.organization, record.organization}
        if len(owners & symbols.owners.keys()) > 1:
            message = f"parent: {record.parent} belongs to another organization, "
            message += f"{parent.organization}"
            yield implausible("parent", message, "correct parent or organization")

    def check(self, record: Program, symbols: Symbols) -> Iterator[Fault]:
        if record.starts and record.ends and record.ends < record.starts:
            message = f"ends: {record.ends} is before starts, {record.starts}"
            yield Fault("end-before-start", message, ("ends",), "correct one of them")
        spans = list(long_spans(record)) if record.kind != "program" else []
        yield from spans or far_ends(record, symbols.today)
        yield from self._check_parent(record, symbols)
        is_cohort = record.kind == "cohort" and record.starts and record.year is not None
        if is_cohort and int(str(record.starts)[:4]) != record.year:
            message = f"year: {record.year}, but the cohort starts on {record.starts}"
            yield implausible("year", message)


class Organizations(Kind):
    def target(self, slug: str, record: Any, ancestors: tuple[str, ...]) -> Target:
        return Target(record.name, ancestors, slug, record.category)


#: Class of a kind -> what is computed of its records.
_COMPUTING: Mapping[type, type[Kind]] = {
    Project: Projects,
    Program: Programs,
    Organization: Organizations,
    Event: Events,
}


@cache
def kind_for(declared: Declared) -> Kind:
    """What is computed of the records of a kind."""
    classes = (_COMPUTING.get(base) for base in declared.model.__mro__)
    return next(filter(None, classes), Kind)(declared)
