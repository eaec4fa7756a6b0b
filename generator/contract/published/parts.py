"""Parts of published documents: types of values, the base of a document, common objects."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from generator.grammar.refusals import PROBLEMS
from generator.kinds import KINDS
from generator.kinds.types import MAX_ITEMS
from generator.text.words import SLUG


def open_words(known: Iterable[str]) -> WithJsonSchema:
    """An open vocabulary of known words: a validating consumer must accept new words."""
    return WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "enum": list(known)},
                {"type": "string", "description": "Words that are added later."},
            ]
        }
    )


Slug = Annotated[str, Field(pattern=f"^{SLUG}$")]
Tags = Annotated[list[Slug], Field(max_length=MAX_ITEMS)]
Href = Annotated[str, Field(json_schema_extra={"format": "uri-reference"})]
Link = Annotated[str, Field(json_schema_extra={"format": "uri"})]
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
Instant = Annotated[
    str,
    Field(
        json_schema_extra={"format": "date-time"},
        pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
    ),
]
Count = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
ProblemCode = Annotated[str, open_words(PROBLEMS)]


class Published(BaseModel):
    model_config = ConfigDict(
        extra="allow",
        model_title_generator=lambda model: re.sub(
            r"(?<=[a-z])(?=[A-Z])", " ", model.__name__
        ).capitalize(),
    )


class Document(Published):
    schema_version: str = Field(
        pattern=r"^[0-9]+\.[0-9]+(\.[0-9]+)?$",
        description="Version of the published shapes. Within one major number they only grow.",
    )


def document_model(
    base: type[Document], kind: str, words: str, **fields: tuple[Any, str]
) -> type[Document]:
    """The model of a document of this kind with its description; a field is a type and its
    description.
    """
    described = {name: (type_, Field(description=text)) for name, (type_, text) in fields.items()}
    model: type[Document] = create_model(
        "".join(map(str.capitalize, kind.split("_"))),
        __base__=base,
        __doc__=words,
        kind=(Literal[kind], Field(description="The kind of this document.")),
        **described,  # type: ignore[call-overload]
    )
    return model


class Location(Published):
    """A place, as exactly as it is known."""

    country: str = Field(
        pattern="^[A-Z]{2}$", description="ISO 3166-1 alpha-2 code, or XK for Kosovo."
    )
    region: str | None = Field(description="State, province or region, as written.")
    city: str | None = Field(description="City or town, as written.")
    slug: Slug = Field(description="The value of the filter `location` that selects this place.")


class Reference(Published):
    """A record that another record refers to."""

    slug: Slug = Field(description="Its slug.")
    name: str = Field(description="Its name.")
    href: Href = Field(description="Its record file.")


def _counts() -> type[Published]:
    described: dict[str, Any] = {}
    for name, declared in KINDS.items():
        past = ", past ones too" if declared.timed else ""
        described[name] = Count, Field(description=f"{name.capitalize()}{past}.")
    return create_model(
        "Counts",
        __base__=Published,
        __doc__="How many records each collection has.",
        **described,
    )


Counts: Any = _counts()


class SelfLink(Published):
    """Where the document is."""

    self: Href = Field(description="This document.")


class Alternative(Published):
    """A query that finds records, in place of one that finds nothing: the query with one filter
    left out, with a similar tag, or with one word changed.
    """

    q: str | None = Field(description="Its words.")
    filters: dict[str, str] = Field(description="The value of each of its filters.")
    total_items: Number = Field(description="How many records it finds.")
    href: Href = Field(description="The first page of its list.")
