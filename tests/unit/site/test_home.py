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


@pytest.mark.parametrize(("count", "shown"), [(59, 59), (60, 6)])
def test_few_records_are_all_on_the_page(count: int, shown: int, tmp_path: Path) -> None:
    of = {f"p{i}": {"name": f"P {i}", "year": 2000 + i} for i in range(count)}
    page = html(published(tmp_path, alone(projects=of)))
    assert page.count('<a class="name" href="/projects/p') == shown
    assert ("All projects" in page) == (shown < count)


def test_equal_bars_are_no_chart(tmp_path: Path) -> None:
    of = projects("DE", "FR")
    of["p0"]["year"], of["p1"]["year"] = 2020, 2021
    page = html(published(tmp_path, alone(projects=of)))
    assert "chart-years" not in page and "chart-countries" not in page
    assert '<header class="welcome">' in page and 'id="chart-world"' in page


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
