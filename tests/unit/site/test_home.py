"""The home page, the page about the data, and what leaves the navigation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from generator.kinds import KIND_OF
from generator.published.history.provenance import Moment
from generator.published.published import Published
from generator.published.reading.records import read
from support.registries import AS_OF, SMALL, Content, content, write


def pages(folder: Path, records: Content) -> Published:
    return Published(read(str(write(folder / "content", records)), Moment.of_day(AS_OF)))


def html(published: Published, address: str = "/index.html") -> str:
    return published[address].decode()


def words(part: str) -> str:
    return " ".join(re.sub("<[^>]*>", "", part).split())


def sentence(published: Published) -> str:
    return words(html(published).partition('<p class="sum">')[2].partition("</p>")[0])


def navigation(published: Published) -> list[str]:
    masthead = html(published).partition("<nav")[2].partition("</nav>")[0]
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
            alone(projects=projects("")),
            "This registry has 1 project.",
            "Dieses Verzeichnis enthält 1 Projekt.",
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
        (
            alone(events={"a": {"name": "A", **_DATE}}),
            "This registry has 1 event (1 upcoming).",
            "Dieses Verzeichnis enthält 1 Termin (1 bevorstehend).",
        ),
        (alone(), "", ""),
    ],
)  # fmt: skip
def test_a_sentence_is_made_from_counts(
    records: Content, english: str, german: str, tmp_path: Path
) -> None:
    assert sentence(pages(tmp_path / "en", records)) == english
    in_german = content(records, registry={"language": "de"})
    assert sentence(pages(tmp_path / "de", in_german)) == german


def test_the_first_screen_has_search_a_chart_by_year_and_values_to_browse(tmp_path: Path) -> None:
    of = projects("DE", "DE", "FR", tags={"topic": ["climate"]})
    years = zip(of.values(), (2020, 2021, 2021), strict=True)
    some = {record["name"]: {**record, "year": year} for record, year in years}
    of = {f"p{i}": record for i, record in enumerate(some.values())}
    of["p0"]["tags"] = {"topic": ["health"]}
    of["p9"] = {"name": "P 9"}
    published = pages(tmp_path, alone(projects=of, events={"a": {"name": "A", **_DATE}}))
    first = html(published).partition('<header class="welcome charted">')[2]
    first = first.partition("</header>")[0]
    assert 'role="search"' in first and 'id="chart-years"' in first
    assert "1 project without a year is not shown." in first
    chips = re.findall('<a class="chip" href="([^"]+)"', first)
    assert chips == [
        "/projects/tag-topic/climate/", "/projects/tag-topic/health/",
        "/projects/location/de/", "/projects/location/fr/",
        "/calendar/?kind=deadline,application_window",
    ]  # fmt: skip
    assert "Closing this week 1" in words(first)


def test_equal_bars_are_no_chart(tmp_path: Path) -> None:
    of = projects("DE", "FR")
    of["p0"]["year"], of["p1"]["year"] = 2020, 2021
    page = html(pages(tmp_path, alone(projects=of)))
    assert "chart-years" not in page and "chart-countries" not in page
    assert '<header class="welcome">' in page and 'id="chart-world"' in page


def test_the_page_about_the_data_has_what_the_home_page_had(tmp_path: Path) -> None:
    published = pages(tmp_path, SMALL)
    home, data = html(published), html(published, "/docs/data/index.html")
    assert "Data quality" in data and "Data quality" not in home
    assert 'href="/docs/data/"' in home
    empty = pages(tmp_path / "empty", alone())
    assert "/docs/data/index.html" not in empty and "/docs/data/" not in html(empty)


def test_what_says_nothing_leaves_the_navigation(tmp_path: Path) -> None:
    one = {"o": {"name": "O", "category": "investor"}}
    published = pages(tmp_path, alone(projects=projects("DE", "DE"), organizations=one))
    assert navigation(published)[:1] == ["/projects/"]
    assert not {"/organizations/", "/map/"} & {*navigation(published)}
    assert "/map/index.html" not in published and "/organizations/index.html" in published
    home = html(published)
    assert 'href="/organizations/o/"' in home and 'href="/changes/"' not in home
    assert "/changes/index.html" in published
    several = pages(tmp_path / "several", alone(projects=projects("DE", "FR")))
    assert "/map/" in navigation(several)
