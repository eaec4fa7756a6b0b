"""Published records: the fields of each kind, their summaries in lists, and their documents.

All of it follows from what the kinds declare (`generator.kinds`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from generator.contract.published.parts import (
    Day,
    Document,
    Href,
    Instant,
    Link,
    Location,
    Number,
    Published,
    Reference,
    SelfLink,
    Slug,
    Tags,
    document_model,
    open_words,
)
from generator.kinds import KINDS
from generator.kinds.declare import Declared
from generator.kinds.declare import Field as Declaration

OwnValue = str | float | bool | list[str] | None


class Tally(Published):
    """How many projects have a value of a filter."""

    value: str = Field(description="The value, as the filter takes it.")
    label: str = Field(description="The label for people.")
    count: Number = Field(description="How many projects have it.")


#: Type of a field -> the type of one value in documents; of others, text.
_TYPES: dict[str, Any] = {
    "slug": Slug,
    "year": int,
    "boolean": bool,
    "date": Day,
    "instant": Instant,
    "url": Link,
    "places": Location,
    "tags": dict[str, Tags],
    "links": dict[str, Link],
    "breakdown": dict[str, list[Tally]],
    "own": dict[str, OwnValue],
}
#: Types whose values are never null, like those by key: an absent one is empty or false.
_NEVER_NULL = ("boolean", "places")


def _type(f: Declaration, *, whole: bool) -> Any:
    """The type of a field in documents; a `whole` record names the records that it refers to."""
    one = f.added.published() if f.added else _TYPES.get(f.type, str)
    if f.type == "number":
        one = Annotated[int, Field(ge=f.least)]
    if f.values:
        one = Annotated[str, open_words(f.values)]
    if f.refers:
        one = Reference if whole else Slug
    if f.many:
        several = list[one]  # type: ignore[valid-type]
        return Tags if f.refers and not whole else Annotated[several, Field(max_length=f.most)]
    is_null = f.optional and f.default is None and not f.is_keyed and f.type not in _NEVER_NULL
    return one | None if is_null else one


def _fields(declared: Declared, fields: Iterable[Declaration], *, whole: bool) -> dict[str, Any]:
    described = {
        "slug": (
            Slug,
            Field(description="The name in addresses: unique within its kind, and permanent."),
        ),
        "href": (Href, Field(description="The record file, which has every field.")),
    }
    for f in fields:
        words = f.words.text if whole else f.listed_words or f.words.text
        most = f.most if f.type == "links" else None
        described[f.name] = _type(f, whole=whole), Field(description=words, max_length=most)
    return described


def _record(declared: Declared) -> type[Published]:
    fields = [f for f in declared.fields.values() if f.published]
    return create_model(
        f"{declared.kind.capitalize()}Record",
        __base__=Published,
        __doc__=declared.model.__doc__,
        **_fields(declared, fields, whole=True),
    )


def _summary(declared: Declared) -> type[Published]:
    every = declared.fields
    fields = [every["name"], every["summary"], *declared.listed, every["fields"]]
    return create_model(
        f"{declared.kind.capitalize()}Summary",
        __base__=Published,
        __doc__=str(declared.model.__doc__).replace("with every field", "as lists show it"),
        **_fields(declared, fields, whole=False),
    )


def _links(declared: Declared) -> type[Published]:
    """The addresses of a record, and of the lists of records that refer to it."""
    lists = [
        other for other in KINDS.values() if any(f.filter == declared.kind for f in other.filtered)
    ]
    if not lists:
        return SelfLink
    described: dict[str, Any] = {
        other.name: (Href, Field(description=f"Its {other.name}.")) for other in lists
    }
    return create_model(
        f"{declared.kind.capitalize()}Links",
        __base__=SelfLink,
        __doc__=f"The addresses of the {declared.kind} and of its lists.",
        **described,
    )


SUMMARIES = {name: _summary(declared) for name, declared in KINDS.items()}


class RecordMeta(Published):
    """What the history of the repository says about the record."""

    updated_at: Instant | None = Field(
        description="When the record was last changed: the time of the commit, in UTC. Null if no "
        "commit has it, or if the build did not have all commits."
    )


class RecordDocument(Document):
    meta: RecordMeta = Field(
        default_factory=lambda: RecordMeta(updated_at=None),
        description="What the history of the repository says about the record, if the registry "
        "publishes all changes.",
    )


#: Kind -> the document of one record.
RECORDS = {
    declared.kind: document_model(
        RecordDocument,
        declared.kind,
        f"One whole {declared.called[0]}.",
        links=(_links(declared), "Related addresses."),
        data=(_record(declared), "The record."),
    )
    for declared in KINDS.values()
}


class MovedLinks(SelfLink):
    """The former and the present address."""

    replaced_by: Href = Field(description="The file to read instead.")


class MovedRecord(Published):
    """A former slug."""

    collection: str = Field(description="The collection of the record.")
    slug: Slug = Field(description="The former slug.")
    replaced_by: Slug = Field(description="The slug that the record has now.")


class Moved(Document):
    """The document at the former slug of a renamed record, and at the pages of its
    lists.
    """

    kind: Literal["moved"] = Field(description="The kind of this document.")
    links: MovedLinks = Field(description="Related addresses.")
    data: MovedRecord = Field(description="The former and the present slug.")
