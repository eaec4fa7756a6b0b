"""The page of a record: every field of its document, and the link of each value."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from support import commands, markup, registries

FIELDS = {
    "funding": {"label": "Total funding", "type": "number", "unit": "USD"},
    "score": {"label": "Score", "type": "number"},
    "open": {"label": "Open source", "type": "boolean", "filter": True},
    "stage": {
        "label": "Stage", "type": "choice", "many": True, "filter": True,
        "values": {"seed": "Seed round", "later": "Later"},
    },
    "pitch": {"label": "Pitch", "type": "url"},
    "met": {"label": "First met", "type": "date"},
    "note": {"label": "Note", "type": "text"},
    "unsaid": {"label": "Never said", "type": "text"},
}  # fmt: skip
WHOLE: dict[str, Any] = {
    "name": "Aurora Grid",
    "summary": "Heat pumps for fjords.",
    "description": "Begun on a ferry.\nStill there.\n\n\nNow in two fjords.",
    "website": "https://www.aurora.example/",
    "links": {"source_code": "https://git.example/aurora"},
    "sources": ["https://news.example/aurora?x=1&y=2"],
    "aliases": ["aurora"],
    "year": 2025,
    "status": "acquired",
    "programs": ["launch-2025"],
    "organizations": ["harbour-fund"],
    "tags": {"topic": ["climate"], "technology": ["heat-pumps"]},
    "locations": [{"country": "NO", "city": "Bergen"}, {"country": "DE"}],
    "remote": True,
    "team_size": 1200,
    "founders": ["Ada", "Bo"],
    "former_names": ["Fjord Heat"],
    "fields": {
        "funding": 1250000, "score": -1234.5, "open": True, "stage": ["seed", "later"],
        "pitch": "https://aurora.example/pitch", "met": "2024-02-29", "note": "On a ferry",
    },
}  # fmt: skip


def build(folder: Path, **changed: Any) -> Path:
    small = registries.SMALL
    projects = {**small["projects"], "aurora-grid": WHOLE}
    settings = {"fields": {"projects": FIELDS}, **changed}
    records = registries.content(projects=projects, registry=settings)
    content = registries.write(folder / "content", records)
    return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("records"))


def read(out: Path, path: str) -> markup.Page:
    return markup.parse((out / path.strip("/") / "index.html").read_bytes())


def facts(page: markup.Page) -> dict[str, list[str]]:
    """The values below each label."""
    values: dict[str, list[str]] = {}
    for element in page.elements:
        if element.tag == "dt":
            values[element.text] = []
        elif element.tag == "dd":
            values[list(values)[-1]].append(" ".join(element.text.split()))
    return values


def links(page: markup.Page) -> dict[str, str]:
    return {" ".join(element.text.split()): element.attributes["href"] for element in page.all("a")}


def test_every_field_of_a_record_is_on_its_page(out: Path) -> None:
    page = read(out, "/projects/aurora-grid/")
    assert page.one("h1").text == "Aurora Grid"
    assert (
        page.one("p", class_="lead") if False else "Heat pumps for fjords." in page.one("main").text
    )
    assert facts(page) == {
        "Status": ["Acquired"],
        "Year": ["2025"],
        "Program": ["Launch 2025"],
        "Organization": ["Harbour Fund"],
        "Founders": ["Ada", "Bo"],
        "Team size": ["1,200"],
        "Location": ["Bergen, Norway", "Germany", "Remote"],
        "Former names": ["Fjord Heat"],
        "Total funding": ["1,250,000 USD"],
        "Score": ["-1,234.5"],
        "Open source": ["Yes"],
        "Stage": ["Seed round", "Later"],
        "Pitch": ["aurora.example/pitch"],
        "First met": ["29 February 2024"],
        "Note": ["On a ferry"],
        "Website": ["aurora.example"],
        "Links": ["source code (git.example)"],
        "Topic": ["Climate"],
        "Technology": ["heat pumps"],
    }
    paragraphs = [element.text for element in page.all("p", dir="auto")]
    assert paragraphs == ["Heat pumps for fjords.", "Begun on a ferry.\nStill there.",
                    "Now in two fjords."]  # fmt: skip
    assert "Former address: aurora" in page.one("main").text


def test_a_value_links_to_the_list_of_its_records(out: Path) -> None:
    to = links(read(out, "/projects/aurora-grid/"))
    assert (
        to.items()
        >= {
            "Acquired": "/projects/status/acquired/",
            "2025": "/projects/year/2025/",
            "Launch 2025": "/programs/launch-2025/",
            "Harbour Fund": "/organizations/harbour-fund/",
            "Bergen, Norway": "/projects/location/no/?location=no-bergen",
            "Remote": "/projects/location/remote/",
            "Climate": "/projects/tag-topic/climate/",
            "heat pumps": "/projects/tag-technology/heat-pumps/",
            "Seed round": "/projects/field-stage/seed/",
            "Yes": "/projects/field-open/true/",
        }.items()
    )
    for address in to.values():
        page = address.partition("?")[0]
        assert not page.startswith("/") or (out / page[1:]).exists(), address


def test_external_links_are_marked(out: Path) -> None:
    page = read(out, "/projects/aurora-grid/")
    elsewhere = [element for element in page.all("a") if "example" in element.attributes["href"]]
    assert {element.attributes["href"] for element in elsewhere} == {
        "https://www.aurora.example/", "https://git.example/aurora",
        "https://aurora.example/pitch", "https://news.example/aurora?x=1&y=2",
    }  # fmt: skip
    assert {element.attributes["rel"] for element in elsewhere} == {"noopener nofollow ugc"}


def test_a_program_shows_its_parts_and_a_breakdown_of_its_projects(out: Path) -> None:
    page = read(out, "/programs/launch/")
    to = links(page)
    assert to["Launch 2025"] == "/programs/launch-2025/"  # its cohort
    assert to["Aurora Grid"] == "/projects/aurora-grid/"
    assert to["All projects: 1"] == "/projects/program/launch/"
    assert to["All 2 events"] == "/calendar/program/launch/"
    assert to["Launch 2027 applications"] == "/calendar/launch-2027-applications/"
    assert to["Calendar (.ics)"] == "/api/calendar/events/by/program/launch.ics"
    assert (out / to["Calendar (.ics)"][1:]).is_file()
    headings = [
        element.text
        for element in page.all(
            "h2",
        )
        if "colophon" not in element.attributes.get("id", "")
    ]
    assert headings == ["Dates in order", "Facts", "Events", "Cohorts", "Projects", "In numbers",
                        "This record"]  # fmt: skip


def test_a_record_without_details_has_no_empty_parts(out: Path) -> None:
    page = read(out, "/projects/cairn/")
    assert list(facts(page)) == ["Status", "Topic"]
    organization = read(out, "/organizations/harbour-fund/")
    assert "Programs" not in {element.text for element in organization.all("h2")}


def test_alternate_formats_are_linked_for_people_and_programs(out: Path) -> None:
    page = read(out, "/organizations/north-college/")
    alternate = {element.attributes["type"]: element.attributes["href"]
                 for element in page.all("link", rel="alternate")}  # fmt: skip
    assert alternate == {
        "application/json": "/api/organizations/slug/north-college.json",
        "text/calendar": "/api/calendar/events/by/organization/north-college.ics",
    }
    assert {element.attributes["href"] for element in page.all("a", type="application/json")} == {
        alternate["application/json"]
    }
    for path in alternate.values():
        assert (out / path[1:]).is_file()


def test_a_former_slug_leads_to_the_record(out: Path) -> None:
    page = read(out, "/projects/aurora/")
    assert page.meta("robots") == "noindex"
    assert page.one("meta", http_equiv="refresh").attributes["content"] == (
        "0; url=/projects/aurora-grid/"
    )
    assert page.one("main").text.split()[-1] == "/projects/aurora-grid/"


def test_pages_speak_the_language_of_the_registry(tmp_path: Path) -> None:
    out = build(tmp_path, language="de")
    page = read(out, "/projects/aurora-grid/")
    assert page.one("html").attributes["lang"] == "de"
    labels = facts(page)
    assert labels["Score"] == ["-1.234,5"]
    assert labels["First met"] == ["29. Februar 2024"]
    assert labels["Gegründet von"] == ["Ada", "Bo"]
    assert "Norwegen" in labels[next(label for label in labels if "Bergen" in labels[label][0])][0]
    listed = read(out, "/projects/").one("main").text
    assert "3 Projekte" in listed and "3 projects" not in listed


def test_the_sitemap_has_pages_and_no_files_of_the_api(out: Path) -> None:
    tree = ElementTree.fromstring((out / "sitemap.xml").read_bytes())
    listed = {child[0].text or "" for child in tree}
    assert len(listed) == len(tree)
    for path in listed:
        page = read(out, path)
        assert page.meta("robots") is None, path
    records = {
        f"/{folder}/{file.stem}/"
        for folder, api in (("projects", "projects"), ("programs", "programs"),
                            ("organizations", "organizations"), ("calendar", "calendar/events"))
        for file in (out / "api" / api / "slug").iterdir()
        if file.stem != "aurora"
    }  # fmt: skip
    assert records < listed
    assert {"/", "/projects/", "/calendar/", "/projects/sort/-year/", "/docs/api/projects/",
            "/projects/tag-topic/climate/", "/calendar/program/launch/"} < listed  # fmt: skip
    assert not any(path.startswith("/api/") or "/page/" in path for path in listed)


def test_a_changed_record_changes_the_pages_that_show_it(tmp_path: Path) -> None:
    build(tmp_path)
    project = tmp_path / "content" / "projects" / "aurora-grid.yaml"
    changed = {**WHOLE, "name": "Zenith Grid", "status": "inactive"}
    project.write_text(json.dumps(changed))
    commands.build(tmp_path / "content", tmp_path / "out", "--as-of", commands.TODAY, site=True)
    clean = commands.build(
        tmp_path / "content", tmp_path / "clean", "--as-of", commands.TODAY, site=True
    )
    files = [path.relative_to(clean) for path in clean.rglob("*.html")]
    assert len(files) > 50
    for file in files:
        assert (tmp_path / "out" / file).read_bytes() == (clean / file).read_bytes(), file


def test_a_project_shows_how_it_began_its_names_and_its_status(out: Path) -> None:
    timeline = read(out, "/projects/aurora-grid/").one("ol", **{"class": "moments"})
    assert timeline.text.split("\n")[1:-1] == [
        "2025 Start", "2025 Launch 2025", " Former name: Fjord Heat", "Today Acquired",
    ]  # fmt: skip
    assert not read(out, "/projects/cairn/").all("ol", **{"class": "moments"})


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
