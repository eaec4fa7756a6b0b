"""The published models of identifiers and of the documents by identifier."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.contract.published.parts import Document, Href, Link, Published, SelfLink, Slug


class Identifier(Published):
    """An identifier of one scheme."""

    id: str = Field(description="The identifier, as its scheme writes it.")
    url: Link = Field(description="Its web address.")


class IdentifiedRecord(Identifier):
    """A record with an identifier."""

    scheme: str = Field(description="The scheme of the identifier.")
    collection: str = Field(description="The collection of the record.")
    slug: Slug = Field(description="Its slug.")
    name: str = Field(description="Its name.")
    href: Href = Field(description="Its record file.")


class Identified(Document):
    """The records with an identifier. Compare `id`, without regard to case: other identifiers may
    share the file.
    """

    kind: Literal["identified"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    data: list[IdentifiedRecord] = Field(description="These records.")


DOCUMENTS = {"identified": Identified}
