"""The key `landscape` of registry.yaml: it names tag families, and a number or tag family that
projects have.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from generator.kinds.declare import Field as Declared
from generator.kinds.marks import Limits
from generator.kinds.models import Input
from generator.kinds.types import Family, Line
from generator.model.settings.keys import Keys
from generator.problems.diagnostic import suggest_word
from generator.problems.faults import Fault

if TYPE_CHECKING:
    from generator.model.settings.registry import Settings as Registry

#: The number that sizes are by if registry.yaml names nothing.
DEFAULT = "team_size"


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


def check_keys(settings: Registry, unread: Container[str]) -> Iterator[Fault]:
    landscape = Settings.of(settings).landscape
    if landscape is None or "tag_families" in unread or "fields" in unread:
        return
    families = [*settings.families]
    for i, family in enumerate(landscape.families or ()):
        loc = ("landscape", "families", i)
        if family not in families:
            message = f'landscape.families[{i}]: there is no tag family "{family}"'
            yield Fault("unknown-tag-family", message, loc, suggest_word(family, families))
        elif family in (landscape.families or ())[:i]:
            message = f'landscape.families[{i}]: "{family}" is already in this list'
            yield Fault("invalid-landscape", message, loc, "name another family, or remove it")
    size = landscape.size
    if size is None:
        return
    numbers = number_names(settings)
    listed = [name for name, family in settings.families.items() if family.tags]
    if size not in numbers and size not in listed:
        yield Fault("invalid-landscape", *_size(settings, size, [*numbers, *listed]))


def number_names(settings: Registry) -> list[str]:
    """The numbers of projects that can be a size: those that tables have."""
    own = ((key, f) for key, f in _own(settings).items() if f.type == "number")
    return [DEFAULT, *(key for key, f in own if f.ranged or f.sorts.queries)]


def _own(settings: Registry) -> Mapping[str, Declared]:
    kinds = settings.kinds
    return {f.path[-1]: f for f in kinds[kinds.counted].own} if kinds.counted else {}


def _size(
    settings: Registry, size: str, known: list[str]
) -> tuple[str, tuple[str, str], str | None]:
    """The message, place and hint of a size that cannot be used."""
    own = _own(settings).get(size)
    hint: str | None = f"name one of: {', '.join(known)}"
    if own is not None and own.type == "number":
        message, hint = "is neither sorted nor filtered", f"add sort: true to the field {size}"
    elif own is not None:
        message = "is not a number"
    elif size in settings.families:
        message, hint = "lists no tags", f"list the tags of {size}, the largest first"
    else:
        message, hint = (
            "is neither a number of projects nor a tag family",
            suggest_word(size, known),
        )
    return f'landscape.size: "{size}" {message}', ("landscape", "size"), hint
