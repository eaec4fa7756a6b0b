"""People, who may have mentors."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Listed, Refers, Words
from generator.kinds.record import Record
from generator.kinds.types import Slug, Slugs


# fmt: off
class Person(Record):
    """A person with every field."""

    mentor: Annotated[Slug | None, Refers("people"), Filtered(), Listed(),
        Words("Who advises them.")] = None
    lab: Annotated[Slug | None, Refers("labs"), Filtered(), Listed(),
        Words("Where they work.")] = None
    projects: Annotated[Slugs | None, Refers("projects"), Filtered("project"), Listed(),
        Words("What they founded.")] = None
    programs: Annotated[Slugs | None, Refers("programs"), Filtered("program"),
        Words("What they took part in.")] = None
# fmt: on


KIND = Declared(Person, "people", "person")
