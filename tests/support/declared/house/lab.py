"""Labs, which may be part of others."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Label, Listed, Refers, Words
from generator.kinds.record import Record
from generator.kinds.types import Slug


# fmt: off
class Lab(Record):
    """A lab with every field."""

    parent: Annotated[Slug | None, Refers("labs"), Label("Part of"), Listed(),
        Words("The lab it belongs to.")] = None
    grant: Annotated[Slug | None, Refers("grants"), Filtered(), Listed(),
        Words("What pays for it.")] = None
# fmt: on


KIND = Declared(Lab, "labs", "lab", contexts=True)
