"""Published rows: a few fields of the first records that match."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from generator.contract.published.parts import (
    Alternative,
    Count,
    Day,
    Document,
    Href,
    Number,
    Published,
    SelfLink,
)


class RowsQuery(Published):
    """The query that rows answer. Compare it with your query: a host may have ignored
    a parameter.
    """

    mode: Literal["rows"] = Field(description="The answer is rows.")
    sort: str = Field(description="The order of the rows.")
    q: str | None = Field(description="The words of the search.")
    filters: dict[str, str] = Field(
        description="The value of each filter in the query; a record matches all of them."
    )
    fields: list[str] = Field(description="The fields, in the order of the query.")
    limit: Number = Field(description="How many rows there are at most.")


class RowsLinks(SelfLink):
    """The addresses of the rows and of whole summaries of the same records."""

    list: Href = Field(description="The first page of the list with the same filters and order.")


class NarrowRows(Document):
    query: RowsQuery = Field(description="The query that these rows answer.")
    total_items: Count = Field(description="How many records match.")
    links: RowsLinks = Field(description="The addresses of the rows and of the same list.")
    alternatives: list[Alternative] = Field(
        description="If nothing matches, at most 5 similar queries that find records."
    )
    columns: list[str] = Field(description="What each row has: `slug`, then the fields.")
    rows: list[list[Any]] = Field(
        description="The first records: for each column a text, a number, a boolean, a list of "
        "texts, or null."
    )


class ProjectRows(NarrowRows):
    """A few fields of the first matching projects."""

    kind: Literal["project_rows"] = Field(description="The kind of this document.")


class ProgramRows(NarrowRows):
    """A few fields of the first matching programs."""

    kind: Literal["program_rows"] = Field(description="The kind of this document.")


class OrganizationRows(NarrowRows):
    """A few fields of the first matching organizations."""

    kind: Literal["organization_rows"] = Field(description="The kind of this document.")


class EventRows(NarrowRows):
    """A few fields of the first matching calendar events."""

    kind: Literal["event_rows"] = Field(description="The kind of this document.")
    as_of: Day = Field(description="The day from which events are upcoming.")
