"""Published lists: pages of each collection, and filters with their values."""

from __future__ import annotations

from typing import Literal

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
from generator.contract.published.records import (
    EventSummary,
    OrganizationSummary,
    ProgramSummary,
    ProjectSummary,
)


class Query(Published):
    """The query that a list answers. Compare it with your query: a host may have ignored
    a parameter.
    """

    mode: Literal["page"] = Field(description="The answer is one page of a list.")
    page: Number = Field(description="The number of the requested page.")
    sort: str = Field(description="The order; a leading hyphen means descending order.")
    q: str | None = Field(description="The words of the search.")
    filters: dict[str, str] = Field(
        description="The value of each filter in the query; a record matches all of them."
    )


class Page(Published):
    """The position of this page in its list."""

    number: Number = Field(description="The number of this page, from 1.")
    size: Number = Field(description="How many items a full page has.")
    count: Count = Field(description="How many items this page has.")
    total_items: Count = Field(description="How many items the whole list has.")
    total_pages: Number = Field(
        description="How many pages the whole list has; an empty list has 1."
    )


class ListLinks(SelfLink):
    """The other pages of the list."""

    first: Href = Field(description="The first page.")
    prev: Href | None = Field(description="The page before; null on the first.")
    next: Href | None = Field(description="The page after; null on the last.")
    last: Href = Field(description="The last page.")
    filters: Href = Field(description="The filters of the collection.")


class List(Document):
    query: Query = Field(description="The query that this list answers.")
    page: Page = Field(description="The position of this page in its list.")
    links: ListLinks = Field(description="The other pages of the list.")
    suggestions: list[str] = Field(
        default_factory=list,
        description="Similar queries that find records, if this search finds none.",
    )
    alternatives: list[Alternative] = Field(
        default_factory=list,
        description="If nothing matches, at most 5 similar queries that find records; prepared "
        "pages do not have it.",
    )


class ProjectList(List):
    """One page of a list of projects."""

    kind: Literal["project_list"] = Field(description="The kind of this document.")
    data: list[ProjectSummary] = Field(description="The projects of this page.")


class ProgramList(List):
    """One page of a list of programs."""

    kind: Literal["program_list"] = Field(description="The kind of this document.")
    data: list[ProgramSummary] = Field(description="The programs of this page.")


class OrganizationList(List):
    """One page of a list of organizations."""

    kind: Literal["organization_list"] = Field(description="The kind of this document.")
    data: list[OrganizationSummary] = Field(description="The organizations of this page.")


class EventList(List):
    """One page of a list of calendar events."""

    kind: Literal["event_list"] = Field(description="The kind of this document.")
    as_of: Day = Field(description="The day from which events are upcoming.")
    data: list[EventSummary] = Field(description="The events of this page.")


class Value(Published):
    """One value of a filter."""

    value: str = Field(description="The value to use in a query.")
    label: str = Field(description="The label for people.")
    count: Count = Field(description="How many records of the whole collection have this value.")
    href: Href = Field(description="The first page of the records with this value.")


class FilterValues(Published):
    """A filter and the values that records have, the most frequent first."""

    label: str = Field(description="The label for people.")
    total_values: Count = Field(description="How many values there are.")
    truncated: bool = Field(
        description="Whether `values` has only some of the values; `href` has all."
    )
    href: Href = Field(description="The file with all values.")
    values: list[Value] = Field(description="The values.")


class FilterList(Document):
    """The filters of a collection, each with its most frequent values."""

    kind: Literal["filter_list"] = Field(description="The kind of this document.")
    links: SelfLink = Field(description="Related addresses.")
    data: dict[str, FilterValues] = Field(description="Each filter, by the name of its parameter.")


class FilterLinks(SelfLink):
    """The addresses of this filter and of all filters."""

    filters: Href = Field(description="All filters of the collection.")


class Filter(Document):
    """One filter with all of its values."""

    kind: Literal["filter"] = Field(description="The kind of this document.")
    links: FilterLinks = Field(description="Related addresses.")
    data: FilterValues = Field(description="The filter and its values.")
