"""Parts of published documents: types of values, the base of a document, common objects."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from generator.contract.manifest import MAX_BITS
from generator.grammar.refusals import MAX_KEYS, PROBLEMS
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


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Key = Annotated[str, Field(max_length=200)]


class File(Published):
    """The size and hash of a file."""

    size: Count = Field(description="Its bytes.")
    sha256: Sha256 = Field(description="The SHA-256 of these bytes.")


class HandOver(Published):
    """The replacement of a key, signed by the old key."""

    old: Key = Field(description="The key that was trusted until then.")
    new: Key = Field(description="The key that is trusted now.")
    signature: Key = Field(description="The signature of the old key, in base64.")


class Signature(Published):
    """A signature of the root."""

    key: Key = Field(description="The public key.")
    signature: Key = Field(description="The signature, in base64.")


class ManifestLinks(SelfLink):
    """Related addresses."""

    snapshot: Href = Field(description="The hashes of the bins.")
    build: Href = Field(description="When and from what the registry was built.")
    changes: Href = Field(description="The latest changes of records.")
    removed: Href = Field(description="The records that were removed for good.")


class ManifestRoot(Document):
    """The root of the manifest, with which all published files can be checked."""

    kind: Literal["manifest_root"] = Field(description="The kind of this document.")
    links: ManifestLinks = Field(description="Related addresses.")
    version: Number = Field(description="It only grows: a lower version is an older root.")
    issued_at: Instant = Field(description="When it was issued.")
    expires_at: Instant = Field(description="When it expires.")
    files: Count = Field(description="How many files the bins have.")
    bytes: Count = Field(description="Their bytes.")
    bits: Annotated[int, Field(ge=0, le=MAX_BITS)] = Field(
        description="The number of bins is 2 to the power of this number. The bin of a file has "
        "the number that is this many first bits of the SHA-256 of its path."
    )
    snapshot: File = Field(description="The snapshot.")
    build: File = Field(description="The file build.json.")
    keys: list[Key] = Field(max_length=MAX_KEYS, description="The public keys of the registry.")
    handovers: list[HandOver] = Field(
        max_length=MAX_KEYS, description="The replacements of keys, the first one first."
    )
    signatures: list[Signature] = Field(
        max_length=MAX_KEYS, description="Signatures of everything above."
    )


class ManifestSnapshot(Document):
    """The hashes of the bins, or of parts of this list if there are more than 1,024 bins."""

    kind: Literal["manifest_snapshot"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    first: Count = Field(description="The number of the first bin, or part, in `data`.")
    data: list[Sha256] = Field(description="The SHA-256 of each, in order.")


#: The path, bytes and SHA-256 of a file.  Tools want `items` in the schema of every array.
_Entry = Annotated[tuple[str, Count, Sha256], Field(json_schema_extra={"items": {}})]


class ManifestBin(Document):
    """Some of the files that are published."""

    kind: Literal["manifest_bin"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    number: Count = Field(description="The number of the bin.")
    data: list[_Entry] = Field(
        description="The path (without the path of the base URL), bytes and SHA-256 of each file."
    )
