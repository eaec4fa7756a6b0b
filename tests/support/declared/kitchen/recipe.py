"""Recipes of cooks, which may be variants of others."""

from __future__ import annotations

from typing import Annotated, Literal

from generator.kinds.declare import (
    Declared,
    Filtered,
    Labels,
    Listed,
    Ranged,
    Refers,
    Sorted,
    Words,
)
from generator.kinds.record import Record
from generator.kinds.types import Count, Slug, Slugs

CUISINES = {"thai": "Thai", "nordic": "Nordic"}


# fmt: off
class Recipe(Record):
    """A recipe with every field."""

    cuisine: Annotated[Literal["thai", "nordic"] | None, Filtered(), Labels(CUISINES), Listed(),
        Words("How it is cooked.")] = None
    minutes: Annotated[Count | None, Ranged(), Sorted("-minutes", "minutes"), Listed(),
        Words("How long it takes.")] = None
    cook: Annotated[Slug | None, Refers("cooks"), Filtered(), Listed(),
        Words("Who wrote it.")] = None
    ingredients: Annotated[Slugs | None, Refers("ingredients"), Filtered("ingredient"), Listed(),
        Words("What is in it.")] = None
    garnish: Annotated[Slugs | None, Refers("ingredients"), Filtered(), Listed(),
        Words("What is on it.")] = None
    variant_of: Annotated[Slug | None, Refers("recipes"), Filtered("variant"), Listed(),
        Words("The recipe that it varies.")] = None
# fmt: on


KIND = Declared(Recipe, "recipes", "recipe", nouns={"de": ("Rezept", "Rezepte")}, contexts=True)
