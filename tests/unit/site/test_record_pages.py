"""Parts of record pages that depend on many other records."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from generator.published.published import Published
from support import registries


def text_of(out: Published, path: str) -> str:
    return out[f"{path}index.html"].decode()


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
    records = registries.content(programs=programs, projects={}, events={})
    out = registries.published(tmp_path, records)
    for page in ("programs/launch", "organizations/north-college"):
        html = text_of(out, f"/{page}/")
        found = re.findall(r'class="name" href="/programs/([a-z0-9-]+)/', html)
        assert [slug for slug in found if slug in programs and slug != "launch"] == [*"dbca"]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Published:
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
    records = registries.content(programs=programs, projects=projects)
    return registries.published(tmp_path_factory.mktemp("described"), records)


def test_a_description_is_rendered_and_previews_have_its_plain_words(described: Published) -> None:
    html = text_of(described, "/projects/marked/")
    assert '<li dir="auto">quartz</li>' in html and "<strong>measure</strong>" in html
    assert '<a href="https://hidden.example/" class="outside" rel="noopener nofollow ugc">' in html
    assert '<meta name="description" content="We measure wind: quartz slate. Project' in html
    data = json.loads(described["/api/projects/slug/marked.json"])["data"]
    assert data["description"].startswith("We **measure** [wind](https://hidden.example/):")
    shards = b"".join(described[path] for path in described if path.startswith("/api/index/"))
    assert b"quartz" in shards and b"hidden" in shards  # search finds what is written


def test_a_description_that_repeats_the_summary_is_left_out(described: Published) -> None:
    assert 'id="about"' not in text_of(described, "/projects/repeated/")
    assert 'id="about"' in text_of(described, "/projects/further/")


def test_a_timeline_is_shown_if_its_years_are_not_among_the_facts(described: Published) -> None:
    assert 'id="timeline"' not in text_of(described, "/projects/marked/")
    assert 'id="timeline"' in text_of(described, "/projects/further/")


def test_the_year_is_that_of_the_founding_only_if_the_registry_says_so(tmp_path: Path) -> None:
    projects = {
        "a": {"name": "A", "year": 2008},
        "b": {"name": "B", "year": 2009, "programs": ["rise"]},
    }
    college = {**registries.SMALL["organizations"]["north-college"], "year": 1386,
               "accept": ["early-year"]}  # fmt: skip
    cohort = registries.SMALL["programs"]["launch-2025"]
    programs = {**registries.SMALL["programs"], "rise": cohort | {"name": "Rise", "year": 2010}}
    organizations = {**registries.SMALL["organizations"], "north-college": college}
    for labels in (None, {name: {"year": "Founded"} for name in ("projects", "organizations")}):
        records = registries.content(
            registry={"labels": labels},
            projects=projects,
            programs=programs,
            organizations=organizations,
        )
        out = registries.published(tmp_path / str(labels is None), records)
        said, skill = ("Founded", "`year` Founded") if labels else ("Year", "`year`:")
        page, listed = text_of(out, "/projects/a/"), text_of(out, "/projects/")
        # A year alone is read as one; what year it is, people have to see.
        hidden = "" if labels else ' class="unseen"'
        assert f"<dt{hidden}>{said}</dt>" in page and f"<h3>{said}</h3>" in listed
        timeline = text_of(out, "/projects/b/").partition('id="timeline"')[2].partition("</ol>")[0]
        assert f"<bdi>{'Founded' if labels else 'Start'}</bdi>" in timeline
        assert ('"foundingDate":"2008"' in page) == bool(labels)
        assert re.search("<dt[^>]*>Year</dt>", text_of(out, "/programs/launch-2025/"))
        context = out["/api/v1/agent/context/organizations/north-college.md"].decode()
        assert f"\n- {said}: 1386\n" in context
        assert skill in out["/skill.md"].decode()


def test_a_cohort_shows_its_active_share_and_its_newest_projects_before_dates_that_are_over(
    described: Published,
) -> None:
    page = text_of(described, "/programs/launch-summer/")
    assert "67% of 3 projects active" in page
    names = re.findall(r'class="name" href="/projects/(\w+)/', page)
    assert names[:3] == ["repeated", "marked", "further"]
    dates = text_of(described, "/organizations/harbour-fund/")
    assert dates.index('id="projects-') < dates.index('id="events-')
    launch = text_of(described, "/programs/launch/")
    assert launch.index('id="events-1"') < launch.index('id="programs-')


def test_a_project_leads_to_similar_ones_and_to_those_of_its_program(built_content: Path) -> None:
    page = (built_content / "projects" / "gitlab" / "index.html").read_text("utf-8")
    similar = page[page.index('id="similar"') :]
    similar = similar[: similar.index("</section>")]
    tiles = similar.count('class="name" href="/projects/')
    assert 1 <= tiles <= 6 and 'href="/projects/gitlab/"' not in similar
    assert 'href="/projects/program/yc-winter-2015/">More from Y Combinator Winter 2015' in similar


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
    records = registries.content(programs=programs, projects={}, events={})
    out = registries.published(tmp_path, records)

    def names(slug: str, section: str) -> list[str]:
        html = text_of(out, f"/programs/{slug}/")
        part = html.partition(f'id="{section}"')[2].partition("</section>")[0]
        return re.findall(r'class="name" href="/programs/([a-z0-9-]+)/', part)

    assert names("launch", "programs-1") == ["launch-east", "launch-2024"]
    assert sorted(names("launch", "similar")) == ["alike", "launch-east-a"]
    assert sorted(names("launch-east", "similar")) == ["alike", "launch-2024"]
    assert sorted(names("launch-2024", "similar")) == ["alike", "launch-east", "launch-east-a"]
