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
    headings = ["Cohort", "Year", "Projects", "Active", "Status"]
    assert [one.text for one in page.all("th", scope="col")][:5] == headings
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


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Projects with descriptions, in the cohorts of a program."""
    cohort = {**registries.SMALL["programs"]["launch-2025"], "year": 2024}
    seasons = ("Winter", "Spring", "Summer", "Fall")
    programs = {
        "launch": registries.SMALL["programs"]["launch"],
        "launch-2023": cohort | {"name": "Launch 2023", "year": 2023},
        **{f"launch-{s.lower()}": cohort | {"name": f"Launch {s} 2024"} for s in seasons},
    }
    marked = "We **measure** [wind](https://hidden.example/):\n\n- quartz\n- slate"
    projects = {
        "marked": {"name": "Marked", "description": marked, "year": 2020,
                   "programs": ["launch-summer"]},
        "repeated": {"name": "Repeated", "summary": "Pumps for heat.", "year": 2021,
                     "description": "*Pumps* for heat", "programs": ["launch-summer"],
                     "status": "inactive"},
        "further": {"name": "Further", "summary": "Pumps for heat.", "year": 2019,
                    "description": "Pumps for heat and more.",
                    "programs": ["launch-summer", "launch-2023"],
                    "organizations": ["harbour-fund"]},
    }  # fmt: skip
    folder = tmp_path_factory.mktemp("described")
    records = registries.content(programs=programs, projects=projects)
    content = registries.write(folder / "content", records)
    return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)


def text_of(out: Path, path: str) -> str:
    return (out / path.strip("/") / "index.html").read_text("utf-8")


def test_a_description_is_rendered_and_previews_have_its_plain_words(described: Path) -> None:
    html = text_of(described, "/projects/marked/")
    assert '<li dir="auto">quartz</li>' in html and "<strong>measure</strong>" in html
    assert '<a href="https://hidden.example/" class="outside" rel="noopener nofollow ugc">' in html
    assert '<meta name="description" content="We measure wind: quartz slate. Project' in html
    data = json.loads((described / "api/projects/slug/marked.json").read_bytes())["data"]
    assert data["description"].startswith("We **measure** [wind](https://hidden.example/):")
    shards = b"".join(file.read_bytes() for file in (described / "api/index").rglob("*"
        ) if file.is_file())  # fmt: skip
    assert b"quartz" in shards and b"hidden" in shards  # search finds what is written


def test_a_description_that_repeats_the_summary_is_left_out(described: Path) -> None:
    assert 'id="about"' not in text_of(described, "/projects/repeated/")
    assert 'id="about"' in text_of(described, "/projects/further/")


def test_a_timeline_is_shown_if_its_years_are_not_among_the_facts(described: Path) -> None:
    assert 'id="timeline"' not in text_of(described, "/projects/marked/")
    assert 'id="timeline"' in text_of(described, "/projects/further/")
    assert "<dt>Founded</dt>" in text_of(described, "/projects/marked/")
    assert "<dt>Year</dt>" in text_of(described, "/programs/launch-fall/")


def test_cohorts_of_a_year_are_in_the_order_of_its_seasons(described: Path) -> None:
    page = text_of(described, "/programs/launch/")
    rows = re.findall(r'<tr><th scope="row"><a href="/programs/launch-(\w+)/', page)
    assert rows == ["fall", "summer", "spring", "winter", "2023"]
    page = text_of(described, "/programs/launch-winter/")
    around = re.findall(r'<a rel="(\w+)" href="/programs/launch-(\w+)/">', page)
    assert around == [("prev", "2023"), ("next", "spring")]
    around = re.findall(r'<a rel="(\w+)"', text_of(described, "/programs/launch-fall/"))
    assert around == ["prev"]


def test_a_cohort_shows_its_active_share_and_its_newest_projects_before_dates_that_are_over(
    described: Path,
) -> None:
    page = text_of(described, "/programs/launch-summer/")
    assert "67% of 3 projects active" in page
    names = re.findall(r'class="name" href="/projects/(\w+)/', page)
    assert names[:3] == ["repeated", "marked", "further"]
    dates = text_of(described, "/organizations/harbour-fund/")
    assert dates.index('id="projects-') < dates.index('id="events-')
    launch = text_of(described, "/programs/launch/")
    assert launch.index('id="events-1"') < launch.index('id="programs-')
