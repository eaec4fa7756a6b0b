"""The cohorts of a program: in order, and as a table with the statuses of the projects of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from generator.site import paths
from generator.site.drawing import charts
from generator.site.page_context import Site

Summary = dict[str, Any]

#: The most cohorts on a page.
MAX_ROWS = 400

#: The statuses in the order of their parts of a bar.
STATUSES = ("active", "acquired", "public", "inactive")


class Named(NamedTuple):
    """A cohort by its slug and name, with the number of its projects."""

    slug: str
    name: str
    projects: int

    @property
    def path(self) -> str:
        return paths.record_page("programs", self.slug)


def of_program(site: Site, program: str) -> list[Named]:
    """The cohorts of a program, newest first."""
    return site.memo.get_or_make(("cohorts", program), _of_program, site, program)


def _of_program(site: Site, program: str) -> list[Named]:
    rows = map(orjson.loads, site.cohorts(program))
    return [Named(row["slug"], row["name"], row["projects"]) for row in rows]


def siblings(site: Site, record: Mapping[str, Any]) -> list[Named]:
    """The cohorts of the program of a cohort, newest first; none if the record is no cohort."""
    is_cohort = record["kind"] == "cohort" and record["parent"] is not None
    return of_program(site, record["parent"]["slug"]) if is_cohort else []


def around(series: Sequence[Named], slug: str) -> tuple[Named | None, Named | None]:
    """The previous and the next cohort of a series, which is newest first."""
    place = next((n for n, one in enumerate(series) if one.slug == slug), None)
    if place is None:
        return None, None
    return (
        series[place + 1] if place + 1 < len(series) else None,
        series[place - 1] if place else None,
    )


class Statuses(NamedTuple):
    """The projects of a program by status: the share of active ones from 0 to 1, and a part of a
    bar for each status in the order of `STATUSES`.
    """

    active: float
    parts: list[charts.BarPart]


def statuses(site: Site, record: Mapping[str, Any]) -> Statuses | None:
    """The statuses of the projects of a program; None without projects."""
    if not record["projects"]:
        return None
    counts = {value["value"]: value["count"] for value in record["breakdown"].get("status", ())}
    parts = _parts(site, counts)
    return Statuses(parts[0].share, parts)


def _parts(site: Site, counts: Mapping[str, int]) -> list[charts.BarPart]:
    values = [{"value": name, "count": counts.get(name, 0)} for name in STATUSES]
    return charts.parts(charts.rows(site, values, "status"))


class Cohort(NamedTuple):
    """A row of the table: a cohort with its path, and its year or None."""

    name: str
    path: str
    year: int | None
    projects: int
    statuses: Statuses | None


class Cohorts(NamedTuple):
    """The cohorts of a program, newest first, and a part of no size for each status."""

    key: list[charts.BarPart]
    rows: list[Cohort]


def table(site: Site, summaries: Sequence[Summary]) -> Cohorts:
    """The table of some cohorts."""
    return Cohorts(_parts(site, {}), [_cohort(site, row) for row in summaries])


def _cohort(site: Site, summary: Summary) -> Cohort:
    record = site.document(site.grammar.programs.record_path(summary["slug"]))["data"]
    return Cohort(
        summary["name"],
        paths.record_page("programs", summary["slug"]),
        summary["year"],
        summary["projects"],
        statuses(site, record),
    )
