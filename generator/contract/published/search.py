"""The published search over all collections: the best records of each."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.contract.published.parts import Count, Document, Href, Published, SelfLink
from generator.contract.published.records import (
    EventSummary,
    OrganizationSummary,
    ProgramSummary,
    ProjectSummary,
)


class SearchQuery(Published):
    """The query that a search answers. Compare it with your query."""

    q: str = Field(description="The words of the search.")


class FoundLinks(Published):
    """Where all records are that were found."""

    list: Href = Field(description="The first page of all records that were found.")


class Found(Published):
    total_items: Count = Field(description="How many records of this collection were found.")
    links: FoundLinks = Field(description="Where all records are that were found.")


class FoundProjects(Found):
    """The projects that a search found."""

    data: list[ProjectSummary] = Field(description="At most 5 of them, the best matches first.")


class FoundPrograms(Found):
    """The programs that a search found."""

    data: list[ProgramSummary] = Field(description="At most 5 of them, the best matches first.")


class FoundOrganizations(Found):
    """The organizations that a search found."""

    data: list[OrganizationSummary] = Field(
        description="At most 5 of them, the best matches first."
    )


class FoundEvents(Found):
    """The calendar events that a search found."""

    data: list[EventSummary] = Field(description="At most 5 of them, the best matches first.")


class FoundRecords(Published):
    """What a search found in each collection."""

    projects: FoundProjects = Field(description="The projects that were found.")
    programs: FoundPrograms = Field(description="The programs that were found.")
    organizations: FoundOrganizations = Field(description="The organizations that were found.")
    events: FoundEvents = Field(description="The calendar events that were found.")


class Search(Document):
    """The best records of every collection for some words."""

    kind: Literal["search"] = Field(description="The kind of this document.")
    query: SearchQuery = Field(description="The query that this search answers.")
    links: SelfLink = Field(description="The address of this search.")
    total_items: Count = Field(description="How many records were found in all collections.")
    data: FoundRecords = Field(description="What was found in each collection.")
    suggestions: list[str] = Field(
        description="Similar queries that find records, if this search finds none."
    )
