"""The dashboard's rankings and years."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.grammar.paths import AGENT_OVERVIEW, DASHBOARD
from support import registries

PROGRAM = registries.SMALL["programs"]["launch"]


def dashboard(folder: Path, **changed: Any) -> dict[str, Any]:
    registry = registries.registry(folder, registries.content(**changed))
    data: dict[str, Any] = json.loads(registries.rendered("dashboard", registry)[DASHBOARD])["data"]
    return data


def programs_with_projects(*counted: tuple[str, str | None, int]) -> dict[str, Any]:
    """Content with programs, each (slug, parent, number of projects that name it)."""
    programs = {
        slug: PROGRAM | {"name": slug.upper()} | ({"parent": parent} if parent else {})
        for slug, parent, _ in counted
    }
    projects = {
        f"{slug}-{n}": {"name": f"{slug} {n}", "programs": [slug]}
        for slug, _, number in counted
        for n in range(number)
    }
    return {"programs": programs, "projects": projects, "events": {}}


def test_programs_whose_cohorts_are_ranked_are_not_ranked_too(tmp_path: Path) -> None:
    changed = programs_with_projects(
        ("a", None, 1), ("a1", "a", 2), ("a2", "a", 3), ("b", None, 2), ("b1", "b", 0),
        ("c", None, 4), ("d", None, 0), ("d1", "d", 0), ("d11", "d1", 1),
    )  # fmt: skip
    top = dashboard(tmp_path, **changed)["top_cohorts"]
    assert [(program["slug"], program["projects"]) for program in top] == [
        ("c", 4), ("a2", 3), ("a1", 2), ("b", 2), ("d11", 1), ("b1", 0),
    ]  # fmt: skip


def test_a_parent_is_ranked_among_programs_with_the_projects_of_its_cohorts(tmp_path: Path) -> None:
    changed = programs_with_projects(("a", None, 1), ("a1", "a", 2), ("c", None, 2))
    top = dashboard(tmp_path, **changed)["top_programs"]
    assert [(program["slug"], program["projects"]) for program in top] == [
        ("a", 3), ("a1", 2), ("c", 2),
    ]  # fmt: skip


def test_ten_programs_are_ranked_and_the_overview_ranks_the_same(tmp_path: Path) -> None:
    cohorts = [(f"c{n:02}", "all", 1 + n) for n in range(12)]
    changed = programs_with_projects(("all", None, 0), *cohorts)
    top = [p["slug"] for p in dashboard(tmp_path / "dashboard", **changed)["top_cohorts"]]
    assert top == [slug for slug, _, _ in cohorts[:1:-1]]
    registry = registries.registry(tmp_path / "overview", registries.content(**changed))
    overview = registries.rendered("context", registry)[AGENT_OVERVIEW].decode()
    section = overview.partition("## The programs with the most")[2].partition("\n\n- ")[2]
    names = [line.removeprefix("- ").split(" ")[0].lower() for line in section.split("\n")[:10]]
    assert names == top


def test_records_without_a_year_are_counted_beside_the_years(tmp_path: Path) -> None:
    data = dashboard(tmp_path)
    assert data["projects_by_year"] == [{"year": 2024, "count": 1}, {"year": 2025, "count": 1}]
    assert data["programs_by_year"] == [{"year": 2025, "count": 1}]
    assert data["without_year"] == {"projects": 1, "programs": 1}


def test_a_status_that_nothing_has_is_counted_as_none(tmp_path: Path) -> None:
    projects = {"a": {"name": "A", "status": "active"}, "b": {"name": "B", "status": "acquired"}}
    data = dashboard(tmp_path, projects=projects, programs={}, events={})
    assert {of["value"]: (of["count"], of["share"]) for of in data["statuses"]} == {
        "active": (1, 0.5), "acquired": (1, 0.5), "inactive": (0, 0), "public": (0, 0),
    }  # fmt: skip
