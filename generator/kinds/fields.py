"""The types that input fields have, and what is said when a value does not fit.

Patterns run in pydantic's core (Rust regex, no look-around); `PATTERN_FAULTS` gives each its code and words.
"""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

import pycountry
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from generator.query import MAX_SLUG, SLUG

_SLUG = f"^{SLUG}$"
_LINE = r"^[^\p{Cc}\u2028\u2029]*[^\p{Cc}\s][^\p{Cc}\u2028\u2029]*$"
_TEXT = r"^[^\x00-\x08\x0b-\x1f\x7f]*$"
# RFC 3986 as browsers take it: a host without user information, then anything but blanks and quotes.
_URL = r'^(?i:https?)://[^\s\p{Cc}/?#\\"<>^`{|}@:]+(?::[0-9]{1,5})?(?:[/?#][^\s\p{Cc}"<>\\^`{|}]*)?$'
_KEY = r"^[A-Za-z][A-Za-z0-9_-]{0,49}$"
_FAMILY = r"^[a-z][a-z0-9_]*$"

#: pattern -> (code, message, hint)
PATTERN_FAULTS: dict[str, tuple[str, str, str | None]] = {
    _SLUG: ("invalid-slug", "is no slug", "a slug is lower-case letters a-z and digits, with single hyphens between"),
    _LINE: ("line-break", "is not one line of text", "write it on one line; a longer text belongs in description"),
    _TEXT: ("line-break", "holds control characters", "remove them"),
    _URL: ("invalid-url", "is no absolute http or https URL", "write it whole, like https://example.org/"),
    _KEY: ("invalid-key", "is no key", "a key begins with a letter and goes on with letters, digits, _ and -"),
    _FAMILY: ("invalid-key", "is no tag family", "a family begins with a-z and goes on with a-z, 0-9 and _"),
}

Slug = Annotated[str, StringConstraints(max_length=MAX_SLUG, pattern=_SLUG)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=_LINE)]
Summary = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=_LINE)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=_LINE)]
Place = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=_LINE)]
Text = Annotated[str, StringConstraints(max_length=10_000, pattern=_TEXT)]
Url = Annotated[str, StringConstraints(max_length=2_000, pattern=_URL)]
Key = Annotated[str, StringConstraints(pattern=_KEY)]
Family = Annotated[str, StringConstraints(max_length=50, pattern=_FAMILY)]
Year = Annotated[int, Field(ge=1800, le=2200)]
Count = Annotated[int, Field(ge=0, le=100_000_000)]

COUNTRIES: dict[str, str] = {c.alpha_2: getattr(c, "common_name", c.name) for c in pycountry.countries}
Country = Literal[tuple(COUNTRIES)]  # type: ignore[valid-type]


def date_of(text: str) -> datetime.date:
    """A date written YYYY-MM-DD.  Raises ValueError."""
    if len(text) != 10 or not text.isascii() or text[4] != "-" or text[7] != "-":
        raise ValueError
    found = datetime.date.fromisoformat(text)
    if not 1800 <= found.year <= 2200:
        raise ValueError
    return found


def _date(value: Any) -> Any:
    if value is not None and not isinstance(value, str):
        raise PydanticCustomError("invalid-date", "is no date")
    try:
        if value is not None:
            date_of(value)
    except ValueError:
        raise PydanticCustomError("invalid-date", "is no date from 1800-01-01 to 2200-12-31") from None
    return value


Date = Annotated[str, BeforeValidator(_date)]


class Input(BaseModel):
    """Everything an author writes: strict types, unknown fields refused; null means that a field is not there."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Location(Input):
    country: Country
    region: Place | None = None
    city: Place | None = None


class Record(Input):
    """The fields that every kind has."""

    name: Name
    summary: Summary | None = None
    description: Text | None = None
    website: Url | None = None
    links: dict[Key, Url] | None = None
    sources: list[Url] | None = None
    tags: dict[str, list[Slug]] | None = None
    aliases: list[Slug] | None = None
    locations: list[Location] | None = None
