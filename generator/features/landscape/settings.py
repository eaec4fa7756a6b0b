"""The key `landscape` of registry.yaml."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generator.kinds.marks import Limits
from generator.kinds.models import Input
from generator.kinds.types import Family, Line
from generator.model.settings.keys import Keys


class Landscape(Input):
    """What the landscape groups projects by, and what makes their tiles larger."""

    families: Annotated[
        Annotated[list[Family], Limits(min_length=1, max_length=2)] | None,
        Field(description="The tag family of the boxes, and that of the groups in each box."),
    ] = None
    size: Annotated[
        Line | None,
        Field(
            description="What makes a tile larger: team_size, an own number of projects, or a tag "
            "family, whose first tag is the largest."
        ),
    ] = None


class Settings(Keys):
    landscape: Annotated[
        Landscape | None, Field(description="Groups and sizes of the page /landscape/.")
    ] = None
