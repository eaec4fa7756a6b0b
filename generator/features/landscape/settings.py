"""The key `landscape` of registry.yaml: it names a collection, tag families, and a number or tag
family that its records have.
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
    from generator.kinds import Kinds
    from generator.model.settings.registry import Settings as Registry

#: The number that sizes are by if registry.yaml names nothing.
DEFAULT = "team_size"


class Landscape(Input):
    """Whose records the landscape shows, what it groups them by, and what makes tiles larger."""

    of: Annotated[
        Line | None, Field(description="The collection of the landscape; without it, the projects.")
    ] = None
    families: Annotated[
        Annotated[list[Family], Limits(min_length=1, max_length=2)] | None,
        Field(description="The tag family of the boxes, and that of the groups in each box."),
    ] = None
    size: Annotated[
        Line | None,
        Field(
            description="What makes a tile larger: team_size, an own number of the records, or a "
            "tag family, whose first tag is the largest."
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
    yield from _of(settings, landscape)
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


def shown_collection(kinds: Kinds, landscape: Landscape | None) -> str:
    """The collection of the landscape: the one that is named, else the one with the role `counted`;
    "" if the registry has none, or none of this name.
    """
    of = (landscape.of if landscape else None) or kinds.counted
    return of if of in kinds and not kinds[of].timed and "tags" in kinds[of].fields else ""


def _of(settings: Registry, landscape: Landscape) -> Iterator[Fault]:
    kinds = settings.kinds
    if shown_collection(kinds, landscape):
        return
    known = [name for name in kinds if shown_collection(kinds, Landscape(of=name))]
    hint = f"name one of: {', '.join(known)}" if known else "give a kind tags"
    if landscape.of is None:
        message = "landscape: say of which records it is"
        hint = f"add of: {known[0]}" if known else hint
    else:
        message = f'landscape.of: "{landscape.of}" is no collection of records with tags'
        hint = suggest_word(landscape.of, known) or hint
    loc = ("landscape", "of") if landscape.of else ("landscape",)
    yield Fault("invalid-landscape", message, loc, hint)


def number_names(settings: Registry) -> list[str]:
    """The numbers that can be a size: those that tables have."""
    own = ((key, f) for key, f in _own(settings).items() if f.type == "number")
    of = shown_collection(settings.kinds, Settings.of(settings).landscape)
    has_default = of and DEFAULT in settings.kinds[of].fields
    known = [DEFAULT] if has_default else []
    return [*known, *(key for key, f in own if f.ranged or f.sorts.queries)]


def _own(settings: Registry) -> Mapping[str, Declared]:
    of = shown_collection(settings.kinds, Settings.of(settings).landscape)
    return {f.path[-1]: f for f in settings.kinds[of].own} if of else {}


def _size(
    settings: Registry, size: str, known: list[str]
) -> tuple[str, tuple[str, str], str | None]:
    """The message, place and hint of a size that cannot be used."""
    own = _own(settings).get(size)
    many = shown_collection(settings.kinds, Settings.of(settings).landscape) or "records"
    hint: str | None = f"name one of: {', '.join(known)}"
    if own is not None and own.type == "number":
        message, hint = "is neither sorted nor filtered", f"add sort: true to the field {size}"
    elif own is not None:
        message = "is not a number"
    elif size in settings.families:
        message, hint = "lists no tags", f"list the tags of {size}, the largest first"
    else:
        message, hint = (
            f"is neither a number of {many} nor a tag family",
            suggest_word(size, known),
        )
    return f'landscape.size: "{size}" {message}', ("landscape", "size"), hint
