"""The cohorts of a program as a table: how many projects each has, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from generator.site import labels, paths
from generator.site.drawing.charts import percent
from generator.site.page_context import Site

Summary = dict[str, Any]

#: The most cohorts on a page.
MAX_ROWS = 400

#: The status that has a column with its share, and the others, which have one with their number.
ACTIVE, OTHERS = "active", ("acquired", "public", "inactive")


class Cohort(NamedTuple):
    """A cohort: its name and path, its year or None, and the number of its projects.

    `share` is that of active projects from 0 to 1, or None without projects; `bar` is the width of
    its bar. `counts` are the numbers of projects with the other statuses, in the order of `OTHERS`.
    """

    name: str
    path: str
    year: int | None
    projects: int
    share: float | None
    bar: str
    counts: list[int]


class Cohorts(NamedTuple):
    """The cohorts of a program, and the labels of their columns by status."""

    active: str
    others: list[str]
    rows: list[Cohort]


def table(site: Site, summaries: Sequence[Summary]) -> Cohorts:
    """The table of some cohorts."""
    projects = site.grammar.projects
    active, *others = (
        labels.value_label(site, projects, "status", name) for name in (ACTIVE, *OTHERS)
    )
    return Cohorts(active, others, [_cohort(site, row) for row in summaries])


def _cohort(site: Site, summary: Summary) -> Cohort:
    path = site.grammar.programs.record_path(summary["slug"])
    breakdown: Mapping[str, Any] = site.document(path)["data"]["breakdown"]
    counts = {value["value"]: value["count"] for value in breakdown.get("status", ())}
    number = summary["projects"]
    share = counts.get(ACTIVE, 0) / number if number else None
    return Cohort(
        summary["name"],
        paths.record_page("programs", summary["slug"]),
        summary["year"],
        number,
        share,
        percent(100 * (share or 0)),
        [counts.get(name, 0) for name in OTHERS],
    )
