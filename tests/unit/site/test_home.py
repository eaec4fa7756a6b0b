"""The home page: its sentence, its charts, and what leaves the navigation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from generator.published.published import Published
from support.kinds import KIND_OF
from support.registries import SMALL, Content, content, published


def html(out: Published) -> str:
    return out["/index.html"].decode()


def sentence(out: Published) -> str:
    part = html(out).partition('<p class="sum">')[2].partition("</p>")[0]
    return " ".join(re.sub("<[^>]*>", "", part).split())


def navigation(out: Published) -> list[str]:
    masthead = html(out).partition("<nav")[2].partition("</nav>")[0]
    return re.findall('href="([^"]+)"', masthead)


def projects(*places: str, **more: Any) -> dict[str, Any]:
    return {
        f"p{i}": {"name": f"P {i}", "locations": [{"country": place}] if place else [], **more}
        for i, place in enumerate(places)
    }


def alone(**of: Any) -> Content:
    empty: dict[str, Any] = {name: {} for name in KIND_OF}
    return content(**{**empty, **of})


_DATE = {"kind": "deadline", "due": "2026-11-24"}


@pytest.mark.parametrize(
    ("records", "english", "german"),
    [
        (
            SMALL,
            "This registry has 3 projects (2 active) from one country, along with 2 programs, "
            "2 organizations and 3 events (1 upcoming).",
            "Dieses Verzeichnis enthält 3 Projekte (2 aktiv) aus einem Land, dazu 2 Programme, "
            "2 Organisationen und 3 Termine (1 bevorstehend).",
        ),
        (
            alone(projects=projects("DE", "FR")),
            "This registry has 2 projects from 2 countries.",
            "Dieses Verzeichnis enthält 2 Projekte aus 2 Ländern.",
        ),
        (
            alone(events={"a": {"name": "A", **_DATE}, "b": {"name": "B", **_DATE}},
                  organizations={"o": {"name": "O", "category": "investor"}}),
            "This registry has 2 events (2 upcoming), along with 1 organization.",
            "Dieses Verzeichnis enthält 2 Termine (2 bevorstehend), dazu 1 Organisation.",
        ),
        (alone(), "", ""),
    ],
)  # fmt: skip
def test_a_sentence_is_made_from_counts(
    records: Content, english: str, german: str, tmp_path: Path
) -> None:
    assert sentence(published(tmp_path / "en", records)) == english
    in_german = content(records, registry={"language": "de"})
    assert sentence(published(tmp_path / "de", in_german)) == german


@pytest.mark.parametrize(("count", "shown"), [(59, 59), (60, 16)])
def test_few_records_are_all_on_the_page(count: int, shown: int, tmp_path: Path) -> None:
    of = {f"p{i}": {"name": f"P {i}", "year": 2000 + i} for i in range(count)}
    page = html(published(tmp_path, alone(projects=of)))
    assert page.count('<a class="name" href="/projects/p') == shown
    assert (f"All {count} projects" in page) == (shown < count)


def heading(out: Published, name: str = "finding") -> str:
    found = re.search(f'<h2 id="{name}">(.*?)</h2>', html(out))
    return found[1] if found else ""


def of_years(counts: dict[int, int], **more: Any) -> Content:
    years = [year for year, count in counts.items() for _ in range(count)]
    return alone(
        projects={f"p{i}": {"name": f"P {i}", "year": y, **more} for i, y in enumerate(years)}
    )


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ({"active": 7, "acquired": 2, "inactive": 1}, "70% of the projects are still active"),
        ({"active": 2, "inactive": 27}, "6.9% of the projects are still active"),
        ({"active": 7, "inactive": 2}, ""),  # too few
        ({"active": 20}, ""),  # nobody keeps the statuses
        ({"active": 399, "inactive": 1}, ""),  # 100 % would be wrong
        ({"inactive": 12, "acquired": 8}, ""),  # none is
    ],
)
def test_the_finding_says_how_many_are_active(
    statuses: dict[str, int], said: str, tmp_path: Path
) -> None:
    every = [status for status, count in statuses.items() for _ in range(count)]
    of = {f"p{i}": {"name": f"P {i}", "status": status} for i, status in enumerate(every)}
    out = published(tmp_path, alone(projects=of))
    assert heading(out) == said
    assert ('id="chart-status"' in html(out)) == bool(said)
    # What the finding shows is not repeated below.
    assert ('id="chart-projects-status"' in html(out)) == (not said and len(statuses) > 1)


def test_filters_of_one_value_come_before_those_of_several(tmp_path: Path) -> None:
    choice = {"type": "choice", "values": {"a": "A", "b": "B"}, "filter": True}
    fields = {"roles": {**choice, "label": "Roles", "many": True},
              "stage": {**choice, "label": "Stage"}}  # fmt: skip
    of = {
        f"p{i}": {
            "name": f"P {i}",
            "fields": {"roles": ["a", "b"][: 1 + i % 2], "stage": "aab"[i % 3]},
        }
        for i in range(60)
    }
    records = content(alone(projects=of), registry={"fields": {"projects": fields}})
    shown = re.findall(r'id="chart-projects-field-(\w+)', html(published(tmp_path, records)))
    assert [*dict.fromkeys(shown)] == ["stage", "roles"]


@pytest.mark.parametrize(
    ("years", "said"),
    [
        ({2020: 12, 2021: 30, 2022: 5}, "2021 has the most projects: 30"),
        ({2020: 30, 2021: 30, 2022: 5}, "Projects by year"),
        ({2020: 2, 2021: 3}, "Projects by year"),
        ({2020: 5, 2021: 5}, ""),
    ],
)
def test_without_statuses_the_finding_says_which_year_has_the_most(
    years: dict[int, int], said: str, tmp_path: Path
) -> None:
    assert heading(published(tmp_path, of_years(years))) == said


def test_the_finding_is_in_the_words_of_the_registry(tmp_path: Path) -> None:
    words = {"language": "de", "nouns": {"projects": {"one": "Firma", "many": "Firmen"}}}
    of = content(of_years({2020: 12, 2021: 3}), registry=words)
    assert heading(published(tmp_path / "years", of)) == "2020 hat die meisten Firmen: 12"
    of["projects"]["p0"]["status"] = "inactive"
    assert heading(published(tmp_path / "active", of)) == "93\xa0% der Firmen sind noch aktiv"


@pytest.mark.parametrize(
    ("description", "title", "lead"),
    [
        ("Three projects and more.", "Three projects and more.", None),
        ("x" * 120, "x" * 120, None),
        ("x" * 121, "Small Registry", "x" * 121),
        (" ", "Small Registry", None),
    ],
)
def test_a_short_description_is_the_title(
    description: str, title: str, lead: str | None, tmp_path: Path
) -> None:
    page = html(published(tmp_path, content(registry={"description": description})))
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", page) == [title]
    assert re.findall(r'<p class="lead"[^>]*>(.*?)</p>', page) == ([lead] if lead else [])


def test_without_years_the_page_begins_with_the_largest(tmp_path: Path) -> None:
    of = {f"o-{i:02}": {"name": f"O {i:02}", "category": "investor"} for i in range(60)}
    backed = {"p": {"name": "P", "organizations": ["o-07"]}, "q": {"name": "Q"}}
    out = published(tmp_path, alone(organizations=of, projects=backed))
    assert heading(out, "newest") == "Most projects"
    assert re.findall('class="name" href="/organizations/(.*?)/"', html(out))[0] == "o-07"
    out = published(tmp_path / "names", alone(organizations=of))
    assert heading(out, "newest") == "Organizations"
    assert re.findall('class="name" href="/organizations/(.*?)/"', html(out))[0] == "o-00"


def test_equal_bars_are_no_chart(tmp_path: Path) -> None:
    of = projects("DE", "FR")
    of["p0"]["year"], of["p1"]["year"] = 2020, 2021
    page = html(published(tmp_path, alone(projects=of)))
    assert "chart-years" not in page and "chart-countries" not in page
    assert 'class="finding"' not in page and 'id="chart-world"' in page


def test_what_says_nothing_leaves_the_navigation(tmp_path: Path) -> None:
    one = {"o": {"name": "O", "category": "investor"}}
    found = published(tmp_path, alone(projects=projects("DE", "DE"), organizations=one))
    assert navigation(found)[:1] == ["/projects/"]
    assert not {"/organizations/", "/map/"} & {*navigation(found)}
    assert "/map/index.html" not in found and "/organizations/index.html" in found
    home = html(found)
    assert 'href="/organizations/o/"' in home and 'href="/changes/"' not in home
    assert "/changes/index.html" in found
    several = published(tmp_path / "several", alone(projects=projects("DE", "FR")))
    assert "/map/" in navigation(several)
