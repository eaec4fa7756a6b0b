"""The schemes of identifiers that registry.yaml declares."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic_core import PydanticCustomError, SchemaError

from generator.kinds.marks import After, Limits
from generator.kinds.models import Input
from generator.kinds.types import MAX_ITEMS, Line, Scheme, is_url
from generator.model.identifiers import ID, KNOWN, pattern_validator

#: A pattern of a scheme: characters, `.`, `\d` and classes, each with a quantifier, and `|`.
_CLASS = r"\[-?(?:[A-Za-z0-9](?:-[A-Za-z0-9])?|[._]|\\[d.])+-?\]"
_STEP = rf"(?:[A-Za-z0-9_.-]|\\[d.]|{_CLASS})(?:[?*+]|\{{[0-9]{{1,3}}(?:,[0-9]{{0,3}})?\}})?"
_PATTERN = rf"(?:{_STEP})+(?:\|(?:{_STEP})+)*"
#: Characters of a pattern.
MAX_PATTERN = 200


def is_pattern(text: str) -> bool:
    """Whether a text is a pattern without groups and nested quantifiers, and not too large."""
    if len(text) > MAX_PATTERN or not re.fullmatch(_PATTERN, text):
        return False
    try:
        pattern_validator(text)
    except SchemaError:
        return False
    return True


def _template(value: str) -> str:
    """A URL with `{id}` once, after the host."""
    begin, mark, end = value.partition("{id}")
    if not mark or not re.match("https://[^/]+/", begin) or not is_url(f"{begin}x{end}"):
        message = "is not an https address with {mark} once after the host"
        raise PydanticCustomError("invalid-declaration", message, {"mark": "{id}"})
    return value


def _pattern(value: str) -> str:
    if not is_pattern(value):
        message = (
            "is not a plain pattern: write it without groups, anchors and repeated quantifiers, "
            "like [a-z][a-z0-9]*"
        )
        raise PydanticCustomError("invalid-declaration", message)
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
