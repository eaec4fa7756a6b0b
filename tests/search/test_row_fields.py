"""The fields of rows that are not fields of records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from generator.reader.client import Client
from support import commands, registries, talk
from support.answers import function, served
from support.once import once


def rows(out: Path, *queries: str) -> list[dict[str, Any]]:
    """The documents of queries with `mode=rows`."""
    targets = [f"/api/{query.replace('?', '?mode=rows&')}" for query in queries]
    return [json.loads(body) for _, body in served(out, *targets)]


def test_slug_may_be_named_and_stays_the_first_column_alone(built: Callable[[str], Path]) -> None:
    out = built("own")
    given = rows(
        out,
        "projects?fields=slug",
        "projects?fields=name,slug",
        "projects?fields=slug,name&limit=2",
        "projects?fields=slug,slug",
        "projects?fields=slugs",
    )
    slug, second, first, *refused = given
    assert slug["columns"] == ["slug"]
    assert all(len(row) == 1 for row in slug["rows"])
    assert second["columns"] == first["columns"] == ["slug", "name"]
    assert second["query"]["fields"] == ["name", "slug"]
    assert first["links"]["self"] == "/api/projects?mode=rows&fields=slug,name&limit=2"
    assert second["rows"][:2] == first["rows"]
    assert [each["code"] for each in refused] == ["invalid-parameter"] * 2
    assert refused[1]["allowed"] == ["slug"]


# --- found_in ---

PROJECTS: dict[str, dict[str, Any]] = {
    "door": {"name": "DoorDash", "former_names": ["PaloAlto Delivery"]},
    "ecole": {"name": "ÉcoleDirecte 東京スカイ"},
    "shop": {"name": "Shop", "summary": "E-commerce for cities, Tom's way."},
    "place": {
        "name": "Here",
        "locations": [{"country": "US", "region": "California", "city": "San José"}],
    },
    "rest": {
        "name": "Rest",
        "description": "Described with california.",
        "tags": {"topic": ["climate"]},
        "programs": ["launch-2025"],
        "status": "acquired",
        "locations": [{"country": "NO", "city": "Bergen"}],
    },
    "every": {
        "name": "Amber grid",
        "former_names": ["Amberlight"],
        "summary": "Ambers.",
        "description": "Amber.",
        "locations": [{"country": "NO", "city": "Amber"}],
    },
}


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of PROJECTS.  Do not change it."""

    def build(folder: Path) -> Path:
        content = registries.write(
            folder / "content", registries.api_alone(projects=PROJECTS, events={})
        )
        return commands.build(content, folder / "out", "--as-of", commands.TODAY)

    return once(tmp_path_factory, "built-found-in", build)


@pytest.mark.parametrize(
    ("q", "found"),
    [
        # A name as it is written, divided at capitals, and joined; a beginning; a plural.
        ("doordash", {"door": ["name"]}),
        ("dash", {"door": ["name"]}),
        ("das", {"door": ["name"]}),
        ("da", {}),
        ("dashes", {"door": ["name"]}),
        ("alto", {"door": ["former_names"]}),
        ("altodelivery", {}),
        ("paloaltodelivery", {"door": ["former_names"]}),
        ("direct", {"ecole": ["name"]}),
        ("京ス", {"ecole": ["name"]}),
        ("京", {"ecole": ["name"]}),
        # Hyphens, apostrophes and accents.
        ("ecommerce", {"shop": ["summary"]}),
        ("commerce toms", {"shop": ["summary"]}),
        ("jose", {"place": ["places"]}),
        # Other texts are searched, and not named.
        ("california", {"place": ["places"], "rest": []}),
        ("climate", {"rest": []}),
        ("acquired norway launch", {"rest": []}),
        ("rest norway", {"rest": ["name"]}),
        # Every word counts, and the order is fixed.
        ("grid amber", {"every": ["name", "former_names", "summary", "places"]}),
        ("amberl amber", {"every": ["name", "former_names", "summary", "places"]}),
    ],
)
def test_found_in_names_the_fields_with_words_of_q(
    q: str, found: dict[str, list[str]], projects: Path
) -> None:
    (document,) = rows(projects, f"projects?q={quote(q)}&fields=found_in")
    assert document["columns"] == ["slug", "found_in"]
    assert dict(document["rows"]) == found


def test_found_in_needs_q_and_counts_as_a_field(projects: Path) -> None:
    seven = "name,summary,website,href,status,year,location"
    alone, eight, nine = rows(
        projects,
        "projects?fields=name,found_in",
        f"projects?q=amber&fields={seven},found_in",
        f"projects?q=amber&fields=slug,{seven},found_in",
    )
    assert alone["code"] == "invalid-parameter"
    assert alone["detail"] == "found_in can only be used together with q."
    assert eight["rows"][0][-1] == ["name", "former_names", "summary", "places"]
    assert nine["detail"] == "fields takes 1 to 8 different fields."


def test_found_in_needs_no_more_reads(projects: Path) -> None:
    target = "/api/projects?mode=rows&q=amber"
    plain, found = (function(projects, target + more)[0] for more in ("", "&fields=found_in"))
    assert sorted(found.reads) == sorted(plain.reads)


def test_commands_and_tools_have_found_in(projects: Path) -> None:
    words = ["rows", "projects", "--q", "amber", "--fields", "found_in", "--from", projects]
    printed = commands.run_forked(*words, "--format", "ndjson")
    wanted = {"slug": "every", "found_in": ["name", "former_names", "summary", "places"]}
    assert json.loads(printed.out) == wanted
    client = Client.open(str(projects))
    for asked in ({"collection": "projects"}, {}):
        given = {"q": "amber", "fields": ["found_in"], **asked}
        document = talk.answer(client, "search_records", given)
        found = document["data"] if asked else document["data"]["projects"]["data"]
        assert found == [wanted]
