"""The page `/landscape/`."""

from __future__ import annotations

import json
from pathlib import Path

from support import markup


def test_a_landscape_has_a_box_for_each_tag_and_a_tile_for_each_project(
    built_content: Path,
) -> None:
    page = markup.parse((built_content / "landscape" / "index.html").read_bytes())
    filters = built_content / "api" / "projects" / "filters" / "tag_topic.json"
    values = json.loads(filters.read_text())["data"]["values"]
    links = [one.attributes.get("href", "") for one in page.all("a")]
    for value in values[:20]:
        assert f"/projects/tag-topic/{value['value']}/" in links
    tiles = [one for one in page.all("a") if one.attributes.get("class", "").startswith("tile ")]
    hidden = [one.text for one in page.all("span", **{"class": "unseen"})]
    more = [int(text.partition(" more: ")[0]) for text in hidden if " more: " in text]
    assert len(tiles) + sum(more) == sum(value["count"] for value in values[:20])
    for tile in tiles:
        assert (built_content / tile.attributes["href"][1:] / "index.html").is_file()
        assert tile.attributes["title"] in tile.text
