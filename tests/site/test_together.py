"""The tags that go together with those of a record, on its page."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from generator.site.together import MAX_OTHERS, MAX_TAGS
from support.answers import served
from support.lanes import sample

_SECTION = re.compile(r'id="together".*?</dl>', re.S)
_OTHER = re.compile(r'href="([^"]+)"><bdi>([^<]*)</bdi> <span class="count">([0-9,]+)</span>')

Row = list[tuple[str, str, int]]


def on_page(out: Path, collection: str, slug: str) -> list[Row]:
    """The address, label and number of each tag, by row."""
    found = _SECTION.search((out / collection / slug / "index.html").read_text("utf-8"))
    rows = found[0].split("<dt>")[1:] if found else []
    return [
        [
            (unescape(href), unescape(label), int(total.replace(",", "")))
            for href, label, total in _OTHER.findall(row)
        ]
        for row in rows
    ]


def asked(out: Path, target: str) -> Any:
    ((status, body),) = served(out, target)
    assert status == 200
    return json.loads(body)


def of_the_api(out: Path, collection: str, tags: dict[str, list[str]]) -> list[Row]:
    """The same rows from counts of the API."""
    rows = []
    for name, tag in ((f"tag_{family}", tag) for family, some in tags.items() for tag in some):
        query = f"mode=count&by={name}&{name}={tag}&within=true&top={MAX_OTHERS + 1}"
        values = asked(out, f"/api/{collection}?{query}")["counts"][name]["values"]
        others = [v for v in values if v["value"] != tag and v["count"] > 1][:MAX_OTHERS]
        row = []
        for other in others:
            both = ",".join(sorted((tag, other["value"])))
            path = f"/{collection}/{name.replace('_', '-')}/{other['value']}/"
            row.append((f"{path}?{name}=all:{both}", other["label"], other["count"]))
        rows += [row] if row else []
    return rows[:MAX_TAGS]


@pytest.mark.parametrize("step", sample([20], [9]))
def test_tags_that_go_together_are_those_of_counts_within(built_content: Path, step: int) -> None:
    shown = 0
    for collection in ("projects", "programs", "organizations"):
        for file in sorted((built_content / f"api/{collection}/slug").glob("*.json"))[::step]:
            document = json.loads(file.read_bytes())
            if document["kind"] == "moved":
                continue
            rows = on_page(built_content, collection, file.stem)
            assert rows == of_the_api(built_content, collection, document["data"]["tags"])
            shown += len(rows)
    assert shown > 20


def test_the_list_of_two_tags_has_as_many_records_as_said(built_content: Path) -> None:
    ((href, _, total), *_), *_ = on_page(built_content, "projects", "airbnb")
    query = href.partition("?")[2]
    assert asked(built_content, f"/api/projects?mode=page&{query}")["page"]["total_items"] == total
