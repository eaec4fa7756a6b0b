"""The published models of identifiers and of the documents by identifier."""

from __future__ import annotations

from typing import Literal

from generator.contract.published.parts import (
    Document,
    Href,
    Link,
    Published,
    SelfLink,
    Slug,
    means,
)


class Identifier(Published):
    """An identifier of one scheme."""

    id: str = means("The identifier, as its scheme writes it.")
    url: Link = means("Its web address.")


class IdentifiedRecord(Identifier):
    """A record with an identifier."""

    scheme: str = means("The scheme of the identifier.")
    collection: str = means("The collection of the record.")
    slug: Slug = means("Its slug.")
    name: str = means("Its name.")
    href: Href = means("Its record file.")


class Identified(Document):
    """The records with an identifier. Compare `id`, without regard to case: other identifiers may
    share the file.
    """

    kind: Literal["identified"] = means("The kind of this document.")
    links: SelfLink = means("Related addresses.")
    data: list[IdentifiedRecord] = means("These records.")


DOCUMENTS = {"identified": Identified}
