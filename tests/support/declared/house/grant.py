"""Grants to people."""

from __future__ import annotations

from typing import Annotated

from generator.kinds.declare import Declared, Filtered, Listed, Refers, Words
from generator.kinds.record import Record
from generator.kinds.types import Flag, Slug, Slugs


# fmt: off
class Grant(Record):
    """A grant with every field."""

    recipients: Annotated[Slugs | None, Refers("people"), Filtered("recipient"), Listed(),
        Words("Who gets it.")] = None
    program: Annotated[Slug | None, Refers("programs"), Filtered(), Listed(),
        Words("The program that gives it.")] = None
    open: Annotated[Flag | None, Filtered(), Listed(), Words("Whether people can apply.")] = None
# fmt: on


KIND = Declared(Grant, "grants", "grant")
