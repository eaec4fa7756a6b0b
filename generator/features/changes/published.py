"""The published model of the pages of all changes."""

from __future__ import annotations

from typing import Literal

from generator.contract.artifact import MAX_CHANGES
from generator.contract.published.parts import Document, Href, Number, Published, means
from generator.contract.published.registry import Change


class PageNumber(Published):
    """Which page this is."""

    number: Number = means("The number; page 1 has the oldest changes.")


class PreviousPage(Published):
    """The page before, which never changes."""

    href: Href = means("Its address.")
    sha256: str = means("The SHA-256 of its bytes.", pattern="^[0-9a-f]{64}$")


class NumberedChange(Change):
    """What a commit did to a record."""

    seq: Number = means("The number of the change; 1 is the oldest.")
    commit: str = means("The id of the commit.")
    fields: list[str] = means(
        "The fields that differ, such as website or tags.topic; none if the record is new or gone."
    )


class ChangePage(Document):
    """Every change of a record, the oldest first. A page with 100 changes never changes again,
    unless the history of the repository is rewritten.
    """

    kind: Literal["change_page"] = means("The kind of this document.")
    page: PageNumber = means("Which page this is.")
    previous: PreviousPage | None = means("The page before; null on page 1.")
    data: list[NumberedChange] = means("The changes, the oldest first.", max_length=MAX_CHANGES)


DOCUMENTS = {"change_page": ChangePage}
