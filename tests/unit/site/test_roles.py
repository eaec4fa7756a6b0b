"""Pages of registries whose kinds have other roles, or none, and other relations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from generator.dialect import folder
from generator.grammar.grammar import Grammar
from generator.kinds import Kinds
from generator.kinds.declare import (
    Declared,
    Filtered,
    Labels,
    Listed,
    Refers,
    Sorted,
    Words,
)
from generator.kinds.record import Record
from generator.kinds.types import Slug, Slugs, Year
from generator.published.published import Published
from generator.site import labels
from support import registries
from support.kinds import KINDS, kinds_with

CUISINES = {"thai": "Thai", "nordic": "Nordic"}


class Recipe(Record):
    ingredients: Annotated[Slugs | None, Refers("ingredients"), Filtered("ingredient"), Listed(),
        Words("What is in it.")] = None  # fmt: skip
    garnish: Annotated[Slugs | None, Refers("ingredients"), Filtered(), Listed(),
        Words("What is on it.")] = None  # fmt: skip
    cuisine: Annotated[Literal["thai", "nordic"] | None, Filtered(), Labels(CUISINES), Listed(),
        Words("Its cuisine.")] = None  # fmt: skip
    year: Annotated[Year | None, Filtered(), Sorted("-year"), Listed(), Words("Its year.")] = None


class Ingredient(Record):
    known_from: Annotated[Slug | None, Refers("recipes"), Filtered(), Listed(),
        Words("The recipe that made it known.")] = None  # fmt: skip


RECIPES = Declared(Recipe, "recipes", "recipe")
INGREDIENTS = Declared(Ingredient, "ingredients", "ingredient")
CONTENT: Mapping[str, Any] = {
    "registry": {
        "name": "Kitchen", "description": "What to cook.",
        "tag_families": {"diet": {"label": "Diet"}},
    },
    "recipes": {
        "kra-pao": {"name": "Kra pao", "cuisine": "thai", "year": 2019, "locations": ["TH"],
                    "ingredients": ["basil", "rice"], "garnish": ["egg"],
                    "tags": {"diet": ["hearty"]}},
        "egg-rice": {"name": "Egg rice", "cuisine": "thai", "year": 2021, "locations": ["TH"],
                     "ingredients": ["egg", "rice"], "garnish": ["basil"],
                     "tags": {"diet": ["vegetarian"]}},
        "porridge": {"name": "Porridge", "cuisine": "nordic", "year": 2020, "locations": ["NO"],
                     "tags": {"diet": ["vegetarian"]}},
    },
    "ingredients": {
        "basil": {"name": "Basil", "known_from": "kra-pao"},
        "egg": {"name": "Egg"},
        "rice": {"name": "Rice"},
    },
}  # fmt: skip


def pages(kinds: Kinds, at: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Path -> HTML of the pages of a registry with these kinds."""
    monkeypatch.setattr(folder, "built_in", lambda: kinds)
    content = {**CONTENT, "recipes": {
        slug: {**recipe, "locations": [{"country": code} for code in recipe["locations"]]}
        for slug, recipe in CONTENT["recipes"].items()
    }}  # fmt: skip
    out: Published = registries.published(at, content)
    every = {artifact.path: artifact.data for artifact in out.artifacts()}
    found = {path: data.decode() for path, data in every.items() if path.endswith(".html")}
    for path, html in found.items():
        for link in re.findall(r'(?:href|src)="(/[^"#?]*)', html):
            file = f"{link}index.html" if link.endswith("/") else link
            assert file in every or "/explorer/" in path, f"{path} links to {link}"
        assert not re.search(r"<(h[1-6]|dt|th|figcaption)\b[^>]*>\s*</\1>", html), path
    return found


def headings(html: str) -> list[str]:
    return re.findall(r"<h2[^>]*>([^<]*)</h2>", html.partition("<main")[2].partition("</main>")[0])


def test_kinds_without_a_role_have_a_whole_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = kinds_with(RECIPES, INGREDIENTS, first=())
    found = pages(kinds, tmp_path, monkeypatch)
    roots = {path.split("/")[1] for path in found} - {"index.html", "404.html"}
    assert roots == {"changes", "docs", "embed", "ingredients", "map", "recipes"}
    assert [path for path in found if path.startswith("/embed/")] == ["/embed/list/index.html"]
    home = found["/index.html"]
    sections = ["Recipes", "Topics", "Locations", "In numbers", "Data"]
    assert headings(home) == sections
    assert "/recipes/ingredient/rice/" in home, "ingredients are no one behind recipes"
    for path, html in found.items():
        shown = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
        if not path.startswith("/docs/"):
            assert not re.search(r"(?i)\b(project|program|organization|event|cohort)s?\b", shown)


def test_the_page_of_a_record_lists_those_of_each_relation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = kinds_with(RECIPES, INGREDIENTS, first=())
    found = pages(kinds, tmp_path, monkeypatch)
    basil, kra_pao = (found[f"/{page}/index.html"] for page in
                      ("ingredients/basil", "recipes/kra-pao"))  # fmt: skip
    assert headings(basil) == ["Facts", "This record", "Recipes", "Recipes (Garnish)"]
    assert "/recipes/garnish/basil/" in basil and "/recipes/ingredient/basil/" in basil
    assert headings(kra_pao)[2:] == ["Ingredients (Known from)"]


def test_another_kind_may_be_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dishes = replace(RECIPES, kind="dish", counted=True)
    kinds = kinds_with(dishes, INGREDIENTS, first=())
    found = pages(kinds, tmp_path, monkeypatch)
    assert {"/compare/index.html", "/landscape/index.html"} <= found.keys()
    assert {path.split("/")[2] for path in found if path.startswith("/embed/")} == {
        "countries", "list", "map", "tag-diet", "years",
    }  # fmt: skip
    assert "Porridge" in found["/landscape/index.html"]
    assert "Recipes" in found["/embed/map/index.html"]


def test_dates_and_cohorts_are_of_one_series() -> None:
    grammar = Grammar(KINDS)
    both = [{"slug": "a", "parent": "yc"}, {"slug": "b", "parent": "yc"}]
    assert labels.are_one_series(grammar.series, both)
    assert not labels.are_one_series(grammar.series, both[:1])
    assert labels.are_one_series(grammar.series, [*both, {"slug": "yc", "parent": None}])
    dates = [{"slug": s, "program": p, "organization": o} for s, p, o in
             (("a", None, "mit"), ("b", None, "mit"), ("c", "yc", "mit"))]  # fmt: skip
    assert labels.are_one_series(grammar.timed, dates[:2])
    assert not labels.are_one_series(grammar.timed, dates)
    assert not labels.are_one_series(grammar.counted, [{"slug": "a"}, {"slug": "b"}])
