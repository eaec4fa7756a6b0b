"""Parts of published documents: types of values, the base of a document, common objects; and
published records: the fields of each kind, their summaries in lists, and their documents, which
follow from what the kinds declare (`generator.kinds`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from generator.contract.lock import type_name
from generator.grammar.refusals import PROBLEMS
from generator.kinds import Kinds
from generator.kinds.declare import COUNTS, Declared
from generator.kinds.declare import Field as Declaration
from generator.kinds.models import with_fields
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
NoteCode = Annotated[str, open_words(("quotes", "operator", "field", "wildcard", "within"))]


def means(text: str, **more: Any) -> Any:
    """A key of a document, with its description."""
    return Field(description=text, **more)


class Published(BaseModel):
    model_config = ConfigDict(
        extra="allow",
        model_title_generator=lambda model: re.sub(
            r"(?<=[a-z])(?=[A-Z])", " ", model.__name__
        ).capitalize(),
    )


class Document(Published):
    schema_version: str = means(
        "Version of the published shapes. Within one major number they only grow.",
        pattern=r"^[0-9]+\.[0-9]+(\.[0-9]+)?$",
    )


Shape = TypeVar("Shape", bound=Published)


def document_model(
    base: type[Document], kind: str, words: str, **fields: tuple[Any, str]
) -> type[Document]:
    """The model of a document of this kind with its description; a field is a type and its
    description.
    """
    described = {name: (type_, means(text)) for name, (type_, text) in fields.items()}
    model: type[Document] = create_model(
        type_name(kind),
        __base__=base,
        __doc__=words,
        kind=(Literal[kind], means("The kind of this document.")),
        **described,  # type: ignore[call-overload]
    )
    return model


def with_types(base: type[Shape], **types: Any) -> type[Shape]:
    """A model with other types of some fields."""
    fields: dict[str, Any] = {name: (of, base.model_fields[name]) for name, of in types.items()}
    return with_fields(base, **fields)


class Location(Published):
    """A place, as exactly as it is known."""

    country: str = means("ISO 3166-1 alpha-2 code, or XK for Kosovo.", pattern="^[A-Z]{2}$")
    region: str | None = means("State, province or region, as written.")
    city: str | None = means("City or town, as written.")
    slug: Slug = means("The value of the filter `location` that selects this place.")


class Reference(Published):
    """A record that another record refers to."""

    slug: Slug = means("Its slug.")
    name: str = means("Its name.")
    href: Href = means("Its record file.")


@cache
def counts(kinds: Kinds) -> type[Published]:
    described: dict[str, Any] = {}
    for name, declared in kinds.items():
        past = ", past ones too" if declared.timed else ""
        described[name] = Count, means(f"{name.capitalize()}{past}.")
    return create_model(
        "Counts", __base__=Published, __doc__="How many records each collection has.", **described
    )


class SelfLink(Published):
    """Where the document is."""

    self: Href = means("This document.")


class Alternative(Published):
    """A query that finds records, in place of one that finds nothing: the query with words as
    filters, with one filter left out, with a similar tag, or with one word changed.
    """

    q: str | None = means("Its words.")
    filters: dict[str, str] = means("The value of each of its filters.")
    total_items: Number = means("How many records it finds.")
    href: Href = means("The first page of its list.")


class Note(Published):
    """A part of the query that was not understood as it was probably meant."""

    code: NoteCode = means(
        "Which part: words of `q` with quotation marks, an operator, the name of a "
        "field or a wildcard; or a filter in `by` that the query also asks for, without "
        "`within=true`."
    )
    text: str = means("What the answer does instead, and how to ask it.")


OwnValue = str | float | bool | list[str] | None


class Tally(Published):
    """How many projects have a value of a filter."""

    value: str = means("The value, as the filter takes it.")
    label: str = means("The label for people.")
    count: Number = means("How many projects have it.")


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
}
#: Types whose values are never null, like those by key: an absent one is empty or false.
_NEVER_NULL = ("boolean", "places")


def _type(f: Declaration, *, whole: bool) -> Any:
    """The type of a field in documents; a `whole` record names the records that it refers to."""
    one = f.added.published() if f.added else _TYPES.get(f.type, str)
    if f.type == "integer":
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
    described: dict[str, tuple[Any, Any]] = {
        "slug": (Slug, means("The name in addresses: unique within its kind, and permanent.")),
        "href": (Href, means("The record file, which has every field.")),
    }
    for f in fields:
        words = f.words.text if whole else f.listed_words or f.words.text
        most = f.most if f.type == "links" else None
        described[f.name] = _type(f, whole=whole), means(words, max_length=most)
    if declared.counters:
        described[COUNTS] = _counters(declared), means("How many records refer to it.")
    own = "The registry's own fields, by key."
    if not whole:
        own = "Of the registry's own fields those that lists show, by key."
    described["fields"] = dict[str, OwnValue], means(own)
    return described


def _counters(declared: Declared) -> type[Published]:
    described: dict[str, Any] = {
        f.path[-1]: (Count, means(f.words.text)) for f in declared.counters
    }
    return create_model(
        f"{type_name(declared.kind)}Counts",
        __base__=Published,
        __doc__=f"How many records refer to one of the {declared.called[1]}, by relation.",
        **described,
    )


def _record(declared: Declared) -> type[Published]:
    fields = [f for f in declared.common.values() if f.published]
    return create_model(
        f"{type_name(declared.kind)}Record",
        __base__=Published,
        __doc__=declared.model.__doc__,
        **_fields(declared, fields, whole=True),
    )


@cache
def summary(kinds: Kinds, collection: str) -> type[Published]:
    """A record as lists of its collection show it."""
    declared = kinds[collection]
    fields = [declared.fields["name"], declared.fields["summary"], *declared.listed]
    return create_model(
        f"{type_name(declared.kind)}Summary",
        __base__=Published,
        __doc__=str(declared.model.__doc__).replace("with every field", "as lists show it"),
        **_fields(declared, fields, whole=False),
    )


def _links(declared: Declared, kinds: Kinds) -> type[Published]:
    """The addresses of a record, and of the lists of records that refer to it."""
    relations = kinds.relations[declared.name]
    if not relations:
        return SelfLink
    address = Href if declared.empty_lists else Href | None
    described: dict[str, Any] = {
        of.key: (Href | None if of.own else address, means(f"Its {of.key.replace('_', ' ')}."))
        for of in relations
    }
    return create_model(
        f"{type_name(declared.kind)}Links",
        __base__=SelfLink,
        __doc__=f"The addresses of the {declared.kind} and of its lists.",
        **described,
    )


class RecordMeta(Published):
    """What the history of the repository says about the record."""

    updated_at: Instant | None = means(
        "When the record was last changed: the time of the commit, in UTC. Null if no "
        "commit has it, or if the build did not have all commits."
    )


class RecordDocument(Document):
    meta: RecordMeta = means(
        "What the history of the repository says about the record, if the registry "
        "publishes all changes.",
        default_factory=lambda: RecordMeta(updated_at=None),
    )


def records(kinds: Kinds) -> dict[str, type[Document]]:
    """Kind -> the document of one record."""
    return {
        declared.kind: document_model(
            RecordDocument,
            declared.kind,
            f"One whole {declared.called[0]}.",
            links=(_links(declared, kinds), "Related addresses."),
            data=(_record(declared), "The record."),
        )
        for declared in kinds.values()
    }


class MovedLinks(SelfLink):
    """The former and the present address."""

    replaced_by: Href = means("The file to read instead.")


class MovedRecord(Published):
    """A former slug."""

    collection: str = means("The collection of the record.")
    slug: Slug = means("The former slug.")
    replaced_by: Slug = means("The slug that the record has now.")


class Moved(Document):
    """The document at the former slug of a renamed record, and at the pages of its
    lists.
    """

    kind: Literal["moved"] = means("The kind of this document.")
    links: MovedLinks = means("Related addresses.")
    data: MovedRecord = means("The former and the present slug.")
