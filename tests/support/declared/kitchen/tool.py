"""Tools, which no record refers to."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Listed, Refers, Words
from generator.kinds.record import Record
from generator.kinds.types import Slugs


# fmt: off
class Tool(Record):
    """A tool with every field."""

    recipes: Annotated[Slugs | None, Refers("recipes"), Filtered("recipe"), Listed(),
        Words("What it is for.")] = None
# fmt: on


KIND = Declared(Tool, "tools", "tool")
