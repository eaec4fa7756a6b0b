"""Pages of lists as a build writes them."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.contract.listing import render_list
from generator.grammar.grammar import Grammar, Query
from generator.site.lists import encoded_rows, parse_head
from support import commands, registries

TWO_TAGS: dict[str, Any] = {
    "registry": {
        "name": "Own",
        "description": "Own.",
        "base_url": "https://registry.example/of/",
        "page_size": 10,
        "tag_families": {"topic": {"label": "Topic & more"}},
    },
    "projects": {f"p{n}": {"name": f"P{n}", "tags": {"topic": ["red", "blue"]}} for n in range(25)},
}


def test_every_page_of_a_list_has_its_own_title(tmp_path: Path) -> None:
    registries.write(tmp_path / "content", TWO_TAGS)
    built = commands.build(tmp_path / "content", tmp_path / "out", site=True)
    pages = 0
    for file in sorted((built / "projects").rglob("index.html")):
        html = file.read_text("utf-8")
        assert "\0" not in html
        if 'id="rows"' not in html:
            continue
        pages += 1
        path = f"{file.relative_to(built).parent}/"
        own = f"https://registry.example/of/{path}"
        (address,) = re.findall(r'<link rel="canonical" href="([^"]*)">', html)
        (title,) = re.findall(r"<title>(.*)</title>", html)
        (og_title,) = re.findall(r'<meta property="og:title" content="(.*)">', html)
        (data,) = re.findall(r'<script type="application/ld\+json">(.*)</script>', html)
        way = json.loads(data)["@graph"][-1]["itemListElement"][-1]
        assert way["item"] == own
        assert address == own.replace("sort/-year/", "")
        assert title.startswith(f"{og_title} – ")
        assert way["name"] == unescape(og_title)
    assert pages == 3 * 5  # two orders, two tags and a status, of three pages each


def test_a_custom_template_is_used_for_each_page(tmp_path: Path) -> None:
    registries.write(tmp_path / "content", TWO_TAGS)
    own = tmp_path / "templates/site/list.html.j2"
    own.parent.mkdir(parents=True)
    own.write_text(
        '{% extends "original/list.html.j2" %}'
        "{% block main %}<b>{{ shown.heading }}</b>{{ super() }}{% endblock %}"
    )
    built = commands.build(tmp_path / "content", tmp_path / "out", site=True)
    for tag in ("red", "blue"):
        html = (built / f"projects/tag-topic/{tag}/index.html").read_text("utf-8")
        assert f"<b>{tag}</b>" in html
        assert 'href="/of/projects/p1/"' in html


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_page_is_divided_into_its_head_and_its_rows(count: int) -> None:
    grammar = Grammar({})
    rows = [orjson.dumps({"name": f"}},\n{{{number}"}) for number in range(count)]
    page = render_list(
        Query(grammar.projects), rows, count=count, size=50, grammar=grammar, as_of=None
    )
    assert encoded_rows(page) == [row + b"," for row in rows]
    assert parse_head(page) == orjson.loads(page) | {"data": []}
