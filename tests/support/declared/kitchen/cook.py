"""Cooks, who may have teachers, and a recipe that they like best."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Listed, Refers, Words
from generator.kinds.record import Record
from generator.kinds.types import Slug


# fmt: off
class Cook(Record):
    """A cook with every field."""

    favourite: Annotated[Slug | None, Refers("recipes"), Filtered(), Listed(),
        Words("The recipe they like best.")] = None
    teacher: Annotated[Slug | None, Refers("cooks"), Filtered(), Listed(),
        Words("Who taught them.")] = None
# fmt: on


KIND = Declared(Cook, "cooks", "cook")
