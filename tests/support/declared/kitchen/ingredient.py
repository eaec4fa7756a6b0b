"""Ingredients of recipes."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Listed, Words
from generator.kinds.record import Record
from generator.kinds.types import Flag


# fmt: off
class Ingredient(Record):
    """An ingredient with every field."""

    vegan: Annotated[Flag | None, Filtered(), Listed(), Words("Whether it is vegan.")] = None
# fmt: on


KIND = Declared(Ingredient, "ingredients", "ingredient")
