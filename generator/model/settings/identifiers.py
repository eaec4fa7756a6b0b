"""Schemes of identifiers that a registry declares, besides those that every registry has."""

from __future__ import annotations

import re
from typing import Annotated

from generator.model.fields import MAX_ITEMS, Input, Line, Scheme, is_url
from generator.model.identifiers import ID, KNOWN, MAX_PATTERN, IdScheme, is_pattern
from generator.model.models import After, Limits
from generator.model.validator import PydanticCustomError


def _template(value: str) -> str:
    """A URL with `{id}` once, after the host."""
    begin, mark, end = value.partition("{id}")
    if not mark or not re.match("https://[^/]+/", begin) or not is_url(f"{begin}x{end}"):
        message = "is not an https address with {mark} once after the host"
        raise PydanticCustomError("invalid-declaration", message, {"mark": "{id}"})
    return value


def _pattern(value: str) -> str:
    if not is_pattern(value):
        raise PydanticCustomError(
            "invalid-declaration",
            "is not a plain pattern: write it without groups, anchors and repeated quantifiers, "
            "like [a-z][a-z0-9]*",
        )
    return value


class IdentifierScheme(Input):
    """One scheme, as registry.yaml declares it."""

    label: Line
    url: Annotated[str, Limits(max_length=500), After(_template)]
    pattern: Annotated[str, Limits(max_length=MAX_PATTERN), After(_pattern)] = ID


def _new(name: str) -> str:
    if name in KNOWN:
        message = "is a scheme that every registry has"
        raise PydanticCustomError("invalid-declaration", message)
    return name


IdentifierSchemes = Annotated[
    dict[Annotated[Scheme, After(_new)], IdentifierScheme], Limits(max_length=MAX_ITEMS)
]


def all_schemes(declared: dict[str, IdentifierScheme] | None) -> dict[str, IdScheme]:
    """The schemes that records may have, by name."""
    own = {name: IdScheme(s.label, s.url, s.pattern) for name, s in (declared or {}).items()}
    return {**KNOWN, **own}
