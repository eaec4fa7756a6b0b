"""The page `/landscape/`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from generator.features.landscape.boxes import LandscapePage, TileSizes, bounds_of, pages_of
from generator.model.tables.table import Registry
from support import markup, registries
from support.registries import content

#: Twelve tools in two categories and four subcategories, each within a category.
_PARTS = {"data": ("stores", "streams"), "runtime": ("engines", "networks")}
_PLACED = [(whole, part) for whole, parts in _PARTS.items() for part in parts for _ in range(3)]
_TOOLS: dict[str, Any] = {
    f"tool-{i}": {
        "name": f"Tool {i}",
        "team_size": 10**i if i < 6 else None,
        "tags": {"category": [whole], "part": [part], "level": ["first"] if i == 7 else []},
    }
    for i, (whole, part) in enumerate(_PLACED)
}
_FAMILIES = {
    "category": {"label": "Category", "tags": {"data": "Data", "runtime": "Runtime"}},
    "part": {"label": "Part"},
    "level": {"label": "Level", "tags": {"first": "First", "second": "Second"}},
}


def tools(folder: Path, **registry: Any) -> Registry:
    records = {
        slug: {key: value for key, value in tool.items() if value is not None}
        for slug, tool in _TOOLS.items()
    }
    settings = {"name": "Tools", "description": "Tools.", "tag_families": _FAMILIES, **registry}
    return registries.registry(folder, {"registry": settings, "projects": records})


def test_a_landscape_has_a_box_for_each_tag_and_every_project(built_content: Path) -> None:
    page = markup.parse((built_content / "landscape" / "index.html").read_bytes())
    filters = built_content / "api" / "projects" / "filters" / "tag_topic.json"
    values = json.loads(filters.read_text())["data"]["values"]
    links = [one.attributes.get("href", "") for one in page.all("a")]
    for value in values:
        assert f"/projects/tag-topic/{value['value']}/" in links
    tiles = [link for link in links if re.fullmatch("/projects/[^/]+/", link)]
    assert len(tiles) == sum(value["count"] for value in values)
    slugs = {file.stem for file in (built_content / "api/projects/slug").glob("*.json")}
    shown = {tile.split("/")[2] for tile in tiles}
    moved = {slug for slug in slugs - shown if "moved" in _kind(built_content, slug)}
    assert shown == slugs - moved


def _kind(out: Path, slug: str) -> str:
    kind: str = json.loads((out / f"api/projects/slug/{slug}.json").read_bytes())["kind"]
    return kind


def test_the_legend_has_the_statuses_that_occur(built_content: Path) -> None:
    text = (built_content / "landscape" / "index.html").read_text()
    legend = text.partition('<dl class="keys">')[2].partition("</dl>")[0]
    statuses = json.loads((built_content / "api/projects/filters/status.json").read_bytes())
    occurring = {value["label"] for value in statuses["data"]["values"] if value["count"]}
    assert set(re.findall("<span>(.*?)</span>", legend)) == occurring


def test_a_family_is_a_part_of_another_if_its_tags_are_within_the_tags_of_that(
    tmp_path: Path,
) -> None:
    table = tools(tmp_path).tables["projects"]
    assert pages_of(table, _FAMILIES, ()) == [LandscapePage("category", "part")]
    assert pages_of(table, _FAMILIES, ["part"]) == [
        LandscapePage("part"),
        LandscapePage("category"),
    ]
    assert pages_of(table, _FAMILIES, ["part", "category"]) == [LandscapePage("part", "category")]


def test_tiles_are_as_large_as_a_number_or_a_tag(tmp_path: Path) -> None:
    table = tools(tmp_path).tables["projects"]
    tags = {family: {"first": "", "second": ""} for family in _FAMILIES}
    level = {table.slugs[i]: n for i, n in enumerate(TileSizes(table, tags, "team_size").levels)}
    assert level["tool-5"] > level["tool-4"] == level["tool-3"] > level["tool-2"] == 0
    by_tag = TileSizes(table, tags, "level")
    assert {table.slugs[i]: n for i, n in enumerate(by_tag.levels) if n} == {"tool-7": 3}
    assert by_tag.tags == {3: "first"}


@pytest.mark.parametrize(
    ("numbers", "bounds"),
    [
        ([], ()),
        ([0, 7, 7, 7], ()),
        (range(1, 1001), (500,)),
        ([1] * 400 + [30] * 450 + [300] * 140 + [4000] * 10, (20, 200, 2000)),
    ],
)
def test_bounds_of_sizes_are_round_and_tell_projects_apart(numbers: Any, bounds: Any) -> None:
    assert bounds_of(numbers) == bounds


def test_a_landscape_of_one_tag_has_no_page(tmp_path: Path) -> None:
    one = {"tool": {"name": "Tool", "tags": {"topic": ["climate"]}}}
    registry = registries.registry(tmp_path, content(projects=one))
    assert pages_of(registry.tables["projects"], ["topic", "technology"], ()) == []
