"""Published lists: a page of each collection, its question and its neighbours, and filters with
their values.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.schema.published.parts import Count, Day, Document, Href, Number, Published, SelfLink
from generator.schema.published.records import (
    EventSummary,
    OrganizationSummary,
    ProgramSummary,
    ProjectSummary,
)


class Query(Published):
    """The question that a list answers. Compare it with the one you asked: a host may have ignored
    a parameter.
    """

    mode: Literal["page"] = Field(description="Lists are answered page by page.")
    page: Number = Field(description="The number of the page asked for.")
    sort: str = Field(description="The order; a leading hyphen means descending.")
    q: str | None = Field(description="The words searched for.")
    filters: dict[str, str] = Field(
        description="What was asked of each filter given; a record matches all of them."
    )


class Page(Published):
    """Where this page stands in its list."""

    number: Number = Field(description="The number of this page, from 1.")
    size: Number = Field(description="How many items a full page has.")
    count: Count = Field(description="How many items this page has.")
    total_items: Count = Field(description="How many items the whole list has.")
    total_pages: Number = Field(
        description="How many pages the whole list has; an empty list has one."
    )


class ListLinks(SelfLink):
    """The other pages of the list."""

    first: Href = Field(description="The first page.")
    prev: Href | None = Field(description="The page before; null on the first.")
    next: Href | None = Field(description="The page after; null on the last.")
    last: Href = Field(description="The last page.")
    filters: Href = Field(description="The filters that the collection takes.")


class List(Document):
    query: Query = Field(description="The question that this list answers.")
    page: Page = Field(description="Where this page stands in its list.")
    links: ListLinks = Field(description="The other pages of the list.")
    suggestions: list[str] = Field(
        default_factory=list,
        description="What may have been meant where a search finds nothing: other queries, each "
        "with a record.",
    )


class ProjectList(List):
    """One page of a list of projects."""

    kind: Literal["project_list"] = Field(description="What this document is.")
    data: list[ProjectSummary] = Field(description="The projects of this page.")


class ProgramList(List):
    """One page of a list of programs."""

    kind: Literal["program_list"] = Field(description="What this document is.")
    data: list[ProgramSummary] = Field(description="The programs of this page.")


class OrganizationList(List):
    """One page of a list of organizations."""

    kind: Literal["organization_list"] = Field(description="What this document is.")
    data: list[OrganizationSummary] = Field(description="The organizations of this page.")


class EventList(List):
    """One page of a list of calendar events."""

    kind: Literal["event_list"] = Field(description="What this document is.")
    as_of: Day = Field(description="The day that upcoming is counted from.")
    data: list[EventSummary] = Field(description="The events of this page.")


class Value(Published):
    """One value of a filter."""

    value: str = Field(description="What to write in a query.")
    label: str = Field(description="What a person calls it.")
    count: Count = Field(description="How many records of the whole collection have it.")
    href: Href = Field(description="The first page of the records that have it.")


class FilterValues(Published):
    """A filter and the values that any record has, the most frequent first."""

    label: str = Field(description="What a person calls the filter.")
    total_values: Count = Field(description="How many values there are.")
    truncated: bool = Field(description="Whether `values` leaves some out; `href` has all.")
    href: Href = Field(description="The file with all values.")
    values: list[Value] = Field(description="The values.")


class FilterList(Document):
    """The filters of a collection, each with its most frequent values."""

    kind: Literal["filter_list"] = Field(description="What this document is.")
    links: SelfLink = Field(description="Where to go from here.")
    data: dict[str, FilterValues] = Field(description="Each filter, by the name of its parameter.")


class FilterLinks(SelfLink):
    """Where the filter is, and those beside it."""

    filters: Href = Field(description="All filters of the collection.")


class Filter(Document):
    """One filter with all of its values."""

    kind: Literal["filter"] = Field(description="What this document is.")
    links: FilterLinks = Field(description="Where to go from here.")
    data: FilterValues = Field(description="The filter and its values.")
