"""The schemes of identifiers that registry.yaml declares, and those with documents."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field
from pydantic_core import PydanticCustomError, SchemaError

from generator.features.identifiers.fields import Scheme
from generator.features.identifiers.schemes import ID, KNOWN, IdScheme, pattern_validator
from generator.kinds.marks import After, Limits
from generator.kinds.models import Input
from generator.kinds.types import MAX_ITEMS, Line, is_url
from generator.model.settings.keys import Keys

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

    label: Annotated[Line, Field(description="The name of the scheme for people.")]
    url: Annotated[
        str,
        Limits(max_length=500),
        After(_template),
        Field(description="The address of an identifier: https, with {id} once after the host."),
    ]
    pattern: Annotated[
        str,
        Limits(max_length=MAX_PATTERN),
        After(_pattern),
        Field(description="The form of an identifier: a regular expression without groups."),
    ] = ID


def _new(name: str) -> str:
    if name in KNOWN:
        message = "is a scheme that every registry has"
        raise PydanticCustomError("invalid-declaration", message)
    return name


IdentifierSchemes = Annotated[
    dict[Annotated[Scheme, After(_new)], IdentifierScheme], Limits(max_length=MAX_ITEMS)
]


class Settings(Keys):
    identifier_schemes: Annotated[
        IdentifierSchemes | None, Field(description="More schemes of identifiers, by name.")
    ] = None

    def schemes(self) -> dict[str, IdScheme]:
        """The schemes of identifiers that records may have, by name."""
        own = self.identifier_schemes or {}
        return KNOWN | {name: IdScheme(s.label, s.url, s.pattern) for name, s in own.items()}


class Publish(Keys):
    by_id: Annotated[
        Annotated[list[Scheme], Limits(max_length=MAX_ITEMS)] | None,
        Field(description="The schemes whose identifiers lead to records, below /api/by-id/."),
    ] = None
