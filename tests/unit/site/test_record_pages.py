"""Parts of record pages that depend on many other records."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support import commands, markup, registries


def read(out: Path, path: str) -> markup.Page:
    return markup.parse((out / path.strip("/") / "index.html").read_bytes())


def test_a_project_leads_to_similar_ones_and_to_those_of_its_program(built_content: Path) -> None:
    page = (built_content / "projects" / "gitlab" / "index.html").read_text("utf-8")
    similar = page[page.index('id="similar"') :]
    similar = similar[: similar.index("</section>")]
    tiles = similar.count('class="name" href="/projects/')
    assert 1 <= tiles <= 6 and 'href="/projects/gitlab/"' not in similar
    assert 'href="/projects/program/yc-winter-2015/">More from Y Combinator Winter 2015' in similar


def test_the_cohorts_of_a_program_are_a_table_with_the_share_of_active_projects(
    built_content: Path,
) -> None:
    page = read(built_content, "/programs/yc-accelerator/")
    table = page.one("table", **{"class": "cohorts chart"})
    headings = ["Cohort", "Year", "Projects", "Active", "Acquired", "Public", "Inactive"]
    assert [one.text for one in page.all("th", scope="col")][:7] == headings
    for slug in ("yc-winter-2009", "yc-summer-2012"):
        document = json.loads(
            (built_content / "api" / "programs" / "slug" / f"{slug}.json").read_text()
        )
        data = document["data"]
        counts = {one["value"]: one["count"] for one in data["breakdown"]["status"]}
        share = round(100 * counts.get("active", 0) / data["projects"])
        text = table.text[table.text.index(data["name"]) :].partition("\n")[0]
        shown = f"{data['name']}{data['year']}{data['projects']}{share}%"
        assert text.startswith(shown), text


def test_a_program_has_its_cohorts_of_every_organization_and_none_of_them_is_similar(
    tmp_path: Path,
) -> None:
    program = registries.SMALL["programs"]["launch"] | {"tags": {"topic": ["climate"]}}
    cohort = {**program, "kind": "cohort", "parent": "launch"}
    programs = {
        "launch": program,
        "launch-2024": cohort | {"name": "Launch 2024", "year": 2024},
        "launch-east": cohort
        | {"name": "Launch East", "year": 2025, "organization": "harbour-fund"},
        "launch-east-a": cohort | {"name": "Launch East A", "year": 2025, "parent": "launch-east"},
        "alike": program | {"name": "Alike"},
        **{f"other-{n:02}": program | {"name": f"Other {n}", "tags": {}} for n in range(50)},
    }
    content = registries.content(programs=programs, projects={}, events={})
    folder = registries.write(tmp_path / "content", content)
    out = commands.build(folder, tmp_path / "out", "--as-of", commands.TODAY, site=True)

    def names(slug: str, section: str) -> list[str]:
        html = (out / "programs" / slug / "index.html").read_text("utf-8")
        part = html.partition(f'id="{section}"')[2].partition("</section>")[0]
        return re.findall(r'class="name" href="/programs/([a-z0-9-]+)/', part)

    assert names("launch", "programs-1") == ["launch-east", "launch-2024"]
    assert sorted(names("launch", "similar")) == ["alike", "launch-east-a"]
    assert sorted(names("launch-east", "similar")) == ["alike", "launch-2024"]
    assert sorted(names("launch-2024", "similar")) == ["alike", "launch-east", "launch-east-a"]


def test_the_cohorts_of_a_program_are_in_the_order_of_year_start_and_season(
    tmp_path: Path,
) -> None:
    program = registries.SMALL["programs"]["launch"]
    cohort = {**program, "kind": "cohort", "parent": "launch", "year": 2024}
    programs = {
        "launch": program,
        "a": cohort | {"name": "Batch Summer 2024"},
        "b": cohort | {"name": "Batch Fall 2024"},
        "c": cohort | {"name": "Batch", "starts": "2024-08-01"},
        "d": cohort | {"name": "Batch Winter 2025", "year": 2025},
    }
    content = registries.content(programs=programs, projects={}, events={})
    folder = registries.write(tmp_path / "content", content)
    out = commands.build(folder, tmp_path / "out", "--as-of", commands.TODAY, site=True)
    for page in ("programs/launch", "organizations/north-college"):
        html = (out / page / "index.html").read_text("utf-8")
        found = re.findall(r'class="name" href="/programs/([a-z0-9-]+)/', html)
        assert [slug for slug in found if slug in programs and slug != "launch"] == [*"dbca"]


@pytest.mark.slow
def test_a_changed_record_changes_the_pages_that_show_it(tmp_path: Path) -> None:
    def build(out: str) -> dict[str, bytes]:
        day = ("--as-of", commands.TODAY)
        return commands.files(commands.build(content, tmp_path / out, *day, site=True))

    content = registries.write(tmp_path / "content")
    build("out")
    project = content / "projects" / "aurora-grid.yaml"
    project.write_text(project.read_text().replace("Aurora Grid", "Zenith Grid"))
    assert commands.differing(build("out"), build("clean")) == []
