"""The published model of the pages of all changes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.contract.artifact import MAX_CHANGES
from generator.contract.published.parts import Document, Href, Number, Published
from generator.contract.published.registry import Change


class PageNumber(Published):
    """Which page this is."""

    number: Number = Field(description="The number; page 1 has the oldest changes.")


class PreviousPage(Published):
    """The page before, which never changes."""

    href: Href = Field(description="Its address.")
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="The SHA-256 of its bytes.")


class NumberedChange(Change):
    """What a commit did to a record."""

    seq: Number = Field(description="The number of the change; 1 is the oldest.")
    commit: str = Field(description="The id of the commit.")
    fields: list[str] = Field(
        description="The fields that differ, such as website or tags.topic; none if the record is "
        "new or gone."
    )


class ChangePage(Document):
    """Every change of a record, the oldest first. A page with 100 changes never changes again,
    unless the history of the repository is rewritten.
    """

    kind: Literal["change_page"] = Field(description="The kind of this document.")
    page: PageNumber = Field(description="Which page this is.")
    previous: PreviousPage | None = Field(description="The page before; null on page 1.")
    data: list[NumberedChange] = Field(
        max_length=MAX_CHANGES, description="The changes, the oldest first."
    )


DOCUMENTS = {"change_page": ChangePage}
