"""The best results of searches in a small registry, and the suggestions if there are no results."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from generator.reader.site import Site
from generator.serve.answer import answer
from support import registries
from support.commands import build

NAMES = [
    "Kelpworks", "Kelp Works International", "Weave", "Shuttle Loom", "DoorDash", "Open AI",
    "हिन्दी कंपनी", "ไทยพาณิชย์", "株式会社メルカリ", "技术能力", "Łódź Robotics", "Women's Health",
    "Fixie", "Fjordfish", "Tidewater",
]  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder, records = tmp_path_factory.mktemp("relevance"), registries.content()
    for n, name in enumerate(NAMES):
        records["projects"][f"made-{n:02}"] = {"name": name, "summary": "Made by hand"}
    more = {
        "made-01": {"summary": "Kelpworks and kelpworks, of Kelpworks"},
        "made-03": {"former_names": ["Weave"], "summary": "Weaves"},
        "made-10": {
            "summary": "A robot that sorts boxes",
            "description": "E-commerce for companies",
        },
        "made-12": {"locations": [{"country": "BR", "city": "São Paulo"}]},
    }
    for slug, fields in more.items():
        records["projects"][slug] |= fields
    return Site.open(build(registries.write(folder / "content", records), folder / "out"))


def search(site: Site, q: str, more: str = "") -> tuple[list[str], list[str]]:
    """The names that a search finds, the best first, and its suggestions."""
    response = answer("GET", f"/api/projects?mode=page&q={quote(q)}{more}", site)
    document = json.loads(response.body)
    assert response.status == 200, document
    return [row["name"] for row in document["data"]], document["suggestions"]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_whose_name_is_the_query_is_first(site: Site, name: str) -> None:
    assert search(site, name)[0][0] == name


@pytest.mark.parametrize(
    ("q", "name"),
    [
        ("door dash", "DoorDash"),
        ("openai", "Open AI"),
        ("lodz", "Łódź Robotics"),
        ("robots", "Łódź Robotics"),
        ("box", "Łódź Robotics"),
        ("ecommerce", "Łódź Robotics"),
        ("womens health", "Women's Health"),
        ("sao paulo", "Fixie"),
        ("メルカリ", "株式会社メルカリ"),
        ("能", "技术能力"),
        ("कंपनी", "हिन्दी कंपनी"),
    ],
)
def test_other_spellings_are_found(site: Site, q: str, name: str) -> None:
    assert search(site, q)[0] == [name]


@pytest.mark.parametrize(
    ("q", "suggestions"),
    [
        ("kelpwroks", ["kelpworks"]),
        ("tide water", ["tidewater"]),
        ("kelpworksinternational", ["kelpworks international"]),
        ("shutle lom", ["shuttle loom"]),
        ("fjord fihs", []),
        ("zzzzzz", []),
    ],
)
def test_a_search_without_results_has_suggestions_with_results(
    site: Site, q: str, suggestions: list[str]
) -> None:
    assert search(site, q) == ([], suggestions)
    for suggestion in suggestions:
        assert search(site, suggestion)[0]


def test_suggestions_have_results_under_the_same_filters(site: Site) -> None:
    assert search(site, "kelpwroks", "&status=active") == ([], ["kelpworks"])
    assert search(site, "kelpwroks", "&status=inactive") == ([], [])


def test_a_search_with_results_has_no_suggestions(site: Site) -> None:
    assert search(site, "kelp")[1] == []


def test_a_list_without_words_has_no_suggestions(site: Site) -> None:
    response = answer("GET", "/api/projects?mode=page&status=active&year=2019", site)
    assert "suggestions" not in json.loads(response.body)
